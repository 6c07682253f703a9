package gemini

import (
	callwright "github.com/callwright/callwright"
	"github.com/callwright/callwright/wire"
)

// writer appends JSON of this wire.
type writer struct{ wire.Writer }

func newWriter(dst []byte) writer {
	return writer{wire.Writer{Buf: dst, Own: callwright.WireGemini}}
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
	return wire.Keep(e, callwright.WireGemini, key, v)
}
