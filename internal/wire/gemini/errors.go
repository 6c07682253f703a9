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

// statuses maps this API's names of statuses to HTTP's and to kinds. An error is read by its name, then by its HTTP
// status; it is written with the first name of its kind. https://cloud.google.com/apis/design/errors#handling_errors
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

// refusals reads the wording of refusals.
var refusals = refusal.Wire{Own: ownMembers(), Grouped: true}

// ownMembers are this API's names of the members that the words of a refusal name.
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
	own := callwright.Kind(detail(details, "reason")) // of a gateway like this one
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
