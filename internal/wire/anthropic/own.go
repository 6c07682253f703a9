package anthropic

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/internal/kit"
)

const own = kit.API(callwright.WireAnthropic)

// origin is the Origin of opaque state (such as thinking signatures) that was received over this API. Such state may be
// sent only to a provider of this API.
var origin = callwright.Origin{Wire: callwright.WireAnthropic}

// writer appends JSON of the Messages API to a buffer.
type writer struct{ kit.Writer }

// open returns a writer that appends to dst and has written the "{" of an object.
func open(dst []byte) writer { return writer{own.Writer(append(dst, '{'))} }

// close writes the "}" of the object and returns the buffer.
func (w *writer) close() []byte {
	w.Close('}')
	return w.Buf
}

// extras builds a JSON object of the members that package callwright has no field for. It is nil until a member is
// added and has no closing brace.
type extras []byte

func (x *extras) add(name, value []byte) {
	if *x == nil {
		*x = append(make([]byte, 0, len(name)+len(value)+kit.MoreRoom), '{')
	} else {
		*x = append(*x, ',')
	}
	*x = append(jsonx.AppendQuote(*x, name), ':')
	*x = append(*x, value...)
}

func (x extras) extra() callwright.Extra {
	if x == nil {
		return callwright.Extra{}
	}
	return own.Extra(append(x, '}'))
}
