// Package sse reads and writes server-sent events and newline-delimited JSON. It preserves every byte.
//
//	r := sse.NewReader(body)
//	for {
//		ev, err := r.Next() // io.EOF at the end
//		...
//		w.Write(ev.Raw) // the unchanged bytes of the event
//		if !r.HasEvent() {
//			flush() // the next Next waits for the source
//		}
//	}
//
// A Reader accepts everything that the standard allows: LF, CRLF and CR line ends, comments, unknown fields, several
// data lines and a byte order mark. The events do not depend on how the input is split into reads. The concatenated
// Raw fields of all events are the input. Reading takes linear time. MaxEvent limits the memory.
//
// NewLineReader reads newline-delimited JSON as events. Append and AppendComment write server-sent events.
package sse
