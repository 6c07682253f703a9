package gateway

import (
	"net/http"
	"strings"

	"github.com/callwright/callwright/internal/provider"
	"github.com/callwright/callwright/internal/wire"
)

// A verb is the part of a Gemini path after the model name and a colon, such as generateContent.
type verb struct {
	name   string
	stream bool // the answer is streamed
	count  bool // the request counts tokens
}

var verbs = []verb{
	{name: "generateContent"},
	{name: "streamGenerateContent", stream: true},
	{name: "countTokens", count: true},
}

// pathParams holds the request parameters that a URL path contains in place of the body.
type pathParams struct {
	model  string
	stream bool
}

// answerVerb answers requests whose path contains the model and the verb, such as gemini-2.0-flash:generateContent. A
// stream is a JSON array unless the query has alt=sse.
func (s *Server) answerVerb(client wire.Codec, x *exchange, r *http.Request) error {
	rest := x.id
	at := strings.LastIndexByte(rest, ':')
	if at < 1 {
		return s.refuseUnknown(client, x, r)
	}
	for _, v := range verbs {
		switch {
		case v.name != rest[at+1:]:
			continue
		case v.count:
			return s.countTokensFor(client, x, r, &pathParams{model: rest[:at]})
		}
		if arrays, ok := client.(wire.Arrayer); ok && v.stream && r.URL.Query().Get("alt") != "sse" {
			client = arrays.Arrays()
		}
		return s.readAndAnswer(client, x, r, &pathParams{model: rest[:at], stream: v.stream})
	}
	if a := absentVerbs[rest[at+1:]]; a != nil {
		return a.error()
	}
	for _, p := range provider.Passages() {
		switch {
		case p.Wire != client.Name() || p.Verb == "" || p.Verb != rest[at+1:]:
		case !x.settings.canForward(&p):
			return notOpen(&p)
		default:
			return s.readAndPass(x, r, &p, rest[:at])
		}
	}
	return s.refuseUnknown(client, x, r)
}
