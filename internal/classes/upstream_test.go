package classes_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
)

// An upstream is a provider that plays a scene.
type upstream struct {
	*httptest.Server
	scene *scene
	alive chan struct{} // closed once the client has seen a sign of life
	mu    sync.Mutex
	all   []*received
}

func newUpstream(s *scene) *upstream {
	u := &upstream{scene: s, alive: make(chan struct{})}
	u.Server = httptest.NewServer(u)
	return u
}

func (u *upstream) received() []*received {
	u.mu.Lock()
	defer u.mu.Unlock()
	return append([]*received(nil), u.all...)
}

func (u *upstream) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	raw, _ := io.ReadAll(r.Body)
	r.Body = io.NopCloser(bytes.NewReader(raw))
	got := &received{api: apiOf(r.URL.Path), path: r.URL.Path, raw: raw, body: object(string(raw))}
	got.stream = got.body["stream"] == true || strings.Contains(r.URL.Path, ":stream") || got.api == ollama && got.body["stream"] == nil
	u.mu.Lock()
	n := len(u.all)
	u.all = append(u.all, got)
	u.mu.Unlock()
	s := u.scene
	if s.refuse != nil {
		if no := s.refuse(got); no != nil {
			send(w, no.status, no.body)
			return
		}
	}
	if s.better != nil && (got.body["model"] == "better" || strings.Contains(got.path, "/better:")) {
		u.write(w, r, got, reply{answer: *s.better})
		return
	}
	if s.untooled != nil && got.body["tools"] == nil {
		u.write(w, r, got, reply{answer: *s.untooled})
		return
	}
	u.write(w, r, got, s.replies[min(n, len(s.replies)-1)])
}

// apiOf tells an API by its path.
func apiOf(path string) api {
	switch {
	case strings.HasSuffix(path, "/chat/completions"):
		return chat
	case strings.HasSuffix(path, "/responses"):
		return responses
	case strings.HasSuffix(path, "/messages"):
		return anthropic
	case strings.HasSuffix(path, "/api/chat"):
		return ollama
	}
	return gemini
}

func send(w http.ResponseWriter, status int, body string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	io.WriteString(w, body)
}

func (u *upstream) write(w http.ResponseWriter, r *http.Request, got *received, p reply) {
	if tools := declaredTools(got); p.byName != "" && len(tools) > 0 {
		p.answer = native(tools[0].name, p.byName)
	}
	switch {
	case p.handle != nil:
		p.handle(w, r)
	case p.status != 0:
		send(w, p.status, p.body)
	case got.stream:
		u.stream(w, r, got, p)
	case p.body != "":
		send(w, 200, p.body)
	default:
		send(w, 200, p.whole(got.api))
	}
}

// stream sends the reply's events. A cut one ends with the connection.
func (u *upstream) stream(w http.ResponseWriter, r *http.Request, got *received, p reply) {
	frames := p.frames
	if frames == nil {
		frames = p.events(got.api)
	}
	w.Header().Set("Content-Type", "text/event-stream")
	if got.api == ollama {
		w.Header().Set("Content-Type", "application/x-ndjson")
	}
	for i, frame := range frames {
		if p.late && i == 1 {
			select {
			case <-u.alive:
			case <-r.Context().Done():
			}
		}
		io.WriteString(w, framed(got.api, frame))
		http.NewResponseController(w).Flush()
	}
	if p.cut {
		panic(http.ErrAbortHandler)
	}
}

// framed is an event's data in the API's framing. One that begins with a colon or a field's name stands as it is.
func framed(a api, data string) string {
	if a == ollama {
		return data + "\n"
	}
	if strings.HasPrefix(data, ":") || strings.HasPrefix(data, "event:") || strings.HasPrefix(data, "data:") {
		return data + "\n\n"
	}
	if a == responses || a == anthropic {
		if name, _ := object(data)["type"].(string); name != "" {
			return "event: " + name + "\ndata: " + data + "\n\n"
		}
	}
	return "data: " + data + "\n\n"
}

// text is v as JSON.
func text(v any) string {
	out, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(out)
}

// m is an object of JSON.
type m = map[string]any

// id is the call's id, or one made of its place.
func (c call) withID(i int) string {
	if c.id != "" {
		return c.id
	}
	return fmt.Sprintf("call_up%dAbCdEf", i)
}

// finishOf is the finish reason of an answer in the API's words.
func (a answer) finishOf(with api) string {
	if a.finish != "" {
		return a.finish
	}
	if a.cutShort {
		return map[api]string{chat: "length", responses: "incomplete", anthropic: "max_tokens", gemini: "MAX_TOKENS", ollama: "length"}[with]
	}
	words := map[api][2]string{chat: {"stop", "tool_calls"}, responses: {"completed", "completed"}, anthropic: {"end_turn", "tool_use"},
		gemini: {"STOP", "STOP"}, ollama: {"stop", "stop"}}[with]
	if len(a.calls) > 0 {
		return words[1]
	}
	return words[0]
}

func (a answer) output() int {
	if a.tokens > 0 {
		return a.tokens
	}
	return 20
}

// whole is the answer as one document.
func (a answer) whole(with api) string {
	switch with {
	case chat:
		return text(a.chatWhole())
	case responses:
		return text(a.responsesWhole())
	case anthropic:
		return text(a.anthropicWhole())
	case gemini:
		return text(a.geminiChunk(a.text, a.thought, a.calls, a.finishOf(gemini)))
	}
	return text(a.ollamaChunk(a.text, a.thought, a.calls, true))
}

// events are the answer as a stream's data.
func (a answer) events(with api) []string {
	switch with {
	case chat:
		return a.chatEvents()
	case responses:
		return a.responsesEvents()
	case anthropic:
		return a.anthropicEvents()
	}
	var out []string
	for _, piece := range pieces(a.thought) {
		out = append(out, a.chunk(with, "", piece, nil, false))
	}
	for _, piece := range pieces(a.text) {
		out = append(out, a.chunk(with, piece, "", nil, false))
	}
	for i := range a.calls {
		out = append(out, a.chunk(with, "", "", a.calls[i:i+1], false))
	}
	return append(out, a.chunk(with, "", "", nil, true))
}

func (a answer) chunk(with api, said, thought string, calls []call, last bool) string {
	if with == ollama {
		return text(a.ollamaChunk(said, thought, calls, last))
	}
	finish := ""
	if last {
		finish = a.finishOf(gemini)
	}
	return text(a.geminiChunk(said, thought, calls, finish))
}

// pieces cuts a text as a stream does: of one to seven characters each.
func pieces(s string) (out []string) {
	runes := []rune(s)
	for n := 3; len(runes) > 0; n = n*5%7 + 1 {
		n = min(n, len(runes))
		out = append(out, string(runes[:n]))
		runes = runes[n:]
	}
	return out
}
