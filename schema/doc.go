// Package schema validates tool arguments against a JSON Schema, reports every violation, and coerces values that have
// exactly one valid interpretation.
//
//	s, err := schema.Compile(parameters)          // or cache.Compile for schemas that are sent with every request
//	out, changes := s.Coerce(args, schema.Options{})
//	for _, v := range s.Validate(out) { ... }
//
// All functions work on JSON text. A valid document is never changed. A coercion preserves all other bytes: digits of
// numbers, order of members and white space. Numbers are compared exactly, as decimals.
//
// A schema without "$schema" is draft 2020-12. Drafts 4, 6, 7 and 2019-09 are supported, too. A compiled tree
// validates the keywords that tools commonly use, without decoding the document. Schemas with rare keywords
// ($dynamicRef, unevaluatedProperties, embedded resources, old drafts) use a complete validator, which is slower.
//
// Many clients send schemas that are not exactly JSON Schema. Types of OpenAPI ("STRING") and of programming languages
// (dict, float, tuple, any), nullable, and arrays in items are converted, see Readings. Keywords that cannot be
// checked, such as a pattern that RE2 does not support or an unknown format, are skipped, see UncheckedParts. Known
// formats are checked in every draft. Nothing is fetched: a $ref must point into the schema or to a published
// meta-schema.
//
// For returns the schema of a Go type according to encoding/json.
//
// A Schema is immutable and safe for concurrent use.
package schema
