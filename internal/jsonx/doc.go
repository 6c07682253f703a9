// Package jsonx reads and edits JSON text in place. Its functions return subslices of their argument. They do not
// decode into Go values, so numbers keep their digits and objects the order of their members.
//
//	if err := jsonx.Valid(body); err != nil { ... }      // once, when the text arrives
//	model, ok := jsonx.Find(body, "model")               // a span of body, no copy
//	for key, value := range jsonx.Members(body) { ... }  // in order, no allocation
//	start, end := jsonx.Span(body, model)
//	body = jsonx.Splice(nil, body, jsonx.Edit{Start: start, End: end, New: []byte(`"other"`)})
//
// Valid is strict: RFC 8259, well-formed UTF-8, nesting up to MaxDepth. All functions that traverse a value (Skip,
// Members, Elements, Find, Lookup, String, Compact, Equal, ParseObject and others) assume text that passed Valid. For
// other text they neither panic nor loop forever, but may stop early or return a meaningless result.
//
// A List is an object as a slice of members, for changes. A Checker is Valid for text that arrives in chunks. It fails
// at the first byte that makes the text invalid.
//
// Functions are safe for concurrent use if the bytes are not modified. Returned slices alias the argument unless
// documented otherwise, and must not be modified or appended to.
package jsonx
