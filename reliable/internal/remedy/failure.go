package remedy

import (
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/reliable/internal/correction"
	"github.com/callwright/callwright/reliable/internal/inbound"
)

// A Failure is the reason why an answer has to be corrected. The list is closed. "" is no failure, or a failure without
// a remedy.
type Failure string

// The failures.
const (
	Name       Failure = "name"       // a call names no declared tool
	Arguments  Failure = "arguments"  // the arguments of a call break its schema
	Unreadable Failure = "unreadable" // a call cannot be read
	Cut        Failure = "cut"        // the answer was cut inside a call
	Loop       Failure = "loop"       // the answer was cut while it repeated a text
	Missing    Failure = "missing"    // a call was required and none came
	Empty      Failure = "empty"      // nothing came
	Form       Failure = "form"       // the answer is not in the form that was asked for
)

// Failures are all of them.
func Failures() []Failure {
	return []Failure{Name, Arguments, Unreadable, Cut, Loop, Missing, Empty, Form}
}

// FailureOf returns the reason why an answer is corrected by a rule of corrections. Of several invalid calls the first
// with a known failure decides.
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

// textOf returns the kept output of the model: the text and the raw text of the calls that cannot be run.
func textOf(out *inbound.Outcome) string {
	var b strings.Builder
	b.WriteString(out.Visible.String())
	for i := range out.Invalid {
		b.WriteByte('\n')
		b.WriteString(out.Invalid[i].Raw)
	}
	return b.String()
}

// The bounds of the search for a repetition: a text that ends in least equal pieces, each of longest bytes at most,
// repeats itself.
const (
	least   = 4
	longest = 240
	shown   = 3000 // bytes of the end of the text that are looked at
)

// repeatsItself reports whether the end of a text is one piece again and again. The last piece may be cut. Digits count
// as equal, since models count on in a repetition. The time is linear in the text: at most shown bytes are compared,
// once for each beginning of a repetition.
func repeatsItself(text string) bool {
	end := []byte(text[max(0, len(text)-shown):])
	for i, c := range end {
		if c >= '0' && c <= '9' {
			end[i] = '0'
		}
	}
	// The failure function of Knuth, Morris and Pratt over the reversed text gives the shortest period of each of its
	// beginnings.
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

// minRepeated is the least length of a repetition in bytes: shorter ones are lines, indents and lists of numbers.
const minRepeated = 120
