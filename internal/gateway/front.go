package gateway

import (
	"net/http"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/wire"
)

// A wireHint identifies the API of a request by the prefix of its path, or by the presence of a header or of a query
// parameter. Exactly one of these fields is set.
type wireHint struct {
	wire                callwright.WireName
	path, header, query string
}

// wireHints are tried in order. They determine the API at paths shared by several APIs and at unknown paths.
var wireHints = []wireHint{
	{wire: callwright.WireAnthropic, path: "/v1/messages"},
	{wire: callwright.WireResponses, path: "/v1/responses"},
	{wire: callwright.WireGemini, path: "/v1beta/"},
	{wire: callwright.WireGemini, path: "/upload/"},
	{wire: callwright.WireOllama, path: "/api/"},
	{wire: callwright.WireAnthropic, header: "Anthropic-Version"},
	{wire: callwright.WireGemini, header: "X-Goog-Api-Key"},
	{wire: callwright.WireGemini, header: "X-Goog-Api-Client"},
	{wire: callwright.WireGemini, query: "key"},
}

// in reports whether the request matches the hint.
func (h *wireHint) in(r *http.Request) bool {
	switch {
	case h.path != "":
		return strings.HasPrefix(r.URL.Path, h.path)
	case h.header != "":
		return r.Header.Get(h.header) != ""
	}
	return r.URL.RawQuery != "" && r.URL.Query().Has(h.query)
}

// codecOf returns the codec of the client's API. The query parameter wire names it, or the path ends with the path of a
// route of that API, or a wireHint matches. If none applies, it returns the first configured codec and false.
func (s *Server) codecOf(r *http.Request) (wire.Codec, bool) {
	if r.URL.RawQuery != "" {
		if c, ok := s.codec(callwright.WireName(r.URL.Query().Get("wire"))); ok {
			return c, true
		}
	}
	if meant, ok := s.meantPath(r.URL.Path); ok {
		return s.codec(meant.wire)
	}
	for i := range wireHints {
		if !wireHints[i].in(r) {
			continue
		}
		if c, ok := s.codec(wireHints[i].wire); ok {
			return c, true
		}
	}
	return s.cfg.Codecs[0], false
}

// joinedFor lists clients that need each tool call of a stream in one chunk, as Mistral and xAI send it, by a substring
// of the User-Agent header and a prefix of the Accept header. They are the client of Mistral, the xAI provider of the
// AI SDK, and the Mistral client of LangChain. The last has the User-Agent of a generic library but, unlike clients of
// OpenAI, an Accept header of event streams.
var joinedFor = []struct{ agent, accept string }{
	{agent: "mistral-client-"},
	{agent: "ai-sdk/xai/"},
	{agent: "python-httpx/", accept: "text/event-stream"},
}

// codecForClient returns c, or a variant that writes each tool call in one chunk if the client is listed in joinedFor.
func codecForClient(c wire.Codec, r *http.Request) wire.Codec {
	joiner, ok := c.(wire.CallJoiner)
	if !ok {
		return c
	}
	agent := r.Header.Get("User-Agent")
	for _, row := range joinedFor {
		if strings.Contains(agent, row.agent) && strings.HasPrefix(r.Header.Get("Accept"), row.accept) {
			return joiner.JoinsCalls()
		}
	}
	return c
}

// codec returns the configured codec of the API name. ok is false if there is none.
func (s *Server) codec(name callwright.WireName) (wire.Codec, bool) {
	for _, c := range s.cfg.Codecs {
		if c.Name() == name {
			return c, true
		}
	}
	return nil, false
}
