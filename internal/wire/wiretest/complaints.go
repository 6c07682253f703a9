package wiretest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/sse"
)

// StreamComplaints lists, in words, the faults of a streamed answer that clients of an API cannot read: its SDKs, the
// frameworks on top of them, and the agents that read it themselves. It is empty where all of them can read it.
// contentType is the answer's header; usage reports whether the client asked for usage where the API lets it.
func StreamComplaints(w callwright.WireName, contentType string, stream []byte, usage bool) []string {
	c := &complainer{usage: usage}
	frames := c.frames(w, contentType, stream)
	if len(frames) == 0 {
		c.say("an empty stream")
		return c.found
	}
	insistences[w].stream(c, frames)
	return c.found
}

// WholeComplaints lists the faults of a whole answer that clients of an API cannot read.
func WholeComplaints(w callwright.WireName, body []byte) []string {
	c := &complainer{}
	insistences[w].whole(c, c.parse("answer", body))
	return c.found
}

// ErrorComplaints lists the members that clients of an API miss in an error answer: a message, in the vendor's place,
// and the words beside it.
func ErrorComplaints(w callwright.WireName, status int, header http.Header, body []byte) []string {
	c := &complainer{}
	c.want(status >= 400 && status < 600, "status %d", status)
	c.want(strings.HasPrefix(header.Get("Content-Type"), "application/json"), "content type %q", header.Get("Content-Type"))
	insistences[w].failed(c, c.parse("error", body), status)
	return c.found
}

// HasTerminator reports whether a stream has the mark that its clients read as the end of a whole answer, which a
// broken stream must not have.
func HasTerminator(w callwright.WireName, stream []byte) bool {
	for _, end := range insistences[w].ends {
		if bytes.Contains(stream, []byte(end)) {
			return true
		}
	}
	return false
}

// An insistence is a requirement of an API's clients.
type insistence struct {
	stream func(c *complainer, frames []frame)
	whole  func(c *complainer, answer node)
	failed func(c *complainer, answer node, status int)
	ends   []string // what ends a whole stream, as our encoders write it
}

var insistences = map[callwright.WireName]insistence{
	callwright.WireOpenAI:    {chatStream, chatWhole, openAIFailed, []string{"[DONE]", `"finish_reason":"`}},
	callwright.WireResponses: {responsesStream, responsesWhole, openAIFailed, []string{`"response.completed"`, `"response.incomplete"`}},
	callwright.WireAnthropic: {messagesStream, messagesWhole, messagesFailed, []string{`"message_stop"`, `"message_delta"`}},
	callwright.WireGemini:    {geminiStream, geminiWhole, geminiFailed, []string{`"finishReason"`}},
	callwright.WireOllama:    {ollamaStream, ollamaWhole, ollamaFailed, []string{`"done":true`}},
}

// A frame is one event of a stream.
type frame struct {
	name string // of the event, where it has one
	done bool   // the mark at the end of chat streams, which is no JSON
	node
}

// frames takes a stream apart: server-sent events, lines or one array, as the wire and the content type say.
func (c *complainer) frames(w callwright.WireName, contentType string, stream []byte) []frame {
	kind, _, _ := strings.Cut(contentType, ";")
	from := bytes.NewReader(stream)
	switch {
	case w == callwright.WireGemini && kind == "application/json":
		return c.array(stream)
	case w == callwright.WireOllama:
		c.want(kind == "application/x-ndjson", "content type %q", contentType)
		return c.events(sse.NewLineReader(from))
	}
	c.want(kind == "text/event-stream", "content type %q", contentType)
	return c.events(sse.NewReader(from))
}

func (c *complainer) array(stream []byte) []frame {
	var out []frame
	for i, n := range c.parse("stream", stream).list() {
		n.path = fmt.Sprintf("chunk %d", i)
		out = append(out, frame{node: n})
	}
	return out
}

func (c *complainer) events(r *sse.Reader) []frame {
	var out []frame
	for {
		ev, err := r.Next()
		if errors.Is(err, io.EOF) {
			return out
		}
		if err != nil {
			c.say("a stream that cannot be read: %v", err)
			return out
		}
		if len(ev.Data) == 0 {
			continue // a comment
		}
		f := frame{name: ev.Name, done: string(ev.Data) == "[DONE]"}
		if !f.done {
			f.node = c.parse(fmt.Sprintf("event %d", len(out)), ev.Data)
		}
		out = append(out, f)
	}
}

// A complainer collects complaints.
type complainer struct {
	usage bool
	found []string
}

func (c *complainer) say(format string, args ...any) {
	c.found = append(c.found, fmt.Sprintf(format, args...))
}

// want complains unless it is so.
func (c *complainer) want(ok bool, format string, args ...any) {
	if !ok {
		c.say(format, args...)
	}
}

func (c *complainer) parse(path string, text []byte) node {
	n := node{c: c, path: path}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&n.v); err != nil {
		c.say("%s is no JSON: %v", path, err)
	}
	return n
}

// arguments complains about the arguments of a call that are no JSON object.
func (c *complainer) arguments(path, text string) {
	var object map[string]json.RawMessage
	if err := json.Unmarshal([]byte(text), &object); err != nil || object == nil {
		c.say("%s: arguments that are no object: %q", path, text)
	}
}

// A node is a JSON value and its place. Its methods complain about unexpected values.
type node struct {
	c    *complainer
	path string
	v    any // nil where there is nothing
}

// at returns a member; the zero node where the value is no object.
func (n node) at(key string) node {
	m, _ := n.v.(map[string]any)
	return node{n.c, n.path + "." + key, m[key]}
}

// has reports whether there is such a member, null or not.
func (n node) has(key string) bool {
	m, _ := n.v.(map[string]any)
	_, ok := m[key]
	return ok
}

// object is a member that has to be an object.
func (n node) object(key string) node {
	out := n.at(key)
	if _, ok := out.v.(map[string]any); !ok {
		n.c.say("%s: expected an object, got %v", out.path, out.v)
	}
	return out
}

// list is the elements of a node that has to be a list.
func (n node) list() []node {
	l, ok := n.v.([]any)
	if !ok {
		n.c.say("%s: expected a list, got %v", n.path, n.v)
	}
	out := make([]node, len(l))
	for i, v := range l {
		out[i] = node{n.c, fmt.Sprintf("%s[%d]", n.path, i), v}
	}
	return out
}

// text is a member that has to be a string.
func (n node) text(key string) string {
	m := n.at(key)
	s, ok := m.v.(string)
	if !ok {
		n.c.say("%s: expected a string, got %v", m.path, m.v)
	}
	return s
}

// word is a member that has to be a string, and not an empty one.
func (n node) word(key string) string {
	s := n.text(key)
	n.c.want(s != "", "%s.%s is empty", n.path, key)
	return s
}

// is complains unless a member is that string.
func (n node) is(key, want string) {
	if got := n.text(key); got != want {
		n.c.say("%s.%s: expected %q, got %q", n.path, key, want, got)
	}
}

// number is a member that has to be a number.
func (n node) number(key string) int {
	m := n.at(key)
	number, ok := m.v.(json.Number)
	if !ok {
		n.c.say("%s: expected a number, got %v", m.path, m.v)
	}
	i, _ := number.Int64()
	return int(i)
}

// counts complains unless a member is that number.
func (n node) counts(key string, want int) {
	if got := n.number(key); got != want {
		n.c.say("%s.%s: expected %d, got %d", n.path, key, want, got)
	}
}

// oneOf complains unless a member is one of the words, and gives it.
func (n node) oneOf(key string, words ...string) string {
	got := n.text(key)
	for _, w := range words {
		if w == got {
			return got
		}
	}
	n.c.say("%s.%s: expected one of %q, got %q", n.path, key, words, got)
	return got
}
