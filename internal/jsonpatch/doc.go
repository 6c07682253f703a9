// Package jsonpatch applies JSON Patch (RFC 6902) and JSON Merge Patch (RFC 7386) to text, within limits.
//
// Nothing is decoded into Go values: unpatched parts keep their bytes but for white space between tokens, numbers their
// digits, members their order. A [Doc] never changes; a patch makes another one that shares the unchanged parts with
// the first. So an operation costs the members and elements of the arrays and objects on its way, which are counted and
// bounded, and a copy of a large value costs no more than one of a small value.
//
// Duplicate names in an object are rejected, as two readers could use different ones. An [Error] states the fault, its
// place, the present value and the possible ones, for readers who cannot see the document: models.
//
// Tests compare it with github.com/evanphx/json-patch, the library that most programs in Go use. That library does not
// serve in its place: an empty name is the whole document to it, "01" an index, 1.0 another number than 1, a test of
// null passes where there is nothing, a merge drops nulls inside arrays and orders new members by chance, a null in an
// array can make it panic, and it does not say which operation failed.
package jsonpatch
