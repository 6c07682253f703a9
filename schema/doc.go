// Package schema validates the arguments of a tool against the JSON Schema of its parameters, lists every violation,
// and coerces values that have exactly one reading.
//
//	s, err := schema.Compile(parameters)          // or cache.Compile: by content, for schemas that come with every request
//	out, changes := s.Coerce(args, schema.Options{})
//	for _, v := range s.Validate(out) { ... }
//
// Everything works on JSON text. A valid document is never changed. Where a value is coerced, all other bytes stay as
// they are: digits of numbers, order of members, white space. Numbers are compared as decimals, exactly.
//
// A schema without "$schema" is draft 2020-12; draft 7 and the others are read as they say. The keywords that tools use
// are checked by a tree compiled once, without decoding the document; schemas with rarer ones ($dynamicRef,
// unevaluatedProperties, embedded resources, old drafts) are checked by a complete validator, more slowly.
//
// Clients send more than JSON Schema. Types of OpenAPI ("STRING") and of programming languages (dict, float, tuple,
// any), nullable, and lists under items are read by their meaning, see Readings. Keywords that cannot be checked, such
// as a pattern outside RE2 or an unknown format, are skipped, see Unchecked. Known formats are checked in every draft.
// Nothing is ever fetched: a $ref leads into the schema itself or to a published meta-schema.
//
// For makes the schema of a Go type, as encoding/json reads it.
//
// A Schema does not change after Compile and may be used by many goroutines.
package schema
