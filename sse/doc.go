// Package sse reads and writes streams of server-sent events, and of JSON lines, without losing a byte.
//
//	r := sse.NewReader(body)
//	for {
//		ev, err := r.Next() // io.EOF at the end
//		...
//		w.Write(ev.Raw) // the event as it came: a pass-through is exact
//		if !r.HasEvent() {
//			flush() // the next Next waits for the source
//		}
//	}
//
// A Reader accepts all forms of the standard (LF, CRLF and CR line ends, comments, unknown fields, several data lines,
// a byte order mark) in pieces of any size: the events do not depend on how the bytes arrived, and the Raw parts of all
// events joined are the input. Work is linear in the bytes read; memory is bounded by MaxEvent.
//
// NewLineReader reads newline-delimited JSON as the same events. Append and AppendComment write events.
package sse
