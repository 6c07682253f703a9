package anthropic

import (
	callwright "github.com/callwright/callwright"
	"github.com/callwright/callwright/wire"
)

// writer appends JSON of this wire.
type writer struct{ wire.Writer }

// open begins an object behind what dst holds.
func open(dst []byte) writer {
	return writer{wire.Writer{Buf: append(dst, '{'), Own: callwright.WireAnthropic}}
}

// close ends the object and gives all that was written.
func (w *writer) close() []byte {
	w.Close('}')
	return w.Buf
}
