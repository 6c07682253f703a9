package simulate

import (
	"net/http"
	"strings"
)

// A route leads requests to a wire by the end of their path.
type route struct {
	end     string
	wire    string
	prepare func(*Seen, *http.Request) // reads what stands in the path and not in the body
}

var routes = []route{
	{end: "/chat/completions", wire: OpenAI},
	{end: "/responses", wire: Responses},
	{end: "/messages", wire: Anthropic},
	{end: ":generateContent", wire: Gemini, prepare: geminiPath},
	{end: ":streamGenerateContent", wire: Gemini, prepare: geminiPath},
	{end: "/api/chat", wire: Ollama},
}

// wireOf returns the wire that a request is on, nil for none.
func wireOf(s *Seen, r *http.Request) *wireForm {
	path := strings.TrimSuffix(r.URL.Path, "/")
	for _, to := range routes {
		if !strings.HasSuffix(path, to.end) {
			continue
		}
		if to.prepare != nil {
			to.prepare(s, r)
		}
		return wires[to.wire]
	}
	return nil
}

// geminiPath reads the model's name and the form of the answer. Some clients leave out "models/" before a name that
// holds a slash; then the name follows the version.
func geminiPath(s *Seen, r *http.Request) {
	end := strings.LastIndexByte(r.URL.Path, ':')
	name, verb := r.URL.Path[:end], r.URL.Path[end+1:]
	for _, before := range []string{"/models/", "/v1beta/", "/v1/", "/"} {
		if _, rest, ok := strings.Cut(name, before); ok {
			name = rest
			break
		}
	}
	s.Model = name
	s.Stream = strings.TrimSuffix(verb, "/") == "streamGenerateContent"
	s.array = s.Stream && r.URL.Query().Get("alt") != "sse"
}
