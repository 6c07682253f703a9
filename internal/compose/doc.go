// Package compose combines several JSON Schemas into one, and reports whether a schema contains an object that allows
// any member names.
//
//	var defs compose.Definitions
//	out := append([]byte(`{"anyOf":[`), defs.Embed(first, "a_")...)
//	out = append(append(out, ','), defs.Embed(second, "b_")...)
//	out = append(defs.Append(append(out, ']')), '}') // adds the $defs that both schemas refer to
//
// Schemas are JSON text.
package compose
