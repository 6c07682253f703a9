package inbound

import (
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/dialect"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/reliable/internal/judge"
)

// writtenCalls are the calls that were found in the text and not judged yet.
type writtenCalls struct {
	found    []*dialect.Call
	rejected []dialect.Item  // meant as calls, and not readable as such
	drafts   []*dialect.Call // found before the end of reasoning that nothing had opened
	shown    int             // bytes of visible text before that end
}

// endUnopened makes the text so far reasoning.
func (a *Answer) endUnopened() {
	w := &a.writtenCalls
	w.drafts, w.found, w.shown = append(w.drafts, w.found...), nil, a.Outcome.Visible.Len()
}

// dropDrafts leaves out the drafts where more was said after them. Where nothing was, they are the calls.
func (a *Answer) dropDrafts() {
	w := &a.writtenCalls
	const rule = "reasoning.draft"
	if len(w.drafts) == 0 || len(w.found)+len(a.Outcome.Good) == 0 &&
		strings.TrimSpace(a.Outcome.Visible.String()[w.shown:]) == "" || !a.Setup.Ledger.May(rule) {
		w.found = append(w.drafts, w.found...)
		return
	}
	for _, f := range w.drafts {
		a.Setup.Ledger.Add(callwright.Note{Rule: rule, Stage: callwright.StageNormalise, Call: f.Name, Was: f.Raw})
	}
}

// judgeTextCalls judges the calls found in the text, or reports them where native calls are the answer.
func (a *Answer) judgeTextCalls() {
	a.dropDrafts()
	calls := a.writtenCalls
	a.writtenCalls = writtenCalls{}
	native := a.Outcome.Good
	for _, f := range calls.found {
		if len(native) > 0 {
			a.beside(f, native)
			continue
		}
		a.judgeText(f)
	}
	for _, r := range calls.rejected {
		if len(native) > 0 {
			a.notRun(r.Call)
			continue
		}
		a.reject(r)
	}
}

// beside reports a call in the text of an answer that has native calls. It is never run.
func (a *Answer) beside(f *dialect.Call, native []callwright.Call) {
	v := a.judge.Quiet().Decide(judge.TextCandidate(f))
	for i := range native {
		if v.OK && native[i].Name == v.Call.Name && jsonx.Equal(native[i].Arguments, v.Call.Arguments) {
			a.Setup.Ledger.Add(callwright.Note{Rule: "normalise.duplicate_text", Stage: callwright.StageNormalise, Call: f.Name, Was: f.Raw})
			return
		}
	}
	a.notRun(f)
}

// canRun reports whether a call found in the text without marks can be run: else its text stays. A tool that is
// withheld answers by itself. A text that a provider refused as a call is no prose: a call in it that cannot be run is
// an invalid one.
func (a *Answer) canRun(f *dialect.Call) bool {
	if a.refusedCall || a.Setup.Toolset.Withheld[f.Name] != nil {
		return true
	}
	allowed := a.Setup.Choice.Mode != callwright.ChoiceNone && a.Setup.Choice.Allows(f.Name) && !(f.Unclosed && a.cutShort())
	if !allowed {
		return false
	}
	v := a.judge.Quiet().Decide(judge.TextCandidate(f))
	return judge.IsCall(&v)
}

// notRun reports attempts at calls in the text of an answer that has native calls.
func (a *Answer) notRun(f *dialect.Call) {
	a.Setup.Ledger.Add(callwright.Note{Rule: "normalise.text_beside_native", Stage: callwright.StageNormalise, Call: f.Name, Was: f.Raw})
	a.addInvalid(f, callwright.InvalidBesideNative,
		callwright.Violation{Keyword: "beside_native", Message: "the call stands in the text beside native calls and was not run"})
}

// judgeText judges one call found in the text. Where the answer was broken off in it, arguments may be missing.
func (a *Answer) judgeText(f *dialect.Call) {
	if f.Unclosed && a.cutShort() {
		a.reject(dialect.Item{Kind: dialect.CallRejected, Call: f, Why: dialect.Truncated})
		return
	}
	rule := "dialect." + f.Format
	if f.InReasoning {
		rule = "reasoning.promoted"
	}
	if !a.Setup.Ledger.May(rule) {
		return
	}
	from := len(a.Setup.Ledger.Notes)
	v := a.judge.Decide(judge.TextCandidate(f))
	if !v.OK {
		a.Outcome.Invalid = append(a.Outcome.Invalid, v.Invalid)
		return
	}
	if shown, ok := a.runSearch(&v.Call); ok {
		a.beforeEnd = append(a.beforeEnd, shown...)
		return
	}
	if a.leftOut(&v.Call, f.Raw) {
		return
	}
	a.asked.Note(f, callwright.Note{Rule: rule, Stage: callwright.StageNormalise, Call: f.Name, Was: f.Raw, Now: string(v.Call.Arguments)})
	a.Setup.Ledger.MoveLast(from) // reading came before mending
	if f.NameRule != "" {
		a.Setup.Ledger.Add(callwright.Note{Rule: f.NameRule, Stage: callwright.StageValidate, Call: f.Name, Was: f.Written, Now: f.Name})
	}
	if !a.Setup.Sent.InText {
		a.Outcome.TextCalls++
	}
	if a.Outcome.Dialect == "" {
		a.Outcome.Dialect = f.Format
	}
	a.keepCall(v.Call)
	a.beforeEnd = append(a.beforeEnd, a.eventsOf(v.Call)...)
}

// reject reports an attempt at a call that cannot be run.
func (a *Answer) reject(item dialect.Item) {
	f := item.Call
	why, message := callwright.InvalidMalformed, "the arguments cannot be read"
	switch item.Why {
	case dialect.Undeclared:
		why, message = callwright.InvalidUndeclared, judge.UndeclaredMessage(f.Written, a.Setup.Toolset)
	case dialect.Truncated:
		why, message = callwright.InvalidTruncated, "the call was cut before it was complete"
	}
	a.Setup.Ledger.Add(callwright.Note{Rule: judge.RejectionRule(why), Stage: callwright.StageValidate, Call: f.Written,
		Was: f.Raw, Why: message})
	a.addInvalid(f, why, callwright.Violation{Keyword: string(item.Why), Message: message})
}

// addInvalid adds a call found in the text to those that may not be run.
func (a *Answer) addInvalid(f *dialect.Call, why callwright.InvalidReason, v callwright.Violation) {
	a.Outcome.Invalid = append(a.Outcome.Invalid, callwright.InvalidCall{
		Name: strings.Clone(callwright.Excerpt(f.Written)), Why: why, Raw: judge.ClipRaw(f.Raw), Violations: []callwright.Violation{v},
	})
}

// promote takes complete calls out of reasoning that the provider sent apart, where nothing else was said.
func (a *Answer) promote() {
	if a.reader.off || a.Outcome.Reasoning.Len() == 0 || !a.Setup.Ledger.May("reasoning.promoted") {
		return
	}
	sc := dialect.NewScanner(a.Setup.Attempt.ScanOptions())
	items := sc.Close(sc.Feed(a.Outcome.Reasoning.String(), nil))
	for _, it := range items {
		if it.Kind == dialect.CallFound {
			it.Call.InReasoning = true
			a.judgeText(it.Call)
		}
	}
}
