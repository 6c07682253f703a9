// Package classes contains only tests. For each failure class, a test provider returns faulty answers to a gateway, and
// an HTTP client of each API sends requests to this gateway. Provider and clients use only the standard library. Except
// for start_test.go, the tests import no other packages of the module. Thus they share no code with the gateway that
// interprets an API or a failure.
package classes
