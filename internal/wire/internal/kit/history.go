package kit

import (
	"slices"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/internal/jsonx"
)

// Originals are the messages of a request as they came, among which the messages of a history are looked for that may
// go out as the bytes they came as. Messages are known by their parts: a stage that changes one makes new parts.
type Originals struct {
	messages []callwright.Message
	places   map[*callwright.Part]int
	raw      func(i int) []byte
}

// OriginalsOf are the messages that a body was decoded to, none where it was not. raw gives the bytes of one.
func OriginalsOf(messages []callwright.Message, raw func(i int) []byte) Originals {
	o := Originals{messages: messages, raw: raw}
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

// AllocateParts gives messages without parts a place for one, by which Originals knows them.
func AllocateParts(messages []callwright.Message) []callwright.Message {
	for i := range messages {
		if m := &messages[i]; cap(m.Parts) == 0 {
			m.Parts = make([]callwright.Part, 0, 1)
		}
	}
	return messages
}

// Find returns the index of the original message that m comes from. ok is false if there is none, or if m has another
// role, another number of parts or other extra members.
func (o Originals) Find(m callwright.Message) (i int, ok bool) {
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

// FindUnchanged gives the bytes of the message that m is, as it was, where that fits.
func (o Originals) FindUnchanged(m callwright.Message, fits func(i int) bool) ([]byte, bool) {
	if i, same := o.Find(m); same && fits(i) {
		return o.raw(i), true
	}
	return nil, false
}

// ChangedHistory is the history of a request that has a body where it has to be written anew, nil where the body's own
// bytes serve. fits reports whether message i of the body may be sent as it came.
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

// Room is about how many bytes messages take on a wire, so that a buffer seldom grows.
func Room(messages []callwright.Message) int {
	n := 1024
	for _, m := range messages {
		n += 64 + roomOf(m.Parts)
	}
	return n + n/16
}

// AnswerRoom is about how many bytes an answer takes on a wire, so that a buffer seldom grows.
func AnswerRoom(resp *callwright.Response) int {
	n := 512 + roomOf(resp.Parts) + len(resp.Extra.JSON) + len(resp.Usage.Extra.JSON)
	return n + n/8
}

// EnsureCapacity is memory for n bytes: that of dst where it is enough.
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

// WithoutResults are the parts that are no results.
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

// CallNames are the names of the tools that were called. The history is read for them only when a result names none.
type CallNames struct {
	History []callwright.Message // up to the message at hand: it grows as messages are written
	names   map[string]string    // by the ids of calls
	read    int                  // how many messages of the history were read
}

// Of is the name of the tool that a result is from, "" where no call in the history has its id.
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

// SaysError reports whether the text of a failed call's result says so by itself: it begins with the word, or is an
// object with the member error.
func SaysError(parts []callwright.Part) bool {
	const word = "error"
	says := callwright.TextOf(parts)
	if in, ok := jsonx.Find([]byte(says), word); ok && in != nil {
		return true
	}
	return len(says) >= len(word) && strings.EqualFold(says[:len(word)], word)
}
