// Package document compares JSON documents and writes them as their owner has laid them out.
//
// [Diff] says how one document becomes another, in steps that are a JSON Patch (RFC 6902) and can be shown to a person; [Layout] writes a document into the
// text of an earlier one, so that what has not changed keeps its bytes. Documents are valid JSON; numbers and strings stay as they are written.
package document
