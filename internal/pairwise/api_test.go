package pairwise_test

import (
	"bytes"
	"encoding/json"
	"strings"
)

// obj is a JSON object to be written.
type obj = map[string]any

// A tool is declared by a client. One with a grammar takes free text.
type tool struct {
	name, about string
	schema      string
	grammar     string
	deferred    bool
}

// A call is one that a model makes, or a client gets. Its input is a JSON object, or the text of a custom call.
type call struct {
	id, name, input string
	custom          bool
}

// A result answers a call.
type result struct {
	id, name, text string
	custom         bool
}

// An entry of a conversation is a question of the user, an answer as the client got it, or results.
type entry struct {
	user    string
	said    []json.RawMessage
	results []result
}

// A request is what a client asks.
type request struct {
	model, system string
	stream        bool
	tools         []tool
	talk          []entry
	choice        string // "", required, or the name of a tool
	single        bool   // at most one call
	previous      string // the answer that it goes on from
	store         bool
	form          string // the schema of the answer
}

// An answer is what a client gets. said is what it hands back.
type answer struct {
	id, text, reasoning, finish, fail string
	calls                             []call
	said                              []json.RawMessage
}

// A reply is what a model says to one request.
type reply struct {
	n                      int // which one it is
	text, reasoning, state string
	calls                  []call
}

// shown is a tool as a provider is shown it.
type shown struct {
	name, about string
	schema      json.RawMessage
	custom      bool
}

// A turn of the conversation as a provider is shown it.
type turn struct {
	role, text string
	calls      []call
	results    []result
}

// A seen is a request as a provider reads it.
type seen struct {
	api    *api
	model  string
	stream bool
	tools  []shown
	system string
	turns  []turn
	body   []byte
	fixed  map[string]json.RawMessage // all members but the conversation
	list   []json.RawMessage          // the elements of the conversation
}

// An api is one HTTP API, as its clients and its providers have it.
type api struct {
	name string
	base string // what base addresses end with
	// finish is the finish reason of an answer without and with calls.
	finish [2]string
	// talk is the member of requests that has the conversation.
	talk string
	path func(model string, stream bool) string
	ask  func(r *request) obj
	read func(a *answer, body string)            // a whole answer
	join func(pieces []string) (whole string)    // the whole answer of the data of a stream's events
	see  func(s *seen, path string, m obj2)      // a request
	say  func(r *reply, model string) obj        // a whole answer
	cut  func(r *reply, model string) []obj      // the events of a stream
	sse  func(ev obj) string                     // an event of a stream as text; nil: data alone
	end  string                                  // of a stream
	fail func(status int, message string) string // the body of an error
	can  map[string]bool                         // features of its clients
}

// GoString is the name, for what was drawn.
func (a *api) GoString() string { return a.name }

// obj2 is a JSON object that was read.
type obj2 = map[string]json.RawMessage

// apis are all APIs.
var apis = []*api{&chat, &responses, &anthropic, &gemini, &ollama}

func js(v any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func raw(v any) json.RawMessage { return json.RawMessage(js(v)) }

// text returns a JSON text, "" for anything else.
func text(b json.RawMessage) (s string) {
	_ = json.Unmarshal(b, &s)
	return s
}

func object(b []byte) (m obj2) {
	_ = json.Unmarshal(b, &m)
	return m
}

func elements(b []byte) (l []json.RawMessage) {
	_ = json.Unmarshal(b, &l)
	return l
}

// pieces are a text in pieces of seven bytes, cut between characters.
func pieces(s string) (out []string) {
	piece := ""
	for _, r := range s {
		if piece += string(r); len(piece) >= 7 {
			out, piece = append(out, piece), ""
		}
	}
	if piece != "" || len(out) == 0 {
		out = append(out, piece)
	}
	return out
}

// write returns a reply as the body of an HTTP response.
func (a *api) write(r *reply, s *seen) (contentType, body string) {
	if !s.stream {
		return "application/json", js(a.say(r, s.model))
	}
	var b strings.Builder
	for _, ev := range a.cut(r, s.model) {
		if a.sse != nil {
			b.WriteString(a.sse(ev))
		} else {
			b.WriteString("data: " + js(ev) + "\n\n")
		}
	}
	b.WriteString(a.end)
	if a == &ollama {
		return "application/x-ndjson", b.String()
	}
	return "text/event-stream", b.String()
}

// got reads what a client gets.
func (a *api) got(status int, body string, stream bool) *answer {
	out := &answer{}
	if status != 200 {
		out.fail = body
		return out
	}
	if stream {
		var events []string
		for _, line := range strings.Split(body, "\n") {
			if data, ok := strings.CutPrefix(line, "data: "); ok || a == &ollama && line != "" {
				events = append(events, data)
			}
		}
		for _, ev := range events {
			if m := object([]byte(ev)); m["error"] != nil && string(m["error"]) != "null" || text(m["type"]) == "response.failed" {
				out.fail = ev
				return out
			}
		}
		body = a.join(events)
	}
	a.read(out, body)
	return out
}

// saw reads what a provider is sent.
func (a *api) saw(path string, body []byte) *seen {
	s := &seen{api: a, body: body, fixed: object(body)}
	s.model, s.list = text(s.fixed["model"]), elements(s.fixed[a.talk])
	s.stream = string(s.fixed["stream"]) == "true"
	a.see(s, path, s.fixed)
	for _, key := range []string{a.talk, "stream", "stream_options"} {
		delete(s.fixed, key)
	}
	return s
}
