package gemini

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/wire/internal/kit"
)

// writer appends JSON of this wire.
type writer struct{ kit.Writer }

func newWriter(dst []byte) writer {
	return writer{kit.Writer{Buf: dst, Own: callwright.WireGemini}}
}

// ownMember is a member of e, nil where e is of another wire or does not have it.
func ownMember(e callwright.Extra, key string) []byte {
	return kit.Member(e, callwright.WireGemini, key)
}

func extraOf(obj []byte, known []string, nested ...kit.Nest) callwright.Extra {
	return kit.ExtraOf(callwright.WireGemini, obj, known, nested...)
}

// keep adds a member to an Extra of this wire.
func keep(e callwright.Extra, key string, v []byte) callwright.Extra {
	return kit.Keep(e, callwright.WireGemini, key, v)
}
