package ollama

import (
	"net/http"
	"slices"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/feature"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/internal/kit"
	"github.com/callwright/callwright/internal/wire/internal/refusal"
)

// DecodeError decodes the body of a response whose status is not 2xx: {"error":"text"}, or the page of a proxy.
func (Codec) DecodeError(status int, header http.Header, body []byte) *callwright.Error {
	e := decodeError(status, body)
	e.RetryAfter, _ = kit.RetryAfter(header)
	e.NoRetry = header.Get("x-should-retry") == "false"
	return e
}

// decodeError decodes an error body. status is 0 for an error inside a response with status 200.
func decodeError(status int, body []byte) *callwright.Error {
	e := &callwright.Error{Op: opProvider, Status: status, Body: kit.ErrorBody(body)}
	behind := ""
	if jsonx.Valid(body) == nil {
		v := jsonx.Trim(slices.Clone(body))
		in, _ := jsonx.Find(v, "error")
		code, _ := jsonx.Find(v, "code")
		if jsonx.IsObject(in) { // the format of OpenAI-compatible proxies
			code, _ = jsonx.Find(in, "code")
			behind = refusal.Behind(in)
			in, _ = jsonx.Find(in, "message")
		}
		e.Message, e.Code = jsonx.TextOf(in), jsonx.TextOf(code)
	} else {
		e.Message = kit.PageText(body)
	}
	own := callwright.Kind(e.Code) // from a Callwright gateway
	if own.Status() == 0 {
		own = ""
	}
	c, text := refusals.Refine(own, kit.KindOfStatus(status), refusal.JoinMessages(e.Message, behind))
	e.Kind, e.Feature, e.Recovered = c.Kind, c.Feature, text
	if e.Message == "" {
		e.Message = "the server answered without a message"
	}
	return e
}

// refusals classifies error messages of providers. A JSON parse error of Go means that the model's call was invalid,
// because requests are always valid JSON. A parse error about "<" means that an upstream server sent an HTML page.
var refusals = refusal.Wire{Own: ownMembers(), Phrases: []refusal.Phrase{
	{Has: []string{"invalid character '<' looking for beginning of value"}, Kind: callwright.KindServer},
	{Has: []string{"invalid character ", " looking for beginning of value"}, Kind: callwright.KindRefusedCall, Feature: feature.Parser},
	{Has: []string{"unexpected end of json input"}, Kind: callwright.KindRefusedCall, Feature: feature.Parser},
}}

// ownMembers maps the features that package refusal finds in error messages to this API's parameters. Efforts are not
// mapped, because a model without efforts may still support think.
func ownMembers() map[callwright.Feature]callwright.Feature {
	own := refusal.Below("options", func(name string) string { return name })
	own[feature.Reasoning] = feature.Field + "think"
	return own
}

// EncodeError encodes an error for clients. The error code is the Kind.
func (Codec) EncodeError(err *callwright.Error) (status int, header http.Header, body []byte) {
	return kit.StatusOf(err), kit.RetryHeader(err), encodeError(err)
}

func encodeError(err *callwright.Error) []byte {
	w := newWriter(nil)
	w.Open("", '{')
	w.Text("error", kit.PlacedErrorText(err))
	w.Text("code", string(err.Kind))
	w.Close('}')
	return w.Buf
}
