package kit

import (
	"bytes"

	"github.com/callwright/callwright/internal/jsonx"
)

// A Repeat recognizes a stream event that differs from the event before only in its text delta. Most events of a stream
// do, and such an event need not be parsed. The zero Repeat recognizes nothing.
type Repeat struct {
	name       string
	head, tail []byte
}

// Learn records an event by its SSE name and data. text is the JSON string of the text delta, as a subslice of data.
func (r *Repeat) Learn(name string, data, text []byte) {
	r.Forget()
	if start, end := jsonx.Span(data, text); start > 0 {
		r.name, r.head, r.tail = name, append(r.head, data[:start]...), append(r.tail, data[end:]...)
	}
}

// Forget removes the recorded event, so that Text recognizes none.
func (r *Repeat) Forget() { r.head, r.tail = r.head[:0], r.tail[:0] }

// Text returns the JSON string of the text delta if the event differs from the recorded event only in that string. It
// returns nil for other events, and for an empty string.
func (r *Repeat) Text(name string, data []byte) []byte {
	start, end := len(r.head), len(data)-len(r.tail)
	if start == 0 || end-start <= len(`""`) || name != r.name || !bytes.HasPrefix(data, r.head) || !bytes.HasSuffix(data, r.tail) {
		return nil
	}
	if text := data[start:end:end]; jsonx.ValidText(text) {
		return text
	}
	return nil
}
