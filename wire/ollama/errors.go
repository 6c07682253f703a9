package ollama

import (
	"net/http"
	"slices"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/wire/internal/kit"
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
	if jsonx.Valid(body) == nil {
		v := jsonx.Trim(slices.Clone(body))
		in, _ := jsonx.Find(v, "error")
		code, _ := jsonx.Find(v, "code")
		if jsonx.IsObject(in) { // as a proxy for the other surface writes it
			code, _ = jsonx.Find(in, "code")
			in, _ = jsonx.Find(in, "message")
		}
		e.Message, e.Code = jsonx.TextOf(in), jsonx.TextOf(code)
	} else {
		e.Message = kit.PageText(body)
	}
	e.Kind, e.Feature = judge(status, e.Code, e.Message)
	if text := recovered(e.Message); text != "" {
		e.Kind, e.Feature, e.Recovered = callwright.KindRefusedCall, "", text
	}
	if e.Message == "" {
		e.Message = "the server answered without a message"
	}
	return e
}

// phrase is wording by which the server says what is wrong. All of has must occur in the message, in lower case.
type phrase struct {
	has     []string
	kind    callwright.Kind
	feature callwright.Feature
}

// phrases is the one place that knows the server's wording, more special ones first.
var phrases = []phrase{
	{[]string{"does not support thinking"}, callwright.KindUnsupported, callwright.FeatureField + "think"},
	{[]string{"think value", "not supported"}, callwright.KindUnsupported, callwright.FeatureEffort},
	{[]string{"does not support", "image"}, callwright.KindUnsupported, callwright.FeatureImages},
	{[]string{"does not support vision"}, callwright.KindUnsupported, callwright.FeatureImages},
	{[]string{"missing data required for image input"}, callwright.KindUnsupported, callwright.FeatureImages},
	{[]string{"failed to load model vocabulary required for format"}, callwright.KindUnsupported, callwright.FeatureResponseFormat},
	{[]string{"invalid json schema in format"}, callwright.KindSchema, ""},
	{[]string{"context length", "exceed"}, callwright.KindContextLength, ""},
	{[]string{"exceeds the available context size"}, callwright.KindContextLength, ""},
	{[]string{"server busy"}, callwright.KindOverloaded, ""},
}

// judge decides what an error comes to: the code of a gateway like this one, then its wording, then its status.
func judge(status int, code, message string) (callwright.Kind, callwright.Feature) {
	low := strings.ToLower(message)
	own := callwright.Kind(code)
	for _, p := range phrases {
		if !kit.SaysAll(low, p.has) {
			continue
		}
		if own.Status() == 0 || own == p.kind {
			return p.kind, p.feature
		}
	}
	switch {
	case own.Status() != 0:
		return own, ""
	case kit.LacksTools(low):
		return callwright.KindUnsupported, callwright.FeatureTools
	}
	return kit.KindOfStatus(status), ""
}

// recovered is the model's text inside the message of the server's own parser, "" without any.
func recovered(message string) string {
	_, rest, ok := strings.Cut(message, "error parsing tool call: raw='")
	if !ok {
		return ""
	}
	if i := strings.LastIndex(rest, "', err="); i >= 0 {
		rest = rest[:i]
	}
	return rest
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
