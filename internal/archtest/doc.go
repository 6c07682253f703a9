// Package archtest defines and tests the rules for the layout of this module: the allowed imports of each package, and
// size limits.
//
// Packages are in four layers: leaves, the vocabulary, parts, programs. A package may import packages of lower layers.
// Of its own layer it may import only packages listed in its row of the table. Only listed packages may import
// third-party code. Only tests and other test suites may import a test suite, which is a package with tests for
// implementations. The go command enforces the rules for directories named internal.
//
// External test packages may import anything, except those of leaves: they may only import leaves, so that a leaf can
// be tested and extracted on its own.
//
// Packages, files, functions and structs have size limits, which a row can override. Tests are not measured.
//
// A package or dependency without a row is an error, so that adding one requires a change of table.go.
package archtest
