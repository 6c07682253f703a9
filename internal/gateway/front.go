package gateway

import (
	"net/http"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/wire"
)

// A wireHint is a mark of requests that only clients of one API send: the beginning of the path, a header, or a
// parameter of the query.
type wireHint struct {
	wire                callwright.WireName
	path, header, query string
}

// wireHints are looked for in this order. They decide at paths that clients of several wires use, and where nothing is
// served.
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

// in reports whether the request has a mark that only clients of the API send.
func (h *wireHint) in(r *http.Request) bool {
	switch {
	case h.path != "":
		return strings.HasPrefix(r.URL.Path, h.path)
	case h.header != "":
		return r.Header.Get(h.header) != ""
	}
	return r.URL.RawQuery != "" && r.URL.Query().Has(h.query)
}

// codecOf returns the codec of a client's wire, which the query's parameter wire names, whose path ends that of the
// request, or which only its clients send hints of. It is not ok where there is none of them: the codec is then the
// first.
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

// joinedFor are parts of the User-Agent of clients that read each call of a stream in one piece, as the APIs of Mistral
// and xAI send it: Mistral's own, the AI SDK's for xAI, and that of LangChain's client for Mistral, which names no
// client and asks for events, as OpenAI's own do not.
var joinedFor = []struct{ agent, accept string }{
	{agent: "mistral-client-"},
	{agent: "ai-sdk/xai/"},
	{agent: "python-httpx/", accept: "text/event-stream"},
}

// wishes returns the codec for the client, by the marks of its request.
func wishes(c wire.Codec, r *http.Request) wire.Codec {
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

// codec returns the codec of that wire, if the gateway speaks it.
func (s *Server) codec(name callwright.WireName) (wire.Codec, bool) {
	for _, c := range s.cfg.Codecs {
		if c.Name() == name {
			return c, true
		}
	}
	return nil, false
}
