// Package compose makes one JSON Schema of several, and tells what a schema as it was written asks for.
//
//	var defs compose.Definitions
//	out := append([]byte(`{"anyOf":[`), defs.Embed(first, "a_")...)
//	out = append(append(out, ','), defs.Embed(second, "b_")...)
//	out = append(defs.Append(append(out, ']')), '}') // what both refer to, as $defs of the whole
//
// Schemas are JSON text, in and out.
package compose
