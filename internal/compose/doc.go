// Package compose joins several JSON Schemas into one, and reports whether a schema has an object of any keys.
//
//	var defs compose.Definitions
//	out := append([]byte(`{"anyOf":[`), defs.Embed(first, "a_")...)
//	out = append(append(out, ','), defs.Embed(second, "b_")...)
//	out = append(defs.Append(append(out, ']')), '}') // the definitions that both refer to, as $defs of the whole
//
// Schemas are JSON text, in and out.
package compose
