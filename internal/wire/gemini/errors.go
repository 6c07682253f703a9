package gemini

import (
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/feature"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/internal/kit"
	"github.com/callwright/callwright/internal/wire/internal/refusal"
)

// statuses maps status names of Google APIs to HTTP statuses and kinds. For decoding, the name is looked up first, then
// the HTTP status. For encoding, the first name of the kind applies.
// https://cloud.google.com/apis/design/errors#handling_errors
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

// refusals classifies error messages of providers, with the names of this API's parameters.
var refusals = refusal.Wire{Own: ownMembers(), Grouped: true}

// ownMembers maps the features that package refusal finds in error messages to this API's parameters, such as
// generationConfig.topP.
func ownMembers() map[callwright.Feature]callwright.Feature {
	own := refusal.Below("generationConfig", func(name string) string {
		if name == "stop" {
			return "stopSequences"
		}
		return refusal.CamelPath(name)
	})
	own[feature.Reasoning] = feature.Field + "generationConfig.thinkingConfig"
	own[feature.Effort] = own[feature.Reasoning]
	return own
}

// DecodeError decodes the body of a response whose status is not 2xx: {"error":{...}}, [{"error":{...}}], or the page
// of a proxy.
func (Codec) DecodeError(status int, header http.Header, body []byte) *callwright.Error {
	e := decodeError(status, body)
	if wait, ok := kit.RetryAfter(header); ok {
		e.RetryAfter = wait
	}
	e.NoRetry = header.Get("x-should-retry") == "false"
	return e
}

// decodeError decodes an error body. status is 0 for an error inside a response with status 200.
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
	own := callwright.Kind(detail(details, "reason")) // from a Callwright gateway
	if own.Status() == 0 {
		own = ""
	}
	c, text := refusals.Refine(own, kindOf(e.Code, status), refusal.JoinMessages(e.Message, refusal.Behind(in)))
	e.Kind, e.Feature, e.Recovered = c.Kind, c.Feature, text
	if wait, err := time.ParseDuration(detail(details, "retryDelay")); err == nil {
		e.RetryAfter = kit.BoundWait(wait)
	}
	if e.Message == "" {
		e.Message = "the provider answered without a message"
	}
	return e
}

// detail returns the first string in the member key of the elements of details, "" if there is none.
func detail(details []byte, key string) string {
	for d := range jsonx.Elements(details) {
		if v, ok := jsonx.Find(d, key); ok {
			return jsonx.TextOf(v)
		}
	}
	return ""
}

// kindOf returns the Kind for a status name and an HTTP status. The name takes precedence.
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

// EncodeError encodes an error for clients. The reason in its details is the Kind.
func (Codec) EncodeError(err *callwright.Error) (status int, header http.Header, body []byte) {
	return kit.StatusOf(err), kit.RetryHeader(err), encodeError(err)
}

// nameOf returns the status name for a Kind, or for the HTTP status if the Kind has none.
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
