// Package outcome defines the outcome of a request, such as passed, healed or failed. It is computed from the report.
// The report header, the log, the metrics, stored reports, traces and the dashboard use it.
package outcome

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/notes"
)

// An Outcome is the outcome of a request. Passed, Translated, Healed and Failed are outcomes of completed requests.
// Answered and Unfinished occur in traces in which less is known.
type Outcome string

// Outcomes of requests.
const (
	Passed     Outcome = "passed"     // answered; neither request nor answer was changed, except for the model name
	Translated Outcome = "translated" // answered; converted for another API or model; no note on the answer has a failure class
	Healed     Outcome = "healed"     // answered; a note on the answer has a failure class
	Failed     Outcome = "failed"     // the client got an error, an incomplete answer or an invalid call

	Answered   Outcome = "answered"   // answered; there is no report
	Unfinished Outcome = "unfinished" // neither answered nor failed: still running, or the program ended
)

// Names returns the outcomes that a query can select. Answered selects Passed, Translated and Healed too.
func Names() []string {
	return []string{string(Answered), string(Passed), string(Translated), string(Healed), string(Failed), string(Unfinished)}
}

// earlier is an outcome in traces of older versions: the gateway did not change the model's answer.
const earlier = "untouched"

// UnmarshalText decodes an outcome. It decodes the outcome "untouched" of older versions as Answered.
func (o *Outcome) UnmarshalText(text []byte) error {
	if *o = Outcome(text); *o == earlier {
		*o = Answered
	}
	return nil
}

// Asks reports whether a query for o matches a request with outcome got. "" matches any outcome.
func (o Outcome) Asks(got Outcome) bool {
	return o == "" || o == got || o == Answered && (got == Passed || got == Translated || got == Healed)
}

// Of returns the outcome of a completed request. failed means that the client got an error or an incomplete answer. rep
// is nil if there is no report, such as for a request that was passed through unchanged.
func Of(rep *callwright.Report, failed bool) Outcome {
	switch {
	case failed:
		return Failed
	case rep == nil:
		return Passed
	}
	came := Passed
	if !rep.Untouched {
		came = Translated
	}
	for i := range rep.Notes {
		switch n := &rep.Notes[i]; {
		case n.Observed && Rejects(n.Rule):
			return Failed
		case Heals(n):
			came = Healed
		}
	}
	return came
}

// Class returns the failure class of the first note for which Heals is true, or "" if there is none.
func Class(rep *callwright.Report) string {
	if rep == nil {
		return ""
	}
	for i := range rep.Notes {
		if n := &rep.Notes[i]; Heals(n) {
			return n.Fault
		}
	}
	return ""
}

// Heals reports whether a note says that a fault of an answer was corrected: the answer was repaired, a call was
// rejected, or the model was requested again. It returns false for notes on the request, on transport and on conversion
// between APIs.
func Heals(n *callwright.Note) bool {
	if n.Fault == "" || n.Observed {
		return false
	}
	return notes.IsHelp(*n) || Rejects(n.Rule) || asksAgain[n.Rule]
}

// asksAgain lists the rules by which a model is requested again because of its answer.
var asksAgain = map[string]bool{
	"correct.asked": true, "correct.empty": true, "correct.swallowed": true, "plan.unparsed": true, "transport.refused_call": true,
}

// Rejects reports whether a note of the rule means that a call is invalid. Under the policy observe, the client still
// gets the call.
func Rejects(rule string) bool {
	switch rule {
	case "judge.undeclared", "judge.truncated", "judge.malformed", "judge.invalid":
		return true
	}
	return false
}

// Retries returns the number of repeated requests within attempts, after connection or provider errors.
func Retries(rep *callwright.Report) (n int) {
	if rep != nil {
		for i := range rep.Attempts {
			n += max(rep.Attempts[i].Tries-1, 0)
		}
	}
	return n
}

// FellBack reports whether the last attempt used another model than the one first requested.
func FellBack(rep *callwright.Report) bool {
	if rep == nil || len(rep.Attempts) == 0 {
		return false
	}
	first, last := &rep.Attempts[0], &rep.Attempts[len(rep.Attempts)-1]
	return first.Why == callwright.AttemptFallback || first.Model != last.Model
}
