// Package document parses JSON objects that are a complete response: the documents of modes json_schema and
// json_object, and arguments in a code block.
package document
