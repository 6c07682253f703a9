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

// DecodeError reads an answer that is not 2xx: {"error":"text"}, or a proxy's page.
func (Codec) DecodeError(status int, header http.Header, body []byte) *callwright.Error {
	e := decodeError(status, body)
	e.RetryAfter, _ = kit.RetryAfter(header)
	e.NoRetry = header.Get("x-should-retry") == "false"
	return e
}

// decodeError reads an error's body. The status is 0 where the error came inside a 200.
func decodeError(status int, body []byte) *callwright.Error {
	e := &callwright.Error{Op: opProvider, Status: status, Body: kit.ErrorBody(body)}
	behind := ""
	if jsonx.Valid(body) == nil {
		v := jsonx.Trim(slices.Clone(body))
		in, _ := jsonx.Find(v, "error")
		code, _ := jsonx.Find(v, "code")
		if jsonx.IsObject(in) { // as a proxy for the other surface writes it
			code, _ = jsonx.Find(in, "code")
			behind = refusal.Behind(in)
			in, _ = jsonx.Find(in, "message")
		}
		e.Message, e.Code = jsonx.TextOf(in), jsonx.TextOf(code)
	} else {
		e.Message = kit.PageText(body)
	}
	own := callwright.Kind(e.Code) // of a gateway like this one
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

// refusals reads the wording of refusals. Go's errors about JSON concern calls of the model here, as requests are valid
// JSON. Elsewhere, and where a page came in place of JSON, they may concern a server behind this one.
var refusals = refusal.Wire{Own: ownMembers(), Phrases: []refusal.Phrase{
	{Has: []string{"invalid character '<' looking for beginning of value"}, Kind: callwright.KindServer},
	{Has: []string{"invalid character ", " looking for beginning of value"}, Kind: callwright.KindRefusedCall, Feature: feature.Parser},
	{Has: []string{"unexpected end of json input"}, Kind: callwright.KindRefusedCall, Feature: feature.Parser},
}}

// ownMembers are this API's names of the members that the words of a refusal name. Its levels of thinking stay: a model
// without levels may still think.
func ownMembers() map[callwright.Feature]callwright.Feature {
	own := refusal.Below("options", func(name string) string { return name })
	own[feature.Reasoning] = feature.Field + "think"
	return own
}

// EncodeError is the error as clients of this API read it, with the kind as its code.
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
