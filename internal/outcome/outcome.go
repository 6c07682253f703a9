// Package outcome defines the outcome of a request, by its report and by whether it failed. The report header, the log,
// the metrics, kept reports, traces and the dashboard take it from here.
package outcome

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/notes"
)

// An Outcome is the outcome of a request. Passed, Translated, Healed and Failed are the outcomes of a request that has
// ended and has a report. Answered and Unfinished stand for less knowledge, as a trace may have it.
type Outcome string

// The outcomes.
const (
	Passed     Outcome = "passed"     // answered, and neither the request but for the model's name nor the answer was changed
	Translated Outcome = "translated" // answered, and written differently for another API or model: no note on the answer has a failure class
	Healed     Outcome = "healed"     // answered, and a note on the answer has a failure class
	Failed     Outcome = "failed"     // the client got an error, an answer that broke off, or a call that is invalid

	Answered   Outcome = "answered"   // without a report
	Unfinished Outcome = "unfinished" // neither answered nor failed, yet or because the program ended
)

// Names lists the outcomes that a query may ask for. A query for Answered asks for all three kinds of answers.
func Names() []string {
	return []string{string(Answered), string(Passed), string(Translated), string(Healed), string(Failed), string(Unfinished)}
}

// earlier is an outcome in traces of earlier versions: the model's answer was handed through. Changes that the gateway
// made itself, such as the items of an earlier answer that it put before the input, did not count.
const earlier = "untouched"

// UnmarshalText reads an outcome. The earlier one is read as Answered.
func (o *Outcome) UnmarshalText(text []byte) error {
	if *o = Outcome(text); *o == earlier {
		*o = Answered
	}
	return nil
}

// Asks reports whether a query for o asks for a request with outcome got. A query for "" asks for any.
func (o Outcome) Asks(got Outcome) bool {
	return o == "" || o == got || o == Answered && (got == Passed || got == Translated || got == Healed)
}

// Of is the outcome of a request that has ended. failed says that its client got an error or an answer that broke off.
// rep is nil where there is no report, such as of a request that goes to its provider as it came.
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

// Class is the failure class of the first note that heals, "" where none does.
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

// Heals reports whether a note says that something was wrong with an answer, and that the client does not have it so:
// the answer was repaired, a call was rejected, or the model was asked again. Notes on the request, on transport and on
// another API's form do not.
func Heals(n *callwright.Note) bool {
	if n.Fault == "" || n.Observed {
		return false
	}
	return notes.IsHelp(*n) || Rejects(n.Rule) || asksAgain[n.Rule]
}

// asksAgain are the rules by which a model is asked again, or in another mode, because of its answer.
var asksAgain = map[string]bool{
	"correct.asked": true, "correct.empty": true, "correct.swallowed": true, "plan.unparsed": true, "transport.refused_call": true,
}

// Rejects reports whether notes of a rule say that a call is invalid. Under the policy observe the client gets it all
// the same.
func Rejects(rule string) bool {
	switch rule {
	case "judge.undeclared", "judge.truncated", "judge.malformed", "judge.invalid":
		return true
	}
	return false
}

// Retries counts how often an attempt of a request was sent again because the connection or the provider failed.
func Retries(rep *callwright.Report) (n int) {
	if rep != nil {
		for i := range rep.Attempts {
			n += max(rep.Attempts[i].Tries-1, 0)
		}
	}
	return n
}

// FellBack reports whether the last attempt was at another model than the request began with.
func FellBack(rep *callwright.Report) bool {
	if rep == nil || len(rep.Attempts) == 0 {
		return false
	}
	first, last := &rep.Attempts[0], &rep.Attempts[len(rep.Attempts)-1]
	return first.Why == callwright.AttemptFallback || first.Model != last.Model
}
