package simulate

import (
	"net/http"
	"strings"
)

// A route maps the end of a URL path to a wire, such as "/chat/completions" to OpenAI.
type route struct {
	end     string
	wire    string
	prepare func(*Seen, *http.Request) // reads request data from the path; may be nil
}

var routes = []route{
	{end: "/chat/completions", wire: OpenAI},
	{end: "/responses", wire: Responses},
	{end: "/messages", wire: Anthropic},
	{end: ":generateContent", wire: Gemini, prepare: geminiPath},
	{end: ":streamGenerateContent", wire: Gemini, prepare: geminiPath},
	{end: "/api/chat", wire: Ollama},
}

// wireOf returns the wire for the path of a request, nil if the path is unknown.
func wireOf(s *Seen, r *http.Request) *wireFormat {
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

// geminiPath reads the model's name and the method from the path. If the name contains a slash, some clients omit
// "models/" in front of it; it then follows the API version.
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
