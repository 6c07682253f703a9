package demo

import (
	"fmt"
	"slices"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
)

// check compares the result of a tool loop with the expected one and returns a description of each difference.
func (w *want) check(l *Loop) []string {
	var bad []string
	report := func(format string, args ...any) { bad = append(bad, fmt.Sprintf(format, args...)) }
	code := w.code
	ends := callwright.FinishStop
	if w.atLimit && l.Client == callwright.WireAnthropic { // Anthropic clients set an output limit, the others here do not
		code, ends = "", callwright.FinishLength
	}
	switch e := l.Received.Error; {
	case code == "" && e != nil:
		report("expected an answer, got the error %v", e)
	case code != "" && e == nil:
		report("expected an error with code %s, got an answer", code)
	case code != "" && e.Code != code:
		report("expected an error with code %s, got %s", code, e.Code)
	}
	calls := l.Received.check(ends, report)
	if first := l.Received.first(); len(calls) != len(w.calls) || first != len(calls) {
		report("expected %d calls at once, got %d at once and %d later", len(w.calls), first, len(calls)-first)
	}
	for i, c := range calls {
		if c.Error != "" {
			report("the call %s %s failed: %s", c.Name, c.Arguments, c.Error)
		}
		if i < len(w.calls) && !jsonx.Equal([]byte(c.Arguments), []byte(w.calls[i])) {
			report("expected the arguments %s, got %s", w.calls[i], c.Arguments)
		}
	}
	if w.code == "" {
		w.checkText(l.Received.Turns, calls, report)
	}
	for _, rule := range w.rules {
		if !slices.ContainsFunc(l.Notes, func(n callwright.Note) bool { return n.Fault == rule || strings.Contains(n.Rule, rule) }) {
			report("expected a note of the rule %s", rule)
		}
	}
	if w.untouched && !l.untouched {
		report("expected the answer untouched")
	}
	return bad
}

// check reports responses that violate a general rule, and returns the calls of all turns. without is the finish reason
// expected for a response without calls.
func (r *Received) check(without callwright.Finish, report func(string, ...any)) []Call {
	var calls []Call
	ids := map[string]bool{}
	for _, t := range r.Turns {
		want := without
		if len(t.Calls) > 0 {
			want = callwright.FinishCalls
			if strings.Contains(t.Text, toolName) {
				report("markup of a call was left in the text %q", t.Text)
			}
		}
		if t.Finish != want {
			report("expected the finish reason %s, got %q", want, t.Finish)
		}
		for _, n := range t.Notes {
			report("expected an answer in the form of its API, got one that was read by the rule %s", n.Rule)
		}
		for _, c := range t.Calls {
			if c.ID == "" || ids[c.ID] {
				report("expected an id of its own for every call, got %q", c.ID)
			}
			ids[c.ID] = true
		}
		calls = append(calls, t.Calls...)
	}
	return calls
}

// first returns the number of tool calls in the first response.
func (r *Received) first() int {
	if len(r.Turns) == 0 {
		return 0
	}
	return len(r.Turns[0].Calls)
}

// checkText reports if the last text lacks the results of the calls or the expected text.
func (w *want) checkText(turns []Turn, calls []Call, report func(string, ...any)) {
	last := ""
	if len(turns) > 0 {
		last = turns[len(turns)-1].Text
	}
	wanted := []string{w.text}
	for _, c := range calls {
		wanted = append(wanted, c.Result)
	}
	for _, text := range wanted {
		if !strings.Contains(last, text) {
			report("expected %q in the last text, got %q", text, last)
		}
	}
}
