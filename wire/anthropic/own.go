package anthropic

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/wire/internal/kit"
)

// writer appends JSON of this wire.
type writer struct{ kit.Writer }

// open begins an object behind what dst holds.
func open(dst []byte) writer {
	return writer{kit.Writer{Buf: append(dst, '{'), Own: callwright.WireAnthropic}}
}

// close ends the object and gives all that was written.
func (w *writer) close() []byte {
	w.Close('}')
	return w.Buf
}
