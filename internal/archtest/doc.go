// Package archtest holds the rules of this module's layout, as data and as a test: the imports of each package, and its
// size.
//
// Packages are in four layers: leaves, the vocabulary, parts, programs. A package imports from the layers below its
// own. In its own layer it imports only the packages that its row in the table names; a leaf imports no others at all.
// Only its owner imports third-party code. Test suites (packages of tests for implementations) are imported by tests
// and by test suites alone. Who may import a package below a folder internal is left to the go command.
//
// External test packages are free, but for those of leaves: they import leaves alone, so that a leaf can be tested, and
// taken away, on its own.
//
// Packages, files, functions and structs have a size that they may not exceed; a row may set its own. Tests are not
// measured.
//
// A package or a dependency without a row is an error: adding one is a decision, and it is made in table.go.
package archtest
