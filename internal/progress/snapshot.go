package progress

import (
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/callwright/callwright"
)

// A Snapshot is a Progress at one moment. The zero Snapshot says nothing.
type Snapshot struct {
	State string `json:"state"`           // a name of Names, "" where nothing is known
	Tool  string `json:"tool,omitempty"`  // the declared name of the tool that is called
	Bytes int64  `json:"bytes,omitempty"` // of the call so far, else of the whole answer so far
	// Seconds is how long the state has lasted.
	Seconds int `json:"seconds"`
	// Silent is for how many seconds nothing has come, of an answer that has begun.
	Silent int `json:"silent,omitempty"`
}

// Now returns the state at a time.
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

// Attempts returns how many attempts were made.
func (p *Progress) Attempts() int {
	if p == nil {
		return 0
	}
	return int(p.attempts.Load())
}

// Model returns the model that was asked last, "" before one was.
func (p *Progress) Model() callwright.ModelID {
	if p == nil {
		return ""
	}
	if m := p.model.Load(); m != nil {
		return *m
	}
	return ""
}

// secondsSince returns the whole seconds since a time in Unix nanoseconds, 0 where that is 0.
func secondsSince(then int64, now time.Time) int {
	if then == 0 {
		return 0
	}
	return max(int(now.Sub(time.Unix(0, then))/time.Second), 0)
}

// IsZero reports whether the snapshot says nothing.
func (s Snapshot) IsZero() bool { return s.State == "" }

// words are the states whose words are not their names.
var words = map[string]string{
	Preparing.String(): "preparing the request",
	Waiting.String():   "waiting for the answer",
	Retrying.String():  "waiting to ask again",
	Holding.String():   "holding call",
	Calling.String():   "sending call",
}

// String returns the snapshot in one line of ASCII letters but for the tool's name, such as "holding call write_file,
// 18,432 bytes, 42 s".
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

// longSilence is from how many seconds on a silence is told.
const longSilence = 10

// mostName is how many characters of a tool's name are shown.
const mostName = 128

// visible returns a tool's name in one line: control characters and line ends of any script are left out.
func visible(name string) string {
	n := 0
	return strings.Map(func(r rune) rune {
		if n++; n > mostName || !unicode.IsPrint(r) {
			return -1
		}
		return r
	}, name)
}

// groupDigits writes a count with a comma between groups of three digits.
func groupDigits(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
