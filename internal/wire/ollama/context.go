package ollama

import (
	"strconv"

	"github.com/callwright/callwright/internal/jsonx"
)

// A context is sent by a client to continue after a completion: numbers with a meaning for the server alone. Here they
// encode the conversation itself, so that any gateway, and any model, can continue it: a mark that is no token of any
// model, the length in bytes, and three bytes in each further number, which every client keeps exactly.
const (
	contextMark   = 0x63777231
	contextUnit   = 3
	contextMost   = 64 << 10 // bytes of the conversation that a context has at most
	contextHeader = 2
)

// writeContext writes a conversation as a list of numbers.
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

// ownContext reports whether a list of numbers begins as writeContext writes it.
func ownContext(list []byte) bool {
	for first := range jsonx.Elements(list) {
		return string(first) == strconv.Itoa(contextMark)
	}
	return false
}

// readContext reads a context that writeContext wrote: messages without the brackets of their list. ok is false for
// anything else.
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

// trimConversation is a conversation without the earliest turns where it is too long, a turn being a message of the
// user and the answer.
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
