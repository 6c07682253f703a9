package inbound

import (
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/dialect"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/reliable/internal/judge"
)

// writtenCalls has the calls parsed from text that are not validated yet.
type writtenCalls struct {
	found    []*dialect.Call
	rejected []dialect.Item  // attempted calls that are unreadable or must not be run
	drafts   []*dialect.Call // calls before a closing marker of reasoning that nothing opened
	shown    int             // size of the visible text before that marker
}

// endUnopened moves the calls found so far to the drafts, because a closing marker shows that the text so far is
// reasoning.
func (a *Answer) endUnopened() {
	w := &a.writtenCalls
	w.drafts, w.found, w.shown = append(w.drafts, w.found...), nil, a.Outcome.Visible.Len()
}

// dropDrafts removes the drafts if more text or calls followed. Otherwise they are the calls of the response.
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

// judgeTextCalls validates the calls parsed from text. If the response has native calls, it only reports the calls in
// text.
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

// beside notes a call in the text of a response with native calls: as a duplicate of a native call, or as an invalid
// call.
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

// canRun reports whether a call without markers in text can be run. Otherwise its text stays visible. It returns true
// for withheld tools, and for text that a provider rejected as a call, so that such calls become invalid instead of
// text.
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

// notRun adds a call in text beside native calls to the invalid calls.
func (a *Answer) notRun(f *dialect.Call) {
	a.Setup.Ledger.Add(callwright.Note{Rule: "normalise.text_beside_native", Stage: callwright.StageNormalise, Call: f.Name, Was: f.Raw})
	a.addInvalid(f, callwright.InvalidBesideNative,
		callwright.Violation{Keyword: "beside_native", Message: "the call stands in the text beside native calls and was not run"})
}

// judgeText validates one call parsed from text. If the response was truncated inside the call, it is rejected,
// because arguments may be missing.
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
	a.Setup.Ledger.MoveLast(from) // the note about parsing comes before those about repairs
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

// reject adds an attempted call that cannot be run to the invalid calls.
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

// addInvalid adds a call parsed from text to the invalid calls.
func (a *Answer) addInvalid(f *dialect.Call, why callwright.InvalidReason, v callwright.Violation) {
	a.Outcome.Invalid = append(a.Outcome.Invalid, callwright.InvalidCall{
		Name: strings.Clone(callwright.Excerpt(f.Written)), Why: why, Raw: judge.ClipRaw(f.Raw), Violations: []callwright.Violation{v},
	})
}

// promote accepts complete calls in native reasoning if the response has no other content.
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
