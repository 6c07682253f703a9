// Package classes has tests alone. A provider of net/http and encoding/json misbehaves in each class of failure; a
// configured gateway stands before it, and a plain HTTP client of each API asks. Only start_test.go imports other
// packages of the module, so that neither side shares a reading of an API or of a failure with the gateway.
package classes
