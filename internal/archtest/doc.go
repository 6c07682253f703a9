// Package archtest holds the rules of this module's layout, as data and as a test: what a package may import, and how large it may be.
//
// Packages stand on four floors: leaves, the vocabulary, rooms, shells. A package imports from floors below its own and, on its own
// floor, only what its row in the table names; leaves import only what their row names. Third-party code has owners: only
// these import it. Suites (packages of tests for implementations) are imported by tests and by suites alone.
//
// External test packages are free, but for those of leaves: they stay on the ground floor, so that a leaf can be tested, and taken
// away, on its own.
//
// Packages, files, functions and structs have a size that they may not exceed; a row may set its own. Tests are not measured.
//
// A package or a dependency without a row is an error: adding one is a decision, and it is made in table.go.
package archtest
