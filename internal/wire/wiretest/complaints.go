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

// StreamComplaints returns descriptions of the faults of a streamed response that some client of the API w cannot
// handle: the vendor's SDKs, frameworks on top of them, or agents with a parser of their own. It is empty if all can
// read the stream. contentType is the header of the response. usage states whether the client requested usage, in an
// API with that option.
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

// WholeComplaints returns descriptions of the faults of a whole response that some client of the API w cannot handle.
func WholeComplaints(w callwright.WireName, body []byte) []string {
	c := &complainer{}
	insistences[w].whole(c, c.parse("answer", body))
	return c.found
}

// ErrorComplaints returns descriptions of the members that clients of the API w miss in an error response, such as the
// message.
func ErrorComplaints(w callwright.WireName, status int, header http.Header, body []byte) []string {
	c := &complainer{}
	c.want(status >= 400 && status < 600, "status %d", status)
	c.want(strings.HasPrefix(header.Get("Content-Type"), "application/json"), "content type %q", header.Get("Content-Type"))
	insistences[w].failed(c, c.parse("error", body), status)
	return c.found
}

// HasTerminator reports whether a stream contains the marker by which clients of the API w recognize the end of a
// complete response. An interrupted stream must not contain it.
func HasTerminator(w callwright.WireName, stream []byte) bool {
	for _, end := range insistences[w].ends {
		if bytes.Contains(stream, []byte(end)) {
			return true
		}
	}
	return false
}

// clientChecks are the checks that the clients of one API require.
type clientChecks struct {
	stream func(c *complainer, frames []frame)          // checks a streamed response
	whole  func(c *complainer, answer node)             // checks a whole response
	failed func(c *complainer, answer node, status int) // checks an error response
	ends   []string                                     // end markers of a stream, as our encoders write them
}

var insistences = map[callwright.WireName]clientChecks{
	callwright.WireOpenAI:    {chatStream, chatWhole, openAIFailed, []string{"[DONE]", `"finish_reason":"`}},
	callwright.WireResponses: {responsesStream, responsesWhole, openAIFailed, []string{`"response.completed"`, `"response.incomplete"`}},
	callwright.WireAnthropic: {messagesStream, messagesWhole, messagesFailed, []string{`"message_stop"`, `"message_delta"`}},
	callwright.WireGemini:    {geminiStream, geminiWhole, geminiFailed, []string{`"finishReason"`}},
	callwright.WireOllama:    {ollamaStream, ollamaWhole, ollamaFailed, []string{`"done":true`}},
}

// A frame is one event of a stream.
type frame struct {
	name string // SSE event name, "" for none
	done bool   // the frame is [DONE], the end marker of chat streams, which is not JSON
	node
}

// frames splits a stream into its events: server-sent events, JSON lines or the elements of one JSON array, depending
// on the API and the content type.
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

// A complainer collects complaints: descriptions of faults that clients of an API cannot handle.
type complainer struct {
	usage bool
	found []string
}

func (c *complainer) say(format string, args ...any) {
	c.found = append(c.found, fmt.Sprintf(format, args...))
}

// want adds a complaint, in the format of fmt.Sprintf, unless ok is set.
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

// arguments adds a complaint if text, the arguments of a tool call, is not a JSON object.
func (c *complainer) arguments(path, text string) {
	var object map[string]json.RawMessage
	if err := json.Unmarshal([]byte(text), &object); err != nil || object == nil {
		c.say("%s: arguments that are no object: %q", path, text)
	}
}

// A node is a JSON value and its path. Its methods check the value, and add a complaint for an unexpected one.
type node struct {
	c    *complainer
	path string
	v    any // nil for null or an absent value
}

// at returns the member called key. Its v is nil if it is absent or n is not an object.
func (n node) at(key string) node {
	m, _ := n.v.(map[string]any)
	return node{n.c, n.path + "." + key, m[key]}
}

// has reports whether n is an object with the member key, which may be null.
func (n node) has(key string) bool {
	m, _ := n.v.(map[string]any)
	_, ok := m[key]
	return ok
}

// object returns the member called key. It adds a complaint unless the member is an object.
func (n node) object(key string) node {
	out := n.at(key)
	if _, ok := out.v.(map[string]any); !ok {
		n.c.say("%s: expected an object, got %v", out.path, out.v)
	}
	return out
}

// list returns the elements of n. It adds a complaint unless n is a list.
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

// text returns the member called key. It adds a complaint unless the member is a string.
func (n node) text(key string) string {
	m := n.at(key)
	s, ok := m.v.(string)
	if !ok {
		n.c.say("%s: expected a string, got %v", m.path, m.v)
	}
	return s
}

// word returns the member called key. It adds a complaint unless the member is a string that is not empty.
func (n node) word(key string) string {
	s := n.text(key)
	n.c.want(s != "", "%s.%s is empty", n.path, key)
	return s
}

// is adds a complaint unless the member called key is the string want.
func (n node) is(key, want string) {
	if got := n.text(key); got != want {
		n.c.say("%s.%s: expected %q, got %q", n.path, key, want, got)
	}
}

// number returns the member called key. It adds a complaint unless the member is a number.
func (n node) number(key string) int {
	m := n.at(key)
	number, ok := m.v.(json.Number)
	if !ok {
		n.c.say("%s: expected a number, got %v", m.path, m.v)
	}
	i, _ := number.Int64()
	return int(i)
}

// counts adds a complaint unless the member called key is the number want.
func (n node) counts(key string, want int) {
	if got := n.number(key); got != want {
		n.c.say("%s.%s: expected %d, got %d", n.path, key, want, got)
	}
}

// oneOf returns the member called key. It adds a complaint unless the member is one of words.
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
