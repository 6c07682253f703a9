package openai

import (
	"cmp"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/internal/kit"
	"github.com/callwright/callwright/internal/wire/internal/refusal"
)

// report holds the members of a provider's error, whatever the JSON form of its body.
type report struct {
	message, kind, code, param string
	status                     int    // HTTP status, 0 if unknown
	generation                 string // failed_generation: the model's text that the provider rejected
	detail                     string // message of the upstream provider, from a nested error
}

// DecodeError decodes the body of a response whose status is not 2xx. It reads the error formats of all known servers
// of this API. Text that is not JSON becomes the message.
func (Codec) DecodeError(status int, header http.Header, body []byte) *callwright.Error {
	r := report{status: status}
	if jsonx.Valid(body) == nil {
		r.read(slices.Clone(jsonx.Trim(body)))
	} else {
		r.message = kit.PageText(body)
	}
	if status >= 400 {
		r.status = status
	}
	e := r.err(body)
	e.RetryAfter = retryAfter(header, e.Kind)
	e.NoRetry = header.Get("x-should-retry") == "false"
	return e
}

// errorWithin returns the error in a 2xx response, or nil if v has no member error or it is null.
func errorWithin(v []byte) *callwright.Error {
	in, ok := jsonx.Find(v, "error")
	if !ok || jsonx.IsNull(in) {
		return nil
	}
	var r report
	r.read(v)
	return r.err(v)
}

// err returns the error as a *callwright.Error. body is the provider's response.
func (r *report) err(body []byte) *callwright.Error {
	if _, failed := strconv.Atoi(r.message); failed == nil { // SGLang has the message in "type"
		r.message, r.kind = cmp.Or(r.kind, r.message), ""
	}
	words := refusal.JoinMessages(r.message, r.detail)
	v := classify(r.status, r.code, r.kind, r.param, words)
	e := &callwright.Error{Op: "openai.provider", Kind: v.Kind, Message: r.message, Code: r.code, Feature: v.Feature,
		Status: r.status, Recovered: r.generation, Body: kit.ErrorBody(body)}
	if e.Message == "" {
		e.Message = "the provider answered without a message"
	}
	if text := refusal.Echo(words); text != "" {
		e.Kind, e.Recovered, e.Feature = callwright.KindRefusedCall, text, ""
	}
	return e
}

// read reads an error in one of the forms {"error":{...}}, {"error":"..."}, [{"error":{...}}], {"detail":...} and
// {"message":...}.
func (r *report) read(v []byte) {
	if jsonx.IsArray(v) {
		for e := range jsonx.Elements(v) {
			v = e
			break
		}
	}
	if detail, ok := jsonx.Find(v, "detail"); ok {
		r.readDetail(detail)
	}
	in, ok := jsonx.Find(v, "error")
	if ok && jsonx.IsText(in) {
		r.members(v)
		r.message = jsonx.TextOf(in)
		return
	}
	if !ok || !jsonx.IsObject(in) {
		in = v
	}
	r.members(in)
	if inner, ok := jsonx.Find(in, "innererror"); ok && r.code == "" {
		code, _ := jsonx.Find(inner, "code")
		r.code = jsonx.TextOf(code)
	}
	if meta, ok := jsonx.Find(in, "metadata"); ok { // OpenRouter adds the upstream provider's error
		kind, _ := jsonx.Find(meta, "error_type")
		r.detail = refusal.Behind(in)
		if r.kind == "" {
			r.kind = jsonx.TextOf(kind)
		}
	}
}

// readDetail reads the member detail of FastAPI servers: a list of validation errors, or a string.
func (r *report) readDetail(v []byte) {
	if words := refusal.Detail(v); words != "" {
		r.message = words
	}
}

func (r *report) members(v []byte) {
	for k, m := range jsonx.Members(v) {
		switch {
		case k.Is("message") && jsonx.IsText(m):
			r.message = jsonx.TextOf(m)
		case k.Is("message") && jsonx.IsObject(m): // Mistral's validator
			if detail, ok := jsonx.Find(m, "detail"); ok {
				r.readDetail(detail)
			}
		case k.Is("type") && jsonx.IsText(m) && r.kind == "":
			r.kind = jsonx.TextOf(m)
		case k.Is("param") && jsonx.IsText(m) && r.param == "":
			r.param = jsonx.TextOf(m)
		case k.Is("failed_generation") && jsonx.IsText(m) && !saysItself(jsonx.TextOf(m)):
			r.generation = jsonx.TextOf(m)
		case k.Is("code") && jsonx.IsText(m):
			r.code = jsonx.TextOf(m)
		case k.Is("code") && jsonx.KindOf(m) == jsonx.Number, k.Is("status_code"), k.Is("status") && jsonx.KindOf(m) == jsonx.Number:
			if n := kit.CountAt(m); n >= 400 && n < 600 {
				r.status = n
			}
		}
	}
	if n, err := strconv.Atoi(r.code); err == nil && n >= 400 && n < 600 && r.status == 0 {
		r.status = n
	}
}

// retryAfter returns the wait that the provider asks for. If a rate-limit error has no retry-after header, the wait is
// the time until the exhausted limits reset, from the x-ratelimit headers.
func retryAfter(h http.Header, kind callwright.Kind) time.Duration {
	if wait, ok := kit.RetryAfter(h); ok || kind != callwright.KindRateLimited {
		return wait
	}
	var wait time.Duration
	for _, what := range []string{"requests", "tokens"} {
		if remaining := h.Get("x-ratelimit-remaining-" + what); remaining != "" && remaining != "0" {
			continue
		}
		if d, err := time.ParseDuration(h.Get("x-ratelimit-reset-" + what)); err == nil {
			wait = max(wait, d)
		}
	}
	return kit.BoundWait(wait)
}

// types maps kinds to error types that clients know. The type of other errors is server_error from status 500 on,
// otherwise invalid_request_error.
var types = map[callwright.Kind]string{
	callwright.KindAuth: "authentication_error", callwright.KindPermission: "permission_error",
	callwright.KindNotFound: "not_found_error", callwright.KindRateLimited: "rate_limit_error",
	callwright.KindBilling: "insufficient_quota",
}

// EncodeError encodes an error for clients. The error code is the Kind.
func (Codec) EncodeError(err *callwright.Error) (status int, header http.Header, body []byte) {
	status, header = kit.StatusOf(err), kit.RetryHeader(err)
	if err.RetryAfter > 0 {
		header.Set("retry-after-ms", strconv.FormatInt(err.RetryAfter.Milliseconds(), 10))
	}
	return status, header, encodeError(err, status)
}

func encodeError(err *callwright.Error, status int) []byte {
	kind, ok := types[err.Kind]
	switch {
	case ok:
	case status >= 500:
		kind = "server_error"
	default:
		kind = "invalid_request_error"
	}
	w := newWriter(nil)
	w.Open("", '{')
	w.Open("error", '{')
	w.Text("message", kit.ErrorText(err))
	w.Text("type", kind)
	w.Key("param")
	if err.Path == "" {
		w.Buf = append(w.Buf, "null"...)
	} else {
		w.Buf = jsonx.AppendQuote(w.Buf, err.Path)
	}
	w.Text("code", string(err.Kind))
	w.Buf = append(w.Buf, "}}"...)
	return w.Buf
}
