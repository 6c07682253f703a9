package kit

import (
	"bytes"

	"github.com/callwright/callwright/internal/jsonx"
)

// A Repeat knows the last event of a stream that was nothing but a piece of text, and where the text stands in it. Most
// events of an answer differ from the one before in their text alone; such an event means the same with another text
// and need not be parsed. The zero Repeat knows nothing.
type Repeat struct {
	name       string
	head, tail []byte
}

// Learn takes an event by its name and data; text is the JSON string in data that is its piece of text.
func (r *Repeat) Learn(name string, data, text []byte) {
	r.Forget()
	if start, end := jsonx.Span(data, text); start > 0 {
		r.name, r.head, r.tail = name, append(r.head, data[:start]...), append(r.tail, data[end:]...)
	}
}

// Forget makes the Repeat know nothing.
func (r *Repeat) Forget() { r.head, r.tail = r.head[:0], r.tail[:0] }

// Text is the JSON string of an event that differs from the one that is known in its text alone; nil for others, and
// for an empty text.
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
