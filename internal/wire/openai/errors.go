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

// report holds the members of a provider's error, whatever the shape of its body.
type report struct {
	message, kind, code, param string
	status                     int
	generation                 string // the model's text that was refused
	detail                     string // what stands further in: the words of a provider behind the provider
}

// DecodeError reads an answer that is not 2xx, in any of the shapes that servers of this wire have.
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

// errorWithin is the error in a 2xx answer or in an event of a stream, nil where v holds none.
func errorWithin(v []byte) *callwright.Error {
	in, ok := jsonx.Find(v, "error")
	if !ok || jsonx.IsNull(in) {
		return nil
	}
	var r report
	r.read(v)
	return r.err(v)
}

// err makes the error.
func (r *report) err(body []byte) *callwright.Error {
	if _, failed := strconv.Atoi(r.message); failed == nil { // of SGLang, whose message stands in the member type
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

// read finds the members of an error in the shapes {"error":{...}}, {"error":"..."}, [{"error":{...}}], {"detail":...}
// and {"message":...}.
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
	if meta, ok := jsonx.Find(in, "metadata"); ok { // OpenRouter repeats what the provider behind it said
		kind, _ := jsonx.Find(meta, "error_type")
		r.detail = refusal.Behind(in)
		if r.kind == "" {
			r.kind = jsonx.TextOf(kind)
		}
	}
}

// readDetail reads FastAPI's list of validation errors, or its text.
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

// retryAfter is how long the provider asks to wait. The resets of its limits count only where it said nothing else.
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

// types are the error types that clients know, by kind; others are invalid_request_error below 500 and server_error
// above.
var types = map[callwright.Kind]string{
	callwright.KindAuth: "authentication_error", callwright.KindPermission: "permission_error",
	callwright.KindNotFound: "not_found_error", callwright.KindRateLimited: "rate_limit_error",
	callwright.KindBilling: "insufficient_quota",
}

// EncodeError is the error as clients of this API read it. The code is the kind.
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
