package kit

import (
	"slices"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/internal/jsonx"
)

// DecodedMessages are the decoded messages of a client's request body. An encoder of the same API looks up each message
// of the history here, and sends the client's bytes if the message did not change. A message is identified by the
// address of its Parts, because a stage that changes a message allocates new Parts.
type DecodedMessages struct {
	messages []callwright.Message
	places   map[*callwright.Part]int
	raw      func(i int) []byte
}

// DecodedMessagesOf returns the DecodedMessages for messages, which were decoded from a body; nil if the body was not
// decoded. raw returns the bytes of message i.
func DecodedMessagesOf(messages []callwright.Message, raw func(i int) []byte) DecodedMessages {
	o := DecodedMessages{messages: messages, raw: raw}
	if len(messages) > 0 {
		o.places = make(map[*callwright.Part]int, len(messages))
	}
	for i, m := range messages {
		if cap(m.Parts) > 0 {
			o.places[&m.Parts[:1][0]] = i
		}
	}
	return o
}

// AllocateParts allocates an empty Parts slice for each message without one, because DecodedMessages identifies
// messages by its address. It returns messages.
func AllocateParts(messages []callwright.Message) []callwright.Message {
	for i := range messages {
		if m := &messages[i]; cap(m.Parts) == 0 {
			m.Parts = make([]callwright.Part, 0, 1)
		}
	}
	return messages
}

// Find returns the index of the original message: m itself, or the message that m was copied from. ok is false if there
// is none, or if m has another role, another number of parts or other extra members.
func (o DecodedMessages) Find(m callwright.Message) (i int, ok bool) {
	if cap(m.Parts) == 0 {
		return 0, false
	}
	i, ok = o.places[&m.Parts[:1][0]]
	if !ok {
		return 0, false
	}
	was := &o.messages[i]
	return i, len(was.Parts) == len(m.Parts) && was.Role == m.Role && string(was.Extra.JSON) == string(m.Extra.JSON)
}

// FindUnchanged returns the client's bytes of m. ok is false if Find does not find m, or if fits returns false for the
// index of its original.
func (o DecodedMessages) FindUnchanged(m callwright.Message, fits func(i int) bool) ([]byte, bool) {
	if i, same := o.Find(m); same && fits(i) {
		return o.raw(i), true
	}
	return nil, false
}

// ChangedHistory returns the history that an encoder must write. It returns nil if the encoder can send the history of
// the client's body unchanged. fits reports whether message i of the body can be sent as it is.
func ChangedHistory(req *callwright.Request, fits func(i int) bool) ([]callwright.Message, error) {
	if req.Messages != nil {
		return req.Messages, nil
	}
	body := companion.Of(req).Body
	for i := range body.Summaries() {
		if !fits(i) {
			return body.Messages()
		}
	}
	return nil, nil
}

// EstimateSize returns the approximate size in bytes of the encoded messages, to allocate a buffer that seldom grows.
func EstimateSize(messages []callwright.Message) int {
	n := 1024
	for _, m := range messages {
		n += 64 + roomOf(m.Parts)
	}
	return n + n/16
}

// AnswerRoom returns the approximate size in bytes of the encoded response, to allocate a buffer that seldom grows.
func AnswerRoom(resp *callwright.Response) int {
	n := 512 + roomOf(resp.Parts) + len(resp.Extra.JSON) + len(resp.Usage.Extra.JSON)
	return n + n/8
}

// EnsureCapacity returns an empty slice with a capacity of at least n bytes. It uses the memory of dst if that is
// sufficient.
func EnsureCapacity(dst []byte, n int) []byte {
	if cap(dst) >= n {
		return dst[:0]
	}
	return make([]byte, 0, n)
}

func roomOf(parts []callwright.Part) int {
	n := 0
	for _, p := range parts {
		n += 128
		switch p := p.(type) {
		case callwright.Text:
			n += len(p.Text)
		case Quoted:
			n += len(p.JSON)
		case callwright.Image:
			n += len(p.Data)
		case callwright.File:
			n += len(p.Data) + len(p.Text)
		case callwright.Reasoning:
			n += len(p.Text) + len(p.Signature) + len(p.Redacted)
		case callwright.Call:
			n += len(p.Arguments) + len(p.Input) + len(p.Signature)
		case callwright.Result:
			n += roomOf(p.Parts)
		}
	}
	return n
}

// WithoutResults returns the parts that are not tool results.
func WithoutResults(parts []callwright.Part) []callwright.Part {
	result := func(p callwright.Part) bool {
		_, is := p.(callwright.Result)
		return is
	}
	if !slices.ContainsFunc(parts, result) {
		return slices.Clip(parts)
	}
	var rest []callwright.Part
	for _, p := range parts {
		if !result(p) {
			rest = append(rest, p)
		}
	}
	return rest
}

// CallNames finds the tool name of a tool result by its call id. It reads the history only if a result lacks the name.
type CallNames struct {
	History []callwright.Message // the messages so far; the encoder extends it with each message
	names   map[string]string    // call id -> tool name
	read    int                  // number of messages of History that names covers
}

// Of returns the name of the tool that r is a result of: r.Name, or the name in the call with its id, or "".
func (n *CallNames) Of(r callwright.Result) string {
	if r.Name != "" {
		return r.Name
	}
	if n.names == nil {
		n.names = map[string]string{}
	}
	for ; n.read < len(n.History); n.read++ {
		for _, p := range n.History[n.read].Parts {
			if c, ok := p.(callwright.Call); ok {
				n.names[c.ID] = c.Name
			}
		}
	}
	return n.names[r.CallID]
}

// SaysError reports whether the text of a failed tool result states the failure itself: it starts with "error", in
// upper or lower case, or is a JSON object with a member "error".
func SaysError(parts []callwright.Part) bool {
	const word = "error"
	says := callwright.TextOf(parts)
	if in, ok := jsonx.Find([]byte(says), word); ok && in != nil {
		return true
	}
	return len(says) >= len(word) && strings.EqualFold(says[:len(word)], word)
}
