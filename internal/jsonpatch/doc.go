// Package jsonpatch applies JSON Patch (RFC 6902) and JSON Merge Patch (RFC 7386) to text, within limits.
//
// Nothing is decoded into Go values: what a patch does not touch keeps its bytes but for white space between tokens, numbers their digits, members
// their order. A [Doc] never changes; a patch makes another one that shares what is the same with the first, so that an operation costs what
// it touches, and a copy of a large value no more than one of a small value.
//
// Names that an object has twice are refused, as two readers could take different ones. An [Error] says what was wrong where, what is there
// instead, and what may be written, for readers who cannot see the document: models.
package jsonpatch
