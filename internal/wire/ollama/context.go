package ollama

import (
	"strconv"

	"github.com/callwright/callwright/internal/jsonx"
)

// The context of a completion is a list of numbers that a client sends back to continue after the completion. For the
// client they have no meaning. This codec encodes the conversation in them, so that any gateway and any model can
// continue it: contextMark, which is not a token of any model, the length in bytes, and three bytes in each further
// number.
const (
	contextMark   = 0x63777231
	contextUnit   = 3        // bytes per number
	contextMost   = 64 << 10 // maximum number of bytes of the conversation
	contextHeader = 2        // numbers before the bytes
)

// writeContext encodes a conversation as a JSON list of numbers.
func writeContext(conversation []byte) []byte {
	out := append([]byte{'['}, strconv.Itoa(contextMark)...)
	out = strconv.AppendInt(append(out, ','), int64(len(conversation)), 10)
	for i := 0; i < len(conversation); i += contextUnit {
		n := int64(0)
		for k := range contextUnit {
			n <<= 8
			if i+k < len(conversation) {
				n |= int64(conversation[i+k])
			}
		}
		out = strconv.AppendInt(append(out, ','), n, 10)
	}
	return append(out, ']')
}

// ownContext reports whether a JSON list begins with contextMark.
func ownContext(list []byte) bool {
	for first := range jsonx.Elements(list) {
		return string(first) == strconv.Itoa(contextMark)
	}
	return false
}

// readContext decodes a list from writeContext to JSON messages, separated by commas. ok is false for any other list.
func readContext(list []byte) (conversation []byte, ok bool) {
	length, i := -1, 0
	for e := range jsonx.Elements(list) {
		n, err := strconv.ParseUint(string(e), 10, 32)
		switch {
		case err != nil, i == 0 && n != contextMark, i == 1 && n > contextMost, i >= contextHeader && n >= 1<<(8*contextUnit):
			return nil, false
		case i == 1:
			length = int(n)
		case i >= contextHeader:
			conversation = append(conversation, byte(n>>16), byte(n>>8), byte(n))
		}
		if i++; i > contextHeader+contextMost/contextUnit+1 {
			return nil, false
		}
	}
	if length < 0 || len(conversation) < length || len(conversation)-length >= contextUnit {
		return nil, false
	}
	conversation = conversation[:length]
	if jsonx.Valid(asList(conversation)) != nil {
		return nil, false
	}
	return conversation, true
}

func asList(elements []byte) []byte {
	return append(append(append(make([]byte, 0, len(elements)+2), '['), elements...), ']')
}

// trimConversation removes the earliest turns from a conversation that is longer than contextMost bytes. A turn is a
// user message and the response. cut reports whether it removed any.
func trimConversation(conversation []byte) (kept []byte, cut bool) {
	over := len(conversation) - contextMost
	if over <= 0 {
		return conversation, false
	}
	list := asList(conversation)
	i := 0
	for e := range jsonx.Elements(list) {
		start, _ := jsonx.Span(list, e)
		if start-1 >= over && i%2 == 0 {
			return conversation[start-1:], true
		}
		i++
	}
	return nil, true
}
