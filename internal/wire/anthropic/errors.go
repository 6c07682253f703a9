package anthropic

import (
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/feature"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/internal/kit"
	"github.com/callwright/callwright/internal/wire/internal/refusal"
)

// errorTypes maps error types and statuses to kinds. For decoding, the type is looked up first, then the status. For
// encoding, the first row with the kind applies, otherwise the first with the status.
var errorTypes = []struct {
	name   string
	status int
	kind   callwright.Kind
}{
	{"invalid_request_error", 400, callwright.KindInvalid},
	{"authentication_error", 401, callwright.KindAuth},
	{"billing_error", 402, callwright.KindBilling},
	{"permission_error", 403, callwright.KindPermission},
	{"not_found_error", 404, callwright.KindNotFound},
	{"conflict_error", 409, callwright.KindConflict},
	{"request_too_large", 413, callwright.KindTooLarge},
	{"rate_limit_error", 429, callwright.KindRateLimited},
	{"timeout_error", 504, callwright.KindTimeout},
	{"overloaded_error", 529, callwright.KindOverloaded},
	{"api_error", 500, callwright.KindServer},
	{"timeout_error", 408, callwright.KindTimeout},
	{"invalid_request_error", 415, callwright.KindMediaType},
	{"invalid_request_error", 422, callwright.KindInvalid},
	{"overloaded_error", 503, callwright.KindOverloaded},
}

// threadFeature is the Feature in the error about a request with the parameter thread. threadCode is the error_code for
// it, on which the SDK sends the whole conversation instead: https://github.com/anthropics/anthropic-sdk-python,
// ThreadUnsupportedRequestError.
const (
	threadFeature = feature.Field + threadKey
	threadCode    = "thread_unsupported_request"
)

// refusals classifies error messages of providers, with the names of this API's parameters.
var refusals = refusal.Wire{
	Own: map[callwright.Feature]callwright.Feature{
		feature.Reasoning:      feature.Field + "thinking",
		feature.Effort:         feature.Field + "output_config.effort",
		feature.Field + "stop": feature.Field + "stop_sequences",
	},
	// This API has a parameter for instructions: the provider rejects only the role in messages.
	Phrases: []refusal.Phrase{{Has: []string{"role 'system' is not supported"}, Kind: callwright.KindUnsupported,
		Feature: feature.SystemMessages}},
}

// DecodeError decodes the body of a response whose status is not 2xx.
func (Codec) DecodeError(status int, header http.Header, body []byte) *callwright.Error {
	return decodeError(status, header, body)
}

// decodeError decodes an error body. status is 0 for an error inside a response with status 200 or a stream.
func decodeError(status int, header http.Header, body []byte) *callwright.Error {
	e := &callwright.Error{Op: "anthropic", Status: status, Body: kit.ErrorBody(body), NoRetry: header.Get("x-should-retry") == "false"}
	var behind string
	e.Code, e.Message, behind = errorOf(body)
	c, text := refusals.Refine(ownKind(body), kindOf(e.Code, status), refusal.JoinMessages(e.Message, behind))
	e.Kind, e.Feature, e.Recovered = c.Kind, c.Feature, text
	if e.Message == "" {
		e.Message = strings.TrimSpace(http.StatusText(status) + " " + callwright.Excerpt(strings.TrimSpace(string(e.Body))))
	}
	e.RetryAfter = retryAfter(header)
	return e
}

// errorOf returns the type and the message of an error body in the format of this API or a similar one. behind is the
// message of an upstream provider that a gateway forwards.
func errorOf(body []byte) (kind, message, behind string) {
	if jsonx.Valid(body) != nil {
		return "", "", ""
	}
	v, ok := jsonx.Find(body, "error")
	if !ok {
		v = body
	}
	if jsonx.KindOf(v) == jsonx.Text {
		return "", jsonx.TextOf(v), ""
	}
	member := func(name string) string {
		m, _ := jsonx.Find(v, name)
		s, _ := jsonx.String(m)
		return s
	}
	if kind = member("type"); kind == "" {
		kind = member("code")
	}
	return kind, member("message"), refusal.Behind(v)
}

// ownKind returns the Kind that EncodeError wrote into the body, or "" if the body does not come from a Callwright
// gateway.
func ownKind(body []byte) callwright.Kind {
	if jsonx.Valid(body) != nil {
		return ""
	}
	code, _ := jsonx.Lookup(body, "error", "details", "error_code")
	if kind := callwright.Kind(jsonx.TextBytes(code)); kind.Status() != 0 {
		return kind
	}
	return ""
}

func kindOf(name string, status int) callwright.Kind {
	for _, row := range errorTypes {
		if row.name == name && name != "invalid_request_error" {
			return row.kind
		}
	}
	for _, row := range errorTypes {
		if row.status == status {
			return row.kind
		}
	}
	switch {
	case name == "invalid_request_error", status >= 400 && status < 500:
		return callwright.KindInvalid
	}
	return callwright.KindServer
}

// retryAfter returns the wait that the provider asks for. Without a retry-after header, it is the time until the
// exhausted limits reset, from the anthropic-ratelimit headers.
func retryAfter(h http.Header) time.Duration {
	if wait, ok := kit.RetryAfter(h); ok {
		return wait
	}
	var wait time.Duration
	for _, of := range []string{"requests", "tokens", "input-tokens", "output-tokens"} {
		if h.Get("anthropic-ratelimit-"+of+"-remaining") != "0" {
			continue
		}
		if t, err := time.Parse(time.RFC3339, h.Get("anthropic-ratelimit-"+of+"-reset")); err == nil {
			wait = max(wait, kit.BoundWait(t.Sub(kit.DateOf(h))))
		}
	}
	return wait
}

// EncodeError encodes an error for clients. error.details.error_code is the Kind. The status of KindOverloaded is 529,
// which clients of this API recognize.
func (Codec) EncodeError(err *callwright.Error) (status int, header http.Header, body []byte) {
	status = err.HTTPStatus()
	if err.Kind == callwright.KindOverloaded {
		status = 529
	}
	header = http.Header{}
	if err.RetryAfter > 0 {
		header.Set("retry-after-ms", strconv.FormatInt(err.RetryAfter.Milliseconds(), 10))
		header.Set("retry-after", strconv.Itoa(kit.Seconds(err.RetryAfter)))
	}
	if err.NoRetry || !err.Kind.Transient() {
		header.Set("x-should-retry", "false")
	}
	return status, header, appendError(nil, err, status)
}

func appendError(dst []byte, err *callwright.Error, status int) []byte {
	o := open(dst)
	o.Text("type", "error")
	o.Open("error", '{')
	o.Text("type", errorType(err.Kind, status))
	o.Text("message", kit.PlacedErrorText(err))
	o.Open("details", '{')
	o.Text("error_code", errorCode(err))
	o.Buf = append(o.Buf, "}}"...)
	if err.Report != nil && err.Report.ID != "" {
		o.Text("request_id", err.Report.ID)
	}
	return o.close()
}

// errorCode returns error.details.error_code for an error: its Kind, except for threadCode.
func errorCode(err *callwright.Error) string {
	if err.Kind == callwright.KindUnsupported && err.Feature == threadFeature {
		return threadCode
	}
	return string(err.Kind)
}

func errorType(kind callwright.Kind, status int) string {
	for _, row := range errorTypes {
		if row.kind == kind {
			return row.name
		}
	}
	for _, row := range errorTypes {
		if row.status == status {
			return row.name
		}
	}
	if status >= 400 && status < 500 {
		return "invalid_request_error"
	}
	return "api_error"
}
