package gemini

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/wire/internal/kit"
)

// statuses maps this API's names of statuses to HTTP's and to kinds. An error is read by its name, then by its HTTP status; it is
// written with the first name of its kind. https://cloud.google.com/apis/design/errors#handling_errors
var statuses = []struct {
	name   string
	status int
	kind   callwright.Kind
}{
	{"INVALID_ARGUMENT", 400, callwright.KindInvalid},
	{"FAILED_PRECONDITION", 400, callwright.KindInvalid},
	{"OUT_OF_RANGE", 400, callwright.KindInvalid},
	{"UNAUTHENTICATED", 401, callwright.KindAuth},
	{"FAILED_PRECONDITION", 402, callwright.KindBilling},
	{"PERMISSION_DENIED", 403, callwright.KindPermission},
	{"NOT_FOUND", 404, callwright.KindNotFound},
	{"DEADLINE_EXCEEDED", 504, callwright.KindTimeout},
	{"DEADLINE_EXCEEDED", 408, callwright.KindTimeout},
	{"ABORTED", 409, callwright.KindConflict},
	{"ALREADY_EXISTS", 409, callwright.KindConflict},
	{"INVALID_ARGUMENT", 413, callwright.KindTooLarge},
	{"INVALID_ARGUMENT", 415, callwright.KindMediaType},
	{"RESOURCE_EXHAUSTED", 429, callwright.KindRateLimited},
	{"CANCELLED", 499, callwright.KindCanceled},
	{"UNAVAILABLE", 503, callwright.KindOverloaded},
	{"INTERNAL", 500, callwright.KindServer},
	{"UNKNOWN", 500, callwright.KindServer},
	{"DATA_LOSS", 500, callwright.KindServer},
	{"UNIMPLEMENTED", 501, callwright.KindServer},
}

// phrases maps what the API says in a 400 to a kind and a feature. It is the only place where message text decides. A row fits
// when the message, in lower case, has all its words.
var phrases = []struct {
	words   []string
	kind    callwright.Kind
	feature callwright.Feature
}{
	{[]string{"api key not valid"}, callwright.KindAuth, ""},
	{[]string{"api key expired"}, callwright.KindAuth, ""},
	{[]string{"input token count", "exceeds"}, callwright.KindContextLength, ""},
	{[]string{"token count", "exceeds the maximum"}, callwright.KindContextLength, ""},
	{[]string{"function calling with a response mime type"}, callwright.KindUnsupported, callwright.FeatureJSONWithTools},
	{[]string{"tool_choice forces tool use"}, callwright.KindUnsupported, callwright.FeatureForcedChoice},
	{[]string{"function calling config", "not supported"}, callwright.KindUnsupported, callwright.FeatureChoice},
	{[]string{"json mode is not enabled"}, callwright.KindUnsupported, callwright.FeatureResponseFormat},
	{[]string{"response mime type", "not supported"}, callwright.KindUnsupported, callwright.FeatureResponseFormat},
	{[]string{"developer instruction is not enabled"}, callwright.KindUnsupported, callwright.FeatureSystemRole},
	{[]string{"thinking", "not supported"}, callwright.KindUnsupported, "field:generationConfig.thinkingConfig"},
	{[]string{"thinking budget", "invalid"}, callwright.KindUnsupported, "field:generationConfig.thinkingConfig"},
	{[]string{"missing", "thought_signature"}, callwright.KindUnsupported, callwright.FeatureCallSignatures},
	{[]string{"missing", "thought signature"}, callwright.KindUnsupported, callwright.FeatureCallSignatures},
	{[]string{"missing", "thoughtsignature"}, callwright.KindUnsupported, callwright.FeatureCallSignatures},
	{[]string{"number of function declarations", "at most"}, callwright.KindUnsupported, callwright.FeatureMaxTools},
	{[]string{"image input", "not enabled"}, callwright.KindUnsupported, callwright.FeatureImages},
}

// DecodeError reads an answer that is not 2xx: {"error":{...}}, the same alone in a list, or a proxy's page.
func (Codec) DecodeError(status int, header http.Header, body []byte) *callwright.Error {
	e := decodeError(status, body)
	if wait, ok := kit.RetryAfter(header); ok {
		e.RetryAfter = wait
	}
	e.NoRetry = header.Get("x-should-retry") == "false"
	return e
}

// decodeError reads an error's body. The status is 0 where the error came inside a 200.
func decodeError(status int, body []byte) *callwright.Error {
	e := &callwright.Error{Op: opProvider, Status: status, Body: kit.ErrorBody(body)}
	var in []byte
	if jsonx.Valid(body) == nil {
		in = slices.Clone(jsonx.Trim(body))
		for first := range jsonx.Elements(in) {
			in = first
			break
		}
		if inner := plain("error").in(in); inner != nil {
			in = inner
		}
	} else {
		e.Message = kit.PageText(body)
	}
	if jsonx.IsText(in) {
		e.Message = jsonx.TextOf(in)
	} else if in != nil {
		e.Message, e.Code = jsonx.TextOf(plain("message").in(in)), jsonx.TextOf(plain("status").in(in))
	}
	if status == 0 {
		status = kit.CountAt(plain("code").in(in))
	}
	details := plain("details").in(in)
	e.Kind = kindOf(e.Code, status)
	if kind := callwright.Kind(detail(details, "reason")); kind.Status() != 0 {
		e.Kind = kind // of a gateway like this one
	} else if e.Kind == callwright.KindInvalid {
		classify(e)
	}
	if wait, err := time.ParseDuration(detail(details, "retryDelay")); err == nil {
		e.RetryAfter = kit.BoundWait(wait)
	}
	if e.Message == "" {
		e.Message = "the provider answered without a message"
	}
	return e
}

// detail is the first text called key in the details of an error.
func detail(details []byte, key string) string {
	for d := range jsonx.Elements(details) {
		if v, ok := jsonx.Find(d, key); ok {
			return jsonx.TextOf(v)
		}
	}
	return ""
}

// kindOf decides by the name of the status, then by the status.
func kindOf(code string, status int) callwright.Kind {
	named := callwright.Kind("")
	for _, s := range statuses {
		if s.name == code && (s.status == status || named == "") {
			named = s.kind
		}
	}
	if named != "" {
		return named
	}
	for _, s := range statuses {
		if s.status == status {
			return s.kind
		}
	}
	if status >= 400 && status < 500 {
		return callwright.KindInvalid
	}
	return callwright.KindServer
}

// unknownName is how this API names a member it does not know: Unknown name "x" at 'generation_config': Cannot find field.
const unknownName = `Unknown name "`

// classify finds the kind of a refusal by its wording.
func classify(e *callwright.Error) {
	low := strings.ToLower(e.Message)
	if tool := kit.RefusedTool(e.Message); tool != "" && strings.Contains(low, "].parameters") {
		e.Kind, e.Feature = callwright.KindSchema, tool
		return
	}
	for _, p := range phrases {
		if kit.SaysAll(low, p.words) {
			e.Kind, e.Feature = p.kind, p.feature
			if p.feature == callwright.FeatureMaxTools {
				e.Feature += kit.NumberAfter(low, "at most ")
			}
			return
		}
	}
	if kit.LacksTools(low) {
		e.Kind, e.Feature = callwright.KindUnsupported, callwright.FeatureTools
		return
	}
	_, rest, ok := strings.Cut(e.Message, unknownName)
	field, at, closed := strings.Cut(rest, `"`)
	if !ok || !closed {
		return
	}
	if _, place, within := strings.Cut(at, "at '"); within {
		place, _, _ = strings.Cut(place, "'")
		if strings.ContainsAny(place, "[") {
			return // inside a list: not one member to be left out
		}
		field = camelPath(place) + "." + field
	}
	e.Kind, e.Feature = callwright.KindUnsupported, callwright.FeatureField+callwright.Feature(field)
}

// camelPath is a path of names with underscores in camel case.
func camelPath(s string) string {
	words := strings.Split(s, "_")
	for i := range words[1:] {
		if w := words[i+1]; w != "" {
			words[i+1] = strings.ToUpper(w[:1]) + w[1:]
		}
	}
	return strings.Join(words, "")
}

// EncodeError is the error as clients of this API read it, with the kind as the reason in its details.
func (Codec) EncodeError(err *callwright.Error) (status int, header http.Header, body []byte) {
	return kit.StatusOf(err), kit.RetryHeader(err), encodeError(err)
}

// nameOf is the name of the status for a kind, or else for the status.
func nameOf(kind callwright.Kind, status int) string {
	for _, s := range statuses {
		if s.kind == kind {
			return s.name
		}
	}
	for _, s := range statuses {
		if s.status == status {
			return s.name
		}
	}
	if status < 500 {
		return "INVALID_ARGUMENT"
	}
	return "INTERNAL"
}

func encodeError(err *callwright.Error) []byte {
	status := kit.StatusOf(err)
	w := newWriter(nil)
	w.Open("", '{')
	w.Open("error", '{')
	w.Count("code", status)
	w.Text("message", kit.PlacedErrorText(err))
	w.Text("status", nameOf(err.Kind, status))
	w.Open("details", '[')
	w.Open("", '{')
	w.Text("@type", "type.googleapis.com/google.rpc.ErrorInfo")
	w.Text("reason", string(err.Kind))
	w.Text("domain", "callwright")
	w.Close('}')
	if err.RetryAfter > 0 {
		w.Open("", '{')
		w.Text("@type", "type.googleapis.com/google.rpc.RetryInfo")
		w.Text("retryDelay", strconv.Itoa(kit.Seconds(err.RetryAfter))+"s")
		w.Close('}')
	}
	w.Buf = append(w.Buf, "]}}"...)
	return w.Buf
}
