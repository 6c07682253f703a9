package conformance

import (
	"fmt"
	"net/http"
	"strings"
	"time"
)

// The kinds of finish reasons.
const (
	finishStop   = "stop"
	finishCalls  = "calls"
	finishLength = "length"
	finishOther  = "other"
)

// An answer is all that came back for one request.
type answer struct {
	ask    *ask
	curl   string
	status int
	header http.Header
	body   []byte
	took   time.Duration
	err    error // of the transport, or nil

	text, reasoning string
	calls           []call
	finish          string // a kind; "" for none
	said            string // the API's word for it
	usage           usage

	seen   map[string]bool // the observed checks that this answer could break
	broken []violation
}

// A usage is the count of tokens.
type usage struct {
	in, out, total int
	told           bool
}

// A violation is a break of an observed check.
type violation struct{ check, why string }

// expect records that the answer could break a check, and that it does where ok is false.
func (a *answer) expect(ok bool, check, format string, args ...any) {
	if a.seen == nil {
		a.seen = map[string]bool{}
	}
	a.seen[check] = true
	if !ok {
		a.broken = append(a.broken, violation{check, fmt.Sprintf(format, args...)})
	}
}

// isRefused reports a status of 4xx that is about the request itself.
func (a *answer) isRefused() bool { return a.status >= 400 && a.status < 500 && !a.isLimited() }

// isLimited reports a status about who asks, how often or how slowly: it says nothing about the request.
func (a *answer) isLimited() bool {
	switch a.status {
	case http.StatusUnauthorized, http.StatusForbidden, http.StatusRequestTimeout, http.StatusTooManyRequests:
		return true
	}
	return false
}

// isGood reports a whole answer without a failure of the transport.
func (a *answer) isGood() bool { return a.err == nil && a.status/100 == 2 }

// problem is the reason why no answer came, "" where one came.
func (a *answer) problem() string {
	switch {
	case a.err != nil:
		return a.err.Error()
	case a.status/100 != 2:
		return fmt.Sprintf("the status is %d: %s", a.status, short(string(a.body)))
	}
	return ""
}

// excerpt is the beginning of the body, with its status.
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

// short is the beginning of a text on one line.
func short(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	const most = 160
	if len(text) > most {
		return strings.ToValidUTF8(text[:most], "") + "..."
	}
	return text
}

// describeCalls lists calls for a sentence.
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
