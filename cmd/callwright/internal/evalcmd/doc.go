// Package evalcmd implements callwright eval: it measures models on scenarios, offline with simulated models or live,
// and prints the results.
//
// Each setting is one row of the table returned by Settings. Flags, environment variables and documentation are derived
// from it.
package evalcmd
