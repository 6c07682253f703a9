package anthropic

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/internal/kit"
)

const own = kit.Own(callwright.WireAnthropic)

// origin is where opaque state of this API comes from.
var origin = callwright.Origin{Wire: callwright.WireAnthropic}

// writer appends JSON of this wire.
type writer struct{ kit.Writer }

// open begins an object at the end of dst.
func open(dst []byte) writer { return writer{own.Writer(append(dst, '{'))} }

// close ends the object and gives all that was written.
func (w *writer) close() []byte {
	w.Close('}')
	return w.Buf
}

// extras gathers the members of an object that have no place in the vocabulary. It is empty until the first is added.
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
