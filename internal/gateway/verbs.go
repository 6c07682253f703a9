package gateway

import (
	"net/http"
	"strings"

	"github.com/callwright/callwright/internal/provider"
	"github.com/callwright/callwright/internal/wire"
)

// A verb is the end of Gemini's paths, after the model's name and a colon.
type verb struct {
	name   string
	stream bool
	count  bool
}

var verbs = []verb{
	{name: "generateContent"},
	{name: "streamGenerateContent", stream: true},
	{name: "countTokens", count: true},
}

// inPath holds the parts of a request that its path states and its body does not.
type inPath struct {
	model  string
	stream bool
}

// answerVerb answers a request of an API whose path names the model and the verb. A stream is one JSON array unless the
// client asks for events.
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
			return s.countTokensFor(client, x, r, &inPath{model: rest[:at]})
		}
		if arrays, ok := client.(wire.Arrayer); ok && v.stream && r.URL.Query().Get("alt") != "sse" {
			client = arrays.Arrays()
		}
		return s.readAndAnswer(client, x, r, &inPath{model: rest[:at], stream: v.stream})
	}
	if a := absentVerbs[rest[at+1:]]; a != nil {
		return a.error()
	}
	for _, p := range provider.Passages() {
		switch {
		case p.Wire != client.Name() || p.Verb == "" || p.Verb != rest[at+1:]:
		case !x.settings.opens(&p):
			return notOpen(&p)
		default:
			return s.readAndPass(x, r, &p, rest[:at])
		}
	}
	return s.refuseUnknown(client, x, r)
}
