package gemini

import (
	"strconv"

	callwright "github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/wire"
)

// writer appends JSON of this wire.
type writer struct{ wire.Writer }

func newWriter(dst []byte) writer {
	return writer{wire.Writer{Buf: dst, Own: callwright.WireGemini}}
}

func (w *writer) count(key string, n int) {
	w.Key(key)
	w.Buf = strconv.AppendInt(w.Buf, int64(n), 10)
}

// ownMember is a member of e, nil where e is of another wire or does not have it.
func ownMember(e callwright.Extra, key string) []byte {
	return wire.Member(e, callwright.WireGemini, key)
}

func extraOf(obj []byte, known []string, nested ...wire.Nest) callwright.Extra {
	return wire.ExtraOf(callwright.WireGemini, obj, known, nested...)
}

// keep adds a member to an Extra of this wire.
func keep(e callwright.Extra, key string, v []byte) callwright.Extra {
	w := newWriter(nil)
	w.Open("", '{')
	w.Extra(e)
	w.Comma()
	w.Buf = append(append(jsonx.AppendQuote(w.Buf, key), ':'), v...) // a name may be empty
	w.Close('}')
	return callwright.Extra{Wire: callwright.WireGemini, JSON: w.Buf}
}
