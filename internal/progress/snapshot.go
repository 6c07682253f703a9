package progress

import (
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/callwright/callwright"
)

// A Snapshot is a Progress at a moment. The zero Snapshot means that nothing is known.
type Snapshot struct {
	State string `json:"state"`           // one of Names, "" if unknown
	Tool  string `json:"tool,omitempty"`  // declared name of the called tool
	Bytes int64  `json:"bytes,omitempty"` // received bytes: of the current call, otherwise of the current attempt
	// Seconds is the duration of the current state.
	Seconds int `json:"seconds"`
	// Silent is the time in seconds since the last output of the model. It is 0 before the first output.
	Silent int `json:"silent,omitempty"`
}

// Now returns the progress at the time now.
func (p *Progress) Now(now time.Time) Snapshot {
	if p == nil {
		return Snapshot{}
	}
	state := State(p.state.Load())
	s := Snapshot{State: state.String(), Seconds: secondsSince(p.since.Load(), now)}
	switch {
	case state == Holding || state == Calling:
		s.Bytes = p.call.Load()
		if tool := p.tool.Load(); tool != nil {
			s.Tool = *tool
		}
	case !state.isAsking() && state != Preparing:
		s.Bytes = p.answer.Load()
	}
	if !state.isAsking() {
		s.Silent = secondsSince(p.latest.Load(), now)
	}
	return s
}

// Attempts returns the number of attempts so far.
func (p *Progress) Attempts() int {
	if p == nil {
		return 0
	}
	return int(p.attempts.Load())
}

// Model returns the model of the last attempt, or "" before the first attempt.
func (p *Progress) Model() callwright.ModelID {
	if p == nil {
		return ""
	}
	if m := p.model.Load(); m != nil {
		return *m
	}
	return ""
}

// secondsSince returns the whole seconds between then, in Unix nanoseconds, and now. It returns 0 if then is 0.
func secondsSince(then int64, now time.Time) int {
	if then == 0 {
		return 0
	}
	return max(int(now.Sub(time.Unix(0, then))/time.Second), 0)
}

// IsZero reports whether nothing is known about the request.
func (s Snapshot) IsZero() bool { return s.State == "" }

// words contains the phrases shown for states. A state without a phrase is shown by its name.
var words = map[string]string{
	Preparing.String(): "preparing the request",
	Waiting.String():   "waiting for the answer",
	Retrying.String():  "waiting to ask again",
	Holding.String():   "holding call",
	Calling.String():   "sending call",
}

// String returns one line such as "holding call write_file, 18,432 bytes, 42 s". Only the tool name may contain other
// characters than ASCII.
func (s Snapshot) String() string {
	if s.IsZero() {
		return ""
	}
	var b strings.Builder
	if word := words[s.State]; word != "" {
		b.WriteString(word)
	} else {
		b.WriteString(s.State)
	}
	if s.Tool != "" {
		b.WriteByte(' ')
		b.WriteString(visible(s.Tool))
	}
	if s.Bytes > 0 {
		b.WriteString(", ")
		b.WriteString(groupDigits(s.Bytes))
		b.WriteString(" bytes")
	}
	b.WriteString(", ")
	b.WriteString(strconv.Itoa(s.Seconds))
	b.WriteString(" s")
	if s.Silent >= longSilence {
		b.WriteString(", silent for ")
		b.WriteString(strconv.Itoa(s.Silent))
		b.WriteString(" s")
	}
	return b.String()
}

// longSilence is the minimum time in seconds without output that String mentions.
const longSilence = 10

// mostName is the maximum number of characters of a tool name that String shows.
const mostName = 128

// visible returns a tool name without unprintable characters and line breaks, cut to mostName characters.
func visible(name string) string {
	n := 0
	return strings.Map(func(r rune) rune {
		if n++; n > mostName || !unicode.IsPrint(r) {
			return -1
		}
		return r
	}, name)
}

// groupDigits formats n with a comma between groups of three digits: 18,432.
func groupDigits(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
