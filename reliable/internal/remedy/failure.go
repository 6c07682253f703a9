package remedy

import (
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/reliable/internal/correction"
	"github.com/callwright/callwright/reliable/internal/inbound"
)

// A Failure is the reason for a correction. The constants are all values. "" means no failure, or a failure without a
// remedy.
type Failure string

// Kinds of failures.
const (
	Name       Failure = "name"       // a call has the name of no declared tool
	Arguments  Failure = "arguments"  // the arguments of a call violate its schema
	Unreadable Failure = "unreadable" // a call cannot be parsed
	Cut        Failure = "cut"        // the response was truncated inside a call
	Loop       Failure = "loop"       // the response was truncated while it repeated a text
	Missing    Failure = "missing"    // the response lacks a required call
	Empty      Failure = "empty"      // the response is empty
	Form       Failure = "form"       // the response does not have the required format
)

// Failures returns all kinds of failures.
func Failures() []Failure {
	return []Failure{Name, Arguments, Unreadable, Cut, Loop, Missing, Empty, Form}
}

// FailureOf returns the kind of failure for a correction. rule is the rule of the correction, such as
// correction.RuleEmpty. If there are several invalid calls, the first one with a known reason decides.
func FailureOf(rule string, out *inbound.Outcome) Failure {
	switch rule {
	case correction.RuleEmpty:
		return Empty
	case correction.RuleWrongForm:
		return Form
	case correction.RuleInvalid:
	default:
		return ""
	}
	for i := range out.Invalid {
		switch out.Invalid[i].Why {
		case callwright.InvalidUndeclared:
			if out.CutAtLength && repeatsItself(textOf(out)) {
				return Loop
			}
			return Name
		case callwright.InvalidArguments:
			return Arguments
		case callwright.InvalidMalformed:
			return Unreadable
		case callwright.InvalidTruncated:
			if repeatsItself(textOf(out)) {
				return Loop
			}
			return Cut
		}
	}
	if out.End.Finish == callwright.FinishMalformedCall {
		return Unreadable
	}
	return Missing
}

// textOf returns the visible text of the response and the raw text of the invalid calls.
func textOf(out *inbound.Outcome) string {
	var b strings.Builder
	b.WriteString(out.Visible.String())
	for i := range out.Invalid {
		b.WriteByte('\n')
		b.WriteString(out.Invalid[i].Raw)
	}
	return b.String()
}

// Limits of repeatsItself. A text is repetitive if it ends with 4 or more equal segments, each of 240 bytes or less.
const (
	least   = 4
	longest = 240
	shown   = 3000 // bytes at the end of the text that are examined
)

// repeatsItself reports whether a text ends with a repeated segment, at least 4 times and 120 bytes in total. The last
// repetition may be incomplete. All digits count as equal, because models count up in a repetition. The time is
// linear.
func repeatsItself(text string) bool {
	end := []byte(text[max(0, len(text)-shown):])
	for i, c := range end {
		if c >= '0' && c <= '9' {
			end[i] = '0'
		}
	}
	// The Knuth-Morris-Pratt failure function of the reversed text gives the shortest period of each of its prefixes.
	n := len(end)
	at := func(i int) byte { return end[n-1-i] }
	border := make([]int, n+1)
	for i := 1; i < n; i++ {
		k := border[i]
		for k > 0 && at(i) != at(k) {
			k = border[k]
		}
		if at(i) == at(k) {
			k++
		}
		border[i+1] = k
	}
	for i := least; i <= n; i++ {
		if period := i - border[i]; period > 2 && period <= longest && i >= least*period && i >= minRepeated {
			return true
		}
	}
	return false
}

// minRepeated is the minimum length of a repetition in bytes. It excludes rules, indents and short lists of numbers.
const minRepeated = 120
