package conformance

import (
	"fmt"
	"net/http"
	"strings"
	"time"
)

// The classes of finish reasons, independent of the API.
const (
	finishStop   = "stop"
	finishCalls  = "calls"
	finishLength = "length"
	finishOther  = "other"
)

// An answer is the response to one request.
type answer struct {
	request *request
	curl    string // curl command that sends the request
	status  int
	header  http.Header
	body    []byte
	took    time.Duration // time until the end of the response
	err     error         // error of the transport, or nil

	text, reasoning string
	calls           []call
	finish          string // a class of finish reasons; "" for none
	finishReason    string // the finish reason of the API
	usage           usage

	seen   map[string]bool // names of the observed checks that this answer could fail
	broken []violation     // violations found in this answer
}

// A usage is the token usage of an answer. told is false if it is missing or incomplete.
type usage struct {
	in, out, total int
	told           bool
}

// A violation is a failure of an observed check.
type violation struct{ check, why string }

// expect records that the answer is relevant for a check. If ok is false, it also records a violation of the check.
// format describes the violation.
func (a *answer) expect(ok bool, check, format string, args ...any) {
	if a.seen == nil {
		a.seen = map[string]bool{}
	}
	a.seen[check] = true
	if !ok {
		a.broken = append(a.broken, violation{check, fmt.Sprintf(format, args...)})
	}
}

// isRefused reports whether the status is a 4xx about the request itself.
func (a *answer) isRefused() bool { return a.status >= 400 && a.status < 500 && !a.isLimited() }

// isLimited reports whether the status is about the key, the rate or the time of the request, so that it says nothing
// about the content.
func (a *answer) isLimited() bool {
	switch a.status {
	case http.StatusUnauthorized, http.StatusForbidden, http.StatusRequestTimeout, http.StatusTooManyRequests:
		return true
	}
	return false
}

// isGood reports whether the whole response arrived with a 2xx status.
func (a *answer) isGood() bool { return a.err == nil && a.status/100 == 2 }

// problem returns why there is no good response, "" if there is one.
func (a *answer) problem() string {
	switch {
	case a.err != nil:
		return a.err.Error()
	case a.status/100 != 2:
		return fmt.Sprintf("the status is %d: %s", a.status, short(string(a.body)))
	}
	return ""
}

// excerpt returns the status and the beginning of the body.
func (a *answer) excerpt() string {
	if a.err != nil && a.status == 0 {
		return a.err.Error()
	}
	text := strings.TrimSpace(string(a.body))
	const most = 2000
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "..."
	}
	return fmt.Sprintf("HTTP %d %s\n%s", a.status, a.header.Get("Content-Type"), text)
}

// short returns a text as one line, truncated to 160 bytes and "...".
func short(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	const most = 160
	if len(text) > most {
		return strings.ToValidUTF8(text[:most], "") + "..."
	}
	return text
}

// describeCalls returns a list of calls for use in a sentence.
func describeCalls(calls []call) string {
	if len(calls) == 0 {
		return "no call"
	}
	var out []string
	for _, c := range calls {
		out = append(out, c.name+short(c.args))
	}
	return strings.Join(out, ", ")
}
