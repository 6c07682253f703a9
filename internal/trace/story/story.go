// Package story describes the trace of one request in a few sentences for people.
package story

import (
	"fmt"
	"slices"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/trace"
)

// Of returns a description of a request by its entries, in order of events, such as "The model called
// `lookup_forecast`, which is not declared. It was asked again and called `get_weather`." Names are in backticks.
// Message contents are not included. It returns "" if there is no entry of trace.KindRequest.
func Of(entries []trace.Entry) string {
	t := &teller{}
	asked, ended, lost := false, false, false
	for i := range entries {
		switch e := &entries[i]; e.Kind {
		case trace.KindRequest:
			asked, ended = true, false
		case trace.KindReceived:
			t.receive(e)
		case trace.KindLost:
			lost = true
		case trace.KindAnswer, trace.KindError:
			t.end(e)
			ended = e.Ends()
		}
	}
	switch {
	case !asked:
		return ""
	case !ended:
		t.say("The request has not ended, or the program ended first.")
	}
	if lost {
		t.say("Some entries are missing: they came faster than they could be written.")
	}
	return strings.Join(t.sentences, " ")
}

// A teller collects the sentences of a description.
type teller struct {
	sentences []string
	skips     []string // sentences about skipped candidates since the last end
	received  []string // clauses about provider responses since the last end
}

func (t *teller) say(format string, args ...any) {
	t.sentences = append(t.sentences, fmt.Sprintf(format, args...))
}

// receive records the response of a provider, or that a provider was skipped.
func (t *teller) receive(e *trace.Entry) {
	r, err := e.ProviderAnswer()
	switch {
	case err != nil:
	case r.Skipped > 0:
		t.skips = append(t.skips, fmt.Sprintf("%s was skipped: %s earlier.", name(r.Provider), kindClause(r.Kind)))
	case r.Status == 0:
		t.received = append(t.received, "gave no answer")
	case r.Status/100 == 2 && r.Broken != "":
		t.received = append(t.received, "broke off its answer")
	case r.Status/100 == 2:
		t.received = append(t.received, "failed within its answer")
	default:
		t.received = append(t.received, fmt.Sprintf("answered with status %d", r.Status))
	}
}

// An ending is the answer or the error of a request with its report.
type ending struct {
	*trace.Entry
	resp    *callwright.Response // nil without an answer
	rep     *callwright.Report
	several bool // several models were tried
}

// end adds the sentences about the attempts and the outcome of a request that ends with an answer or an error.
func (t *teller) end(e *trace.Entry) {
	x := &ending{Entry: e, rep: &callwright.Report{Notes: e.Notes}}
	x.resp, _ = e.Response() // an invalid answer is described without its contents
	switch {
	case x.resp != nil && x.resp.Report != nil:
		x.rep = x.resp.Report
	case e.Failure != nil && e.Failure.Report != nil:
		x.rep = e.Failure.Report
	}
	all := x.rep.Attempts
	x.several = slices.ContainsFunc(all, func(a callwright.Attempt) bool { return a.Model != all[0].Model })
	if !slices.ContainsFunc(all, func(a callwright.Attempt) bool { return isUnsent(&a) }) {
		t.sentences = append(t.sentences, t.skips[:min(len(t.skips), 2)]...)
	}
	t.changes("Before it was sent, %s.", x.clauses(ofRequest))
	rejected := t.attempts(x)
	t.changes("In the answer, %s.", x.clauses(ofAnswer))
	for _, c := range describeRejected(rejected) {
		t.say("A call was rejected: it %s.", c)
	}
	t.changes("The policy observe only reported these changes: %s.", x.clauses(observed))
	t.tellClaims(x)
	t.outcome(x)
	t.skips, t.received = nil, nil
}

// attempts adds sentences about the outcome of each attempt. It returns the rejected calls that they do not mention.
func (t *teller) attempts(x *ending) (rejected []callwright.InvalidCall) {
	all := x.rep.Attempts
	problems, rejected := x.problems()
	if len(all) == 0 {
		if x.Failure == nil {
			t.say("The model %s.", result(x.resp))
		}
		return rejected
	}
	for i := 0; i < len(all); i++ {
		a := &all[i]
		if i == len(problems) { // the successful attempt
			t.say("%s %s%s.", opening(a, i, x.several, "and"), result(x.resp), t.tries(x, i))
			return rejected
		}
		p := &problems[i]
		same := 1
		for i+same < len(problems) && problems[i+same] == *p && all[i+same].Why == callwright.AttemptCorrection {
			same++
		}
		switch {
		case p.byModel && i > 0 && problems[i-1] == *p:
			t.say("%s did the same%s.", opening(a, i, x.several, "and"), t.tries(x, i))
		case p.byModel:
			t.say("%s %s%s.", opening(a, i, x.several, "and"), p.text, t.tries(x, i))
		case i == 0 && !x.several:
			t.say("%s%s.", upper(p.text), t.tries(x, i))
		default:
			t.say("%s %s%s.", opening(a, i, true, "but"), p.text, t.tries(x, i))
		}
		if same == 2 {
			t.say("It was asked again and did the same.")
		} else if same > 2 {
			t.say("It was asked again %d times and did the same.", same-1)
		}
		i += same - 1
	}
	return rejected
}

// opening returns the start of the sentence about attempt i. conjunction is "and" before an answer, "but" before a
// failure. named adds the model name to the sentence about the first attempt.
func opening(a *callwright.Attempt, i int, named bool, conjunction string) string {
	if i == 0 {
		if conjunction == "but" {
			return name(string(a.Model)) + " was asked, but"
		}
		if named {
			return name(string(a.Model))
		}
		return "The model"
	}
	if conjunction == "but" {
		return again(a) + ", but"
	}
	return again(a) + " " + conjunction
}

// again returns a clause with the reason for a further attempt.
func again(a *callwright.Attempt) string {
	refused, without := strings.CutPrefix(a.Why, "without ")
	switch {
	case without:
		return "It was asked again without " + name(refused)
	case a.Why == callwright.AttemptFallback:
		return name(string(a.Model)) + " was asked next"
	case a.Why == callwright.AttemptOtherMode:
		return "It was asked again in " + name(string(a.Mode)) + " mode"
	case a.Why == callwright.AttemptPause:
		return "It was asked to continue"
	case a.Why == callwright.AttemptSearch:
		return "It got the tools that it had searched for"
	}
	return "It was asked again"
}

// tries returns, in parentheses, how often the request of an attempt was sent and why. It returns "" if it was sent
// once.
func (t *teller) tries(x *ending, i int) string {
	a := &x.rep.Attempts[i]
	if a.Tries < 2 || isUnsent(a) {
		return ""
	}
	out := fmt.Sprintf(" (sent %d times", a.Tries)
	from, all := 0, 0
	for k := range x.rep.Attempts {
		b := &x.rep.Attempts[k]
		if isUnsent(b) {
			continue
		}
		if k < i {
			from += max(b.Tries, 1)
		}
		all += max(b.Tries, 1)
	}
	if all == len(t.received) { // otherwise responses cannot be assigned to attempts
		before := slices.Compact(slices.Clone(t.received[from : from+a.Tries-1]))
		out += ", as the provider " + list(before[:min(len(before), 2)])
	}
	return out + ")"
}

// outcome adds a sentence about the answer or error that the client got, unless it is the answer of the last attempt.
func (t *teller) outcome(x *ending) {
	f := x.Failure
	switch {
	case f != nil && f.Kind == callwright.KindCanceled:
		if n := len(x.rep.Attempts); n == 0 || x.rep.Attempts[n-1].Kind != f.Kind { // otherwise the attempt mentions it
			t.say("The client disconnected before the end.")
		}
	case f != nil && x.Streamed && x.resp != nil:
		t.say("The client received a part of the answer, and then the error %s.", name(string(f.Kind)))
	case f != nil && len(x.rep.Attempts) == 0:
		t.say("%s: the client received the error %s with status %d.", upper(kindClause(f.Kind)), name(string(f.Kind)), f.HTTPStatus())
	case f != nil:
		t.say("The client received the error %s with status %d.", name(string(f.Kind)), f.HTTPStatus())
	case x.Continued:
		t.say("The gateway ran the call and asked the model to continue.")
	case x.Partial:
		t.say("The recorded answer is incomplete: the client disconnected, or the answer exceeded the size limit of the trace.")
	}
	if x.resp == nil {
		return
	}
	switch x.resp.Finish {
	case callwright.FinishLength:
		t.say("The answer was cut at the limit of its length.")
	case callwright.FinishContentFilter:
		t.say("The provider's content filter ended the answer.")
	case callwright.FinishError:
		t.say("The provider ended the answer with an error.")
	}
}

// result returns a clause about the contents of an answer.
func result(resp *callwright.Response) string {
	var calls []string
	text, reasoning, other := false, false, false
	if resp != nil {
		for _, p := range resp.Parts {
			switch p := p.(type) {
			case callwright.Call:
				calls = append(calls, name(p.Name))
			case callwright.Text:
				text = text || p.Text != ""
			case callwright.Reasoning:
				reasoning = true
			default:
				other = true
			}
		}
	}
	switch {
	case len(calls) > 0:
		return "called " + listWithCounts(calls)
	case text:
		return "answered in text"
	case other:
		return "answered without text"
	case reasoning:
		return "gave only reasoning"
	}
	return "gave an empty answer"
}
