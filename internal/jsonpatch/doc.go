// Package jsonpatch applies JSON Patch (RFC 6902) and JSON Merge Patch (RFC 7386) to JSON text, within limits.
//
// It does not decode JSON into Go values. Unpatched parts keep their bytes except white space between tokens, numbers
// keep their digits, and members their order. A [Doc] is immutable. A patch creates a new Doc that shares the unchanged
// parts. An operation takes time proportional to the members and elements of the arrays and objects along its path.
// This number is limited. Copying a large value is as cheap as copying a small one.
//
// Duplicate names in an object are rejected, since parsers differ in which of them they use. An [Error] contains the
// error, its path, the present value and the possible values, for readers who cannot see the document, such as models.
//
// Tests compare the package with github.com/evanphx/json-patch, the most used library in Go. That library is not used
// because it differs from the RFCs: an empty name means the whole document, "01" is an index, 1.0 differs from 1, a
// test of null passes if the value is absent, a merge drops nulls inside arrays and orders new members randomly. A null
// in an array can make it panic, and it does not report which operation failed.
package jsonpatch
