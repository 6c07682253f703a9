package conformance_test

import (
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/callwright/callwright/internal/conformance"
	"github.com/callwright/callwright/simulate"
)

type object = map[string]any

// A breakage is one thing that a server does wrong. Of a stream for Gemini the request has a member stream too, which the model does not see.
type breakage struct {
	names   bool                                               // the server takes any names of tools
	list    string                                             // the list of models
	request func(api string, asked object)                     // changes what the model is asked
	refuse  func(api string, asked object) bool                // refuses the request, in the form of the API
	accept  func(asked object) bool                            // answers the request as if it were a greeting; asked is nil for a body that is no JSON
	doc     func(api string, doc object)                       // changes a whole answer, and the data of each event
	whole   func(api string, doc object)                       // changes a whole answer
	events  func(api string, asked object, in []event) []event // changes a stream
	text    func(body string) string                           // changes the bytes of an answer
	reply   func(w *reply, asked object)                       // changes everything about an answer, refusals too
}

// An event is one of a stream. Data that is no JSON has no doc.
type event struct {
	name string
	doc  object
	raw  string
}

// A reply is an answer before it is sent.
type reply struct {
	status int
	kind   string // the Content-Type
	body   string
}

// A server plays a model that does as it is told, with one breakage.
type server struct {
	api  string
	llm  http.Handler
	bent *breakage
}

func newServer(api string, b *breakage) *server {
	options := []simulate.Option{simulate.OnlyKnown(), simulate.Key("k"), simulate.Piece(1 << 20)}
	if b.names {
		options = append(options, simulate.AnyNames())
	}
	return &server{api: api, llm: simulate.New(simulate.AnyTools(), options...), bent: b}
}

// RoundTrip answers without a connection.
func (s *server) RoundTrip(r *http.Request) (*http.Response, error) {
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w.Result(), nil
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	out := s.answer(r)
	w.Header().Set("Content-Type", out.kind)
	w.WriteHeader(out.status)
	_, _ = io.WriteString(w, out.body)
}

func (s *server) answer(r *http.Request) *reply {
	b := s.bent
	if r.Method == http.MethodGet && b.list != "" {
		return &reply{status: http.StatusOK, kind: "application/json", body: b.list}
	}
	var raw []byte
	if r.Body != nil {
		raw, _ = io.ReadAll(r.Body)
	}
	asked, isJSON := decode(string(raw))
	if isJSON && strings.Contains(r.URL.Path, ":stream") {
		asked["stream"] = true
	}
	if isJSON && b.refuse != nil && b.refuse(s.api, asked) {
		status, body := refusal(s.api)
		return &reply{status: status, kind: "application/json", body: body}
	}
	if b.accept != nil && r.Method == http.MethodPost && b.accept(asked) {
		asked, isJSON = greeting(s.api, asked["stream"]), true
	}
	if isJSON && b.request != nil {
		b.request(s.api, asked)
	}
	if isJSON {
		sent := maps.Clone(asked)
		if s.api == conformance.Gemini {
			delete(sent, "stream")
		}
		raw = []byte(encode(sent))
	}
	r = r.Clone(r.Context())
	r.Body = io.NopCloser(bytes.NewReader(raw))
	rec := httptest.NewRecorder()
	s.llm.ServeHTTP(rec, r)
	out := &reply{status: rec.Code, kind: rec.Header().Get("Content-Type"), body: rec.Body.String()}
	if out.status == http.StatusOK && r.Method == http.MethodPost {
		s.bend(out, asked)
	}
	if b.reply != nil && r.Method == http.MethodPost {
		b.reply(out, asked)
	}
	return out
}

// greeting is a request that every server answers.
func greeting(api string, stream any) object {
	messages := []any{object{"role": "user", "content": "Hello"}}
	out := object{"model": "native"}
	switch api {
	case conformance.Gemini:
		out = object{"contents": []any{object{"role": "user", "parts": []any{object{"text": "Hello"}}}}}
	case conformance.Responses:
		out["input"] = messages
	case conformance.Anthropic:
		out["messages"], out["max_tokens"] = messages, 100
	case conformance.Ollama:
		out["messages"], out["stream"] = messages, false
	default:
		out["messages"] = messages
	}
	if stream == true {
		out["stream"] = true
	}
	return out
}

// bend changes a good answer.
func (s *server) bend(out *reply, asked object) {
	b := s.bent
	if strings.HasPrefix(out.kind, "application/json") {
		if doc, ok := decode(out.body); ok && (b.doc != nil || b.whole != nil) {
			for _, do := range []func(string, object){b.doc, b.whole} {
				if do != nil {
					do(s.api, doc)
				}
			}
			out.body = encode(doc)
		}
	} else if b.doc != nil || b.events != nil {
		events := readEvents(out)
		for _, e := range events {
			if e.doc != nil && b.doc != nil {
				b.doc(s.api, e.doc)
			}
		}
		if b.events != nil {
			events = b.events(s.api, asked, events)
		}
		out.body = writeEvents(out, events)
	}
	if b.text != nil {
		out.body = b.text(out.body)
	}
}

func readEvents(r *reply) []event {
	var out []event
	name := ""
	for line := range strings.Lines(r.body) {
		line = strings.TrimSpace(line)
		data, isData := strings.CutPrefix(line, "data: ")
		if value, ok := strings.CutPrefix(line, "event: "); ok {
			name = value
		}
		if strings.Contains(r.kind, "ndjson") && line != "" {
			data, isData = line, true
		}
		if isData {
			doc, _ := decode(data)
			out = append(out, event{name: name, doc: doc, raw: data})
			name = ""
		}
	}
	return out
}

func writeEvents(r *reply, events []event) string {
	var b strings.Builder
	for _, e := range events {
		data := e.raw
		if e.doc != nil {
			data = encode(e.doc)
		}
		switch {
		case strings.Contains(r.kind, "ndjson"):
			b.WriteString(data + "\n")
			continue
		case e.name != "":
			b.WriteString("event: " + e.name + "\n")
		}
		b.WriteString("data: " + data + "\n\n")
	}
	return b.String()
}

func decode(text string) (object, bool) {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var doc object
	err := d.Decode(&doc)
	return doc, err == nil && doc != nil
}

func encode(v any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err)
	}
	return strings.TrimSpace(b.String())
}

// refusal is an error in the form of an API.
func refusal(api string) (status int, body string) {
	switch api {
	case conformance.Anthropic:
		return 400, `{"type":"error","error":{"type":"invalid_request_error","message":"refused"}}`
	case conformance.Gemini:
		return 400, `{"error":{"code":400,"message":"refused","status":"INVALID_ARGUMENT"}}`
	case conformance.Ollama:
		return 400, `{"error":"refused"}`
	}
	return 400, `{"error":{"message":"refused","type":"invalid_request_error","param":null,"code":null}}`
}

// at follows names of objects and places of lists, nil where there is none.
func at(v any, path ...any) any {
	for _, step := range path {
		switch step := step.(type) {
		case string:
			o, _ := v.(object)
			v = o[step]
		case int:
			list, _ := v.([]any)
			if step >= len(list) {
				return nil
			}
			v = list[step]
		}
	}
	return v
}

func items(v any) []any { list, _ := v.([]any); return list }

// calls runs do on the objects of calls in a whole answer or an event.
func calls(api string, doc object, do func(call object)) {
	each := func(list any, kind string) {
		for _, v := range items(list) {
			if one, ok := v.(object); ok && (kind == "" || one["type"] == kind) {
				do(one)
			}
		}
	}
	switch api {
	case conformance.Chat:
		each(at(doc, "choices", 0, "message", "tool_calls"), "")
		each(at(doc, "choices", 0, "delta", "tool_calls"), "")
	case conformance.Responses:
		each(doc["output"], "function_call")
		each(at(doc, "response", "output"), "function_call")
		each([]any{doc["item"]}, "function_call")
	case conformance.Anthropic:
		each(doc["content"], "tool_use")
		each([]any{doc["content_block"]}, "tool_use")
	case conformance.Gemini:
		for _, part := range items(at(doc, "candidates", 0, "content", "parts")) {
			each([]any{at(part, "functionCall")}, "")
		}
	case conformance.Ollama:
		each(at(doc, "message", "tool_calls"), "")
	}
}

// function is the object that has the name and the arguments of a call.
func function(call object) object {
	if inner, ok := call["function"].(object); ok {
		return inner
	}
	return call
}
