// Package bfcl reads questions of the Berkeley Function Calling Leaderboard and holds calls against the accepted ones,
// by the rules of the leaderboard for its Python categories. Numbers are read as JSON Schema reads them: 3 is a number
// and 3.0 an integer. The rules were written for values of Python, so these are compared as Python compares: true
// equals 1, and 1 equals 1.0.
//
// The functions do no input or output and are safe for concurrent use.
package bfcl
