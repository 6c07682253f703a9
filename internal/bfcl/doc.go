// Package bfcl reads questions of the Berkeley Function Calling Leaderboard (BFCL) and compares calls with the accepted
// answers, by the rules of BFCL for Python. A number matches a declared type as in JSON Schema: 3 is a valid number and
// 3.0 a valid integer. Values are compared as in Python: true equals 1, and 1 equals 1.0.
//
// The functions do no I/O and are safe for concurrent use.
package bfcl
