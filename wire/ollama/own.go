package ollama

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/wire/internal/kit"
)

// writer appends JSON of this wire.
type writer struct{ kit.Writer }

func newWriter(dst []byte) writer {
	return writer{kit.Writer{Buf: dst, Own: callwright.WireOllama}}
}

// ownMember is a member of e, nil where e is of another wire or does not have it.
func ownMember(e callwright.Extra, key string) []byte {
	return kit.Member(e, callwright.WireOllama, key)
}

func extraOf(obj []byte, known []string, nested ...kit.Nest) callwright.Extra {
	return kit.ExtraOf(callwright.WireOllama, obj, known, nested...)
}
