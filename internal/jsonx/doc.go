// Package jsonx reads and changes JSON text in place: bytes in, parts of the same bytes out. Nothing is decoded into Go
// values, no number becomes a float64, the order of members and the digits of numbers stay as they were written.
//
//	if err := jsonx.Valid(body); err != nil { ... }      // once, at the door
//	model, ok := jsonx.Find(body, "model")               // a span of body, no copy
//	for key, value := range jsonx.Members(body) { ... }  // in order, no allocation
//	start, end := jsonx.Span(body, model)
//	body = jsonx.Splice(nil, body, jsonx.Edit{Start: start, End: end, New: []byte(`"other"`)})
//
// Valid is strict: RFC 8259, well-formed UTF-8, nesting up to MaxDepth. All that walk a value (Skip, Members, Elements,
// Find, Lookup, String, Compact, Equal, ParseObject and the others) trust that it passed Valid. On anything else they
// neither panic nor loop, but they may stop early or return something without meaning.
//
// A List is an object taken apart for changing: its members in order, unknown ones kept. A Checker is Valid for
// text that arrives in pieces: it fails at the first byte with which no JSON value can go on.
//
// Functions are safe for concurrent use as long as nobody writes to the bytes; slices that are returned alias
// their argument unless the comment says otherwise, and must not be written to or appended to.
package jsonx
