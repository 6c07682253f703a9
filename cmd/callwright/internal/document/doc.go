// Package document compares JSON documents and preserves their formatting.
//
// [Diff] returns the difference of two documents as steps that form a JSON Patch (RFC 6902) and can be displayed.
// [Layout] writes a document with the formatting of an earlier text, so that unchanged parts keep their bytes.
// Documents must be valid JSON; numbers and strings keep their notation.
package document
