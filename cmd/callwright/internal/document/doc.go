// Package document compares JSON documents and writes them in their owner's layout.
//
// [Diff] returns the difference of two documents, in steps that are a JSON Patch (RFC 6902) and can be shown to a
// person; [Layout] writes a document into the text of an earlier one, so that unchanged parts keep their bytes.
// Documents are valid JSON; numbers and strings stay as they are written.
package document
