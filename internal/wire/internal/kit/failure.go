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

// maxErrorBody bounds the copy of a provider's answer in an Error.
const maxErrorBody = 64 << 10

// ErrorBody returns the copy of a provider's answer for an Error: at most 64 KiB of it.
func ErrorBody(body []byte) []byte { return bytes.Clone(body[:min(len(body), maxErrorBody)]) }

// ErrorText returns the text of an error for people: its message and its cause, or its kind where it has neither.
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

// PlacedErrorText is ErrorText after the error's place, for APIs whose errors have no member for it.
func PlacedErrorText(err *callwright.Error) string {
	if err.Path == "" {
		return ErrorText(err)
	}
	return err.Path + ": " + ErrorText(err)
}

// maxRetryAfter bounds a wait, against headers that say nonsense.
const maxRetryAfter = 24 * time.Hour

// RetryAfter is how long an answer's header asks to wait before another try: retry-after-ms, or retry-after in seconds
// or as a moment, which is counted from the provider's own date. It is from nothing to a day. ok is false where neither
// header says anything that can be read: then the limits of the provider's own headers may be looked at.
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

// DateOf is the provider's own date, from which moments in the other headers are counted; the time here where it says
// none.
func DateOf(h http.Header) time.Time {
	if date, err := http.ParseTime(h.Get("date")); err == nil {
		return date
	}
	return time.Now()
}

// BoundWait is d from nothing to a day.
func BoundWait(d time.Duration) time.Duration { return min(max(d, 0), maxRetryAfter) }

// durationOf returns n units. It bounds n before the conversion to an integer: a header may hold any number.
func durationOf(n float64, unit time.Duration) time.Duration {
	return time.Duration(min(max(n, 0), float64(maxRetryAfter/unit)) * float64(unit))
}

// kinds are those of plain statuses; others below 500 are invalid requests, the rest the provider's.
var kinds = map[int]callwright.Kind{
	401: callwright.KindAuth, 402: callwright.KindBilling, 403: callwright.KindPermission, 404: callwright.KindNotFound,
	408: callwright.KindTimeout, 409: callwright.KindConflict, 413: callwright.KindTooLarge, 415: callwright.KindMediaType,
	429: callwright.KindRateLimited, 499: callwright.KindCanceled, 503: callwright.KindOverloaded, 504: callwright.KindTimeout,
	529: callwright.KindOverloaded,
}

// KindOfStatus returns the kind of error for an HTTP status, where nothing else decides.
func KindOfStatus(status int) callwright.Kind {
	if k, ok := kinds[status]; ok {
		return k
	}
	if status >= 400 && status < 500 {
		return callwright.KindInvalid
	}
	return callwright.KindServer
}

// maxPage bounds the message taken from a body that is not JSON.
const maxPage = 500

// PageText is the message of an error whose body is not JSON: the beginning of a proxy's page.
func PageText(body []byte) string {
	return strings.TrimSpace(strings.ToValidUTF8(string(body[:min(len(body), maxPage)]), "\uFFFD"))
}

// StatusOf is an error's status for clients. Only Anthropic's know 529.
func StatusOf(err *callwright.Error) int {
	if status := err.HTTPStatus(); status != 529 {
		return status
	}
	return http.StatusServiceUnavailable
}

// RetryHeader says to clients whether and when to try again.
func RetryHeader(err *callwright.Error) http.Header {
	h := http.Header{}
	h.Set("x-should-retry", strconv.FormatBool(err.Kind.Transient() && !err.NoRetry))
	if err.RetryAfter > 0 {
		h.Set("retry-after", strconv.Itoa(Seconds(err.RetryAfter)))
	}
	return h
}

// Seconds are the whole seconds of a wait, rounded up.
func Seconds(d time.Duration) int { return int((d + time.Second - 1) / time.Second) }

// Invalid is the error about a client's request, op saying who reads it and path where in it.
func Invalid(op, path, message string) *callwright.Error {
	return &callwright.Error{Op: op, Kind: callwright.KindInvalid, Path: path, Message: message}
}

// BadAnswer is the error about a provider's answer that cannot be read.
func BadAnswer(op, message string, body []byte, cause error) *callwright.Error {
	return &callwright.Error{Op: op, Kind: callwright.KindBadAnswer, Message: message, Body: ErrorBody(body), Err: cause}
}

// CutCall is the error about a stream whose end has no finish reason, behind the name of a call of which nothing else
// came.
func CutCall(op string) *callwright.Error {
	return &callwright.Error{Op: op, Kind: callwright.KindTruncated,
		Message: "expected the arguments of a call or a finish reason, got the end of the stream"}
}
