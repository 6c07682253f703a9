// Package evalcmd is the command callwright eval: it measures models on scenarios, offline with simulated ones or live,
// and prints the results.
//
// Every setting stands once, in the table of Settings: flags, environment variables and the documentation follow from
// it.
package evalcmd
