// Package document reads texts that are one object: the document of the modes json_schema and json_object, and the
// arguments of a tool alone in a code fence.
package document
