package wire

import (
	"bytes"
	"math"
	"net/http"
	"strconv"
	"time"
)

// maxErrorBody bounds what an Error keeps of a provider's answer.
const maxErrorBody = 64 << 10

// ErrorBody is what an Error keeps of a provider's answer: a copy of at most 64 KiB of it.
func ErrorBody(body []byte) []byte { return bytes.Clone(body[:min(len(body), maxErrorBody)]) }

// maxRetryAfter bounds a wait, against headers that say nonsense.
const maxRetryAfter = 24 * time.Hour

// RetryAfter is how long an answer's header asks to wait before another try: retry-after-ms, or retry-after in seconds or as
// a moment, which is counted from the provider's own date. It is from nothing to a day. ok is false where neither header
// says anything that can be read: then the limits of the provider's own headers may be looked at.
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

// DateOf is the provider's own date, from which moments in the other headers are counted; the time here where it says none.
func DateOf(h http.Header) time.Time {
	if date, err := http.ParseTime(h.Get("date")); err == nil {
		return date
	}
	return time.Now()
}

// BoundWait is d from nothing to a day.
func BoundWait(d time.Duration) time.Duration { return min(max(d, 0), maxRetryAfter) }

// durationOf is n units, bounded before it is an integer: what a header says may be larger than any.
func durationOf(n float64, unit time.Duration) time.Duration {
	return time.Duration(min(max(n, 0), float64(maxRetryAfter/unit)) * float64(unit))
}
