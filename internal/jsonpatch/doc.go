// Package jsonpatch applies JSON Patch (RFC 6902) and JSON Merge Patch (RFC 7386) to text, within limits.
//
// Nothing is decoded into Go values: what a patch does not touch keeps its bytes but for white space between tokens, numbers their digits, members
// their order. A [Doc] never changes; a patch makes another one that shares what is the same with the first. So an operation costs the members and elements
// of the arrays and objects on its way, which are counted and bounded, and a copy of a large value costs no more than one of a small value.
//
// Names that an object has twice are refused, as two readers could take different ones. An [Error] says what was wrong where, what is there
// instead, and what may be written, for readers who cannot see the document: models.
//
// The library that most programs in Go use for this, github.com/evanphx/json-patch, is held against it in tests. It does not serve in its place: an
// empty name is the whole document to it, "01" an index, 1.0 another number than 1, a test of null passes where there is nothing, a merge drops
// nulls inside arrays and orders new members by chance, a null in an array can make it panic, and it does not say which operation failed.
package jsonpatch
