package ollama

import (
	callwright "github.com/callwright/callwright"
	"github.com/callwright/callwright/wire"
)

// writer appends JSON of this wire.
type writer struct{ wire.Writer }

func newWriter(dst []byte) writer {
	return writer{wire.Writer{Buf: dst, Own: callwright.WireOllama}}
}

// ownMember is a member of e, nil where e is of another wire or does not have it.
func ownMember(e callwright.Extra, key string) []byte {
	return wire.Member(e, callwright.WireOllama, key)
}

func extraOf(obj []byte, known []string, nested ...wire.Nest) callwright.Extra {
	return wire.ExtraOf(callwright.WireOllama, obj, known, nested...)
}
