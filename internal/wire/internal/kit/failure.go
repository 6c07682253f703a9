package kit

import (
	"bytes"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/callwright/callwright"
)

// maxErrorBody is the greatest number of bytes of a provider's response that an Error keeps.
const maxErrorBody = 64 << 10

// ErrorBody returns a copy of body, the provider's response, for callwright.Error.Body. It is limited to 64 KiB.
func ErrorBody(body []byte) []byte { return bytes.Clone(body[:min(len(body), maxErrorBody)]) }

// ErrorText returns the text of err for people: its message and its cause, or its kind if it has neither.
func ErrorText(err *callwright.Error) string {
	switch {
	case err.Message == "" && err.Err == nil:
		return string(err.Kind)
	case err.Message == "":
		return err.Err.Error()
	case err.Err == nil:
		return err.Message
	}
	return err.Message + ": " + err.Err.Error()
}

// PlacedErrorText is ErrorText with the JSON pointer err.Path in front, for APIs whose error objects have no member for
// the path.
func PlacedErrorText(err *callwright.Error) string {
	if err.Path == "" {
		return ErrorText(err)
	}
	return err.Path + ": " + ErrorText(err)
}

// maxRetryAfter is the greatest delay that a response header can request.
const maxRetryAfter = 24 * time.Hour

// RetryAfter returns the delay before a retry that a response header requests: retry-after-ms, or retry-after in
// seconds or as an HTTP date. A date is relative to the header date. The result is between 0 and 24 hours. ok is false
// if neither header can be read. The caller may then use rate limit headers of the provider.
func RetryAfter(h http.Header) (wait time.Duration, ok bool) {
	if ms, err := strconv.ParseFloat(h.Get("retry-after-ms"), 64); err == nil && ms > 0 {
		return durationOf(ms, time.Millisecond), true
	}
	v := h.Get("retry-after")
	if s, err := strconv.ParseFloat(v, 64); err == nil && !math.IsNaN(s) {
		return durationOf(s, time.Second), true
	}
	at, err := http.ParseTime(v)
	if err != nil {
		return 0, false
	}
	return BoundWait(at.Sub(DateOf(h))), true
}

// DateOf returns the provider's time from the header date, or the local time if the header is absent or invalid.
func DateOf(h http.Header) time.Time {
	if date, err := http.ParseTime(h.Get("date")); err == nil {
		return date
	}
	return time.Now()
}

// BoundWait limits d to the range from 0 to 24 hours.
func BoundWait(d time.Duration) time.Duration { return min(max(d, 0), maxRetryAfter) }

// durationOf returns n units, between 0 and 24 hours. It limits n before the conversion to an integer, because a header
// may have any number.
func durationOf(n float64, unit time.Duration) time.Duration {
	return time.Duration(min(max(n, 0), float64(maxRetryAfter/unit)) * float64(unit))
}

// kinds maps HTTP statuses to kinds of errors. KindOfStatus handles the other statuses.
var kinds = map[int]callwright.Kind{
	401: callwright.KindAuth, 402: callwright.KindBilling, 403: callwright.KindPermission, 404: callwright.KindNotFound,
	408: callwright.KindTimeout, 409: callwright.KindConflict, 413: callwright.KindTooLarge, 415: callwright.KindMediaType,
	429: callwright.KindRateLimited, 499: callwright.KindCanceled, 503: callwright.KindOverloaded, 504: callwright.KindTimeout,
	529: callwright.KindOverloaded,
}

// KindOfStatus returns the kind of error for an HTTP status, if the body does not determine it. A status from 400 to
// 499 that is not in kinds is KindInvalid, any other status is KindServer.
func KindOfStatus(status int) callwright.Kind {
	if k, ok := kinds[status]; ok {
		return k
	}
	if status >= 400 && status < 500 {
		return callwright.KindInvalid
	}
	return callwright.KindServer
}

// maxPage is the greatest number of bytes of an error message that is taken from a body that is not JSON.
const maxPage = 500

// PageText returns the error message for a body that is not JSON, such as a proxy's HTML page: the first 500 bytes.
func PageText(body []byte) string {
	return strings.TrimSpace(strings.ToValidUTF8(string(body[:min(len(body), maxPage)]), "\uFFFD"))
}

// StatusOf returns the HTTP status of err for clients. It returns 503 for status 529, which only clients of Anthropic's
// API handle.
func StatusOf(err *callwright.Error) int {
	if status := err.HTTPStatus(); status != 529 {
		return status
	}
	return http.StatusServiceUnavailable
}

// RetryHeader returns headers that tell clients whether to retry (x-should-retry), and after how many seconds
// (retry-after).
func RetryHeader(err *callwright.Error) http.Header {
	h := http.Header{}
	h.Set("x-should-retry", strconv.FormatBool(err.Kind.Transient() && !err.NoRetry))
	if err.RetryAfter > 0 {
		h.Set("retry-after", strconv.Itoa(Seconds(err.RetryAfter)))
	}
	return h
}

// Seconds returns d in seconds, rounded up.
func Seconds(d time.Duration) int { return int((d + time.Second - 1) / time.Second) }

// Invalid returns the error for a client's request that is invalid. op is the operation that failed, path the JSON
// pointer to the fault.
func Invalid(op, path, message string) *callwright.Error {
	return &callwright.Error{Op: op, Kind: callwright.KindInvalid, Path: path, Message: message}
}

// BadAnswer returns the error for a provider's response that cannot be decoded.
func BadAnswer(op, message string, body []byte, cause error) *callwright.Error {
	return &callwright.Error{Op: op, Kind: callwright.KindBadAnswer, Message: message, Body: ErrorBody(body), Err: cause}
}

// CutCall returns the error for a stream that ended after the name of a tool call, without its arguments and without a
// finish reason.
func CutCall(op string) *callwright.Error {
	return &callwright.Error{Op: op, Kind: callwright.KindTruncated,
		Message: "expected the arguments of a call or a finish reason, got the end of the stream"}
}
