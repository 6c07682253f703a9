package inbound

import (
	"strconv"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/dialect"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/reliable/internal/judge"
)

// settle decides, at the end of the answer, about everything that had to wait: native calls that need a change, calls
// found in the text, the finish. Afterwards only the End itself is still held back.
func (a *Answer) Settle() {
	a.text.close()
	a.endCall(-1)
	if a.Err == nil && a.free != nil && a.cutShort() {
		a.broke(a.free)
	}
	switch {
	case a.Err != nil, a.short == nil:
	case a.End != nil && a.End.Finish == callwright.FinishContentFilter:
		a.refused(a.short)
	default:
		a.broke(a.short)
	}
	if a.Err != nil {
		return
	}
	if a.repeats() {
		a.dropRepeated()
	}
	for i, n := range a.native {
		a.settleNative(n, i == len(a.native)-1)
	}
	a.native = nil
	a.settleFound()
	if len(a.Good) == 0 && len(a.Invalid) == 0 && !a.said() {
		a.promote()
	}
	a.Misfit = a.unfit()
	a.q.held = a.Misfit || a.Asked && len(a.Good) == 0
	a.q.release()
}

// handOver hands on what an answer without its end comes to: another attempt goes on from there.
func (a *Answer) HandOver() {
	a.q.held = false
	a.q.settle(a.endSlot, dropped)
	a.q.release()
}

func (a *Answer) said() bool { return strings.TrimSpace(a.Visible.String()) != "" }

// hollow reports whether a finished answer came to nothing, as happens after results of tools: no text, no call, and no reason
// why. Reasoning alone is nothing that a client can go on with.
func (a *Answer) Hollow() bool {
	if a.said() || a.opaque || a.Changed || a.End == nil || len(a.Good)+len(a.Invalid) > 0 {
		return false
	}
	switch a.End.Finish {
	case callwright.FinishStop, callwright.FinishCalls, callwright.FinishMalformedCall, callwright.FinishOther, "":
		return true
	}
	return false
}

// cutShort reports whether the answer was broken off: for its length, by what the provider says or by the count of its tokens,
// or because the model refused to go on.
func (a *Answer) cutShort() bool {
	if a.End == nil || a.End.Finish == callwright.FinishContentFilter || a.End.Finish == callwright.FinishError {
		return true
	}
	return a.End.Finish == callwright.FinishLength || a.MaxOutput > 0 && a.Usage.Output >= a.MaxOutput
}

func (a *Answer) settleNative(n *nativeCall, last bool) {
	c := n.claim()
	if c.Type == callwright.CustomTool {
		c.Cut = last && a.cutShort()
	} else {
		c.Cut = a.cutShort() && !n.check.Complete() && len(n.text) > 0
	}
	c = a.unpackName(c)
	if calls := a.expand(c); calls != nil {
		a.Ledger.Add(callwright.Note{Rule: "normalise.parallel_wrapper", Stage: callwright.StageNormalise, Was: c.Name, Now: strconv.Itoa(len(calls)) + " calls"})
		a.settleCalls(n, calls)
		return
	}
	a.settleCalls(n, []*judge.Candidate{c})
}

// unpackName reads a call whose arguments were written into its name with a format's markup, as a provider gives it that cut
// its model's text wrongly. Every other claim is returned as it is.
func (a *Answer) unpackName(c *judge.Candidate) *judge.Candidate {
	const rule = "dialect.in_name"
	if args := strings.TrimSpace(c.Text); c.Type == callwright.CustomTool || args != "" && args != "{}" && args != "null" || !a.Ledger.May(rule) {
		return c
	}
	f, ok := dialect.FromName(c.Name, a.text.options())
	if !ok {
		return c
	}
	a.Ledger.Add(callwright.Note{Rule: rule, Stage: callwright.StageNormalise, Call: f.Name, Was: c.Name, Now: f.Name})
	in := judge.TextCandidate(f)
	in.ID, in.Call = c.ID, c.Call
	return in
}

// settleCalls judges the claims that one native call came to.
func (a *Answer) settleCalls(n *nativeCall, claims []*judge.Candidate) {
	var events []callwright.Event
	same := false
	for _, c := range claims {
		from := a.Ledger.Changed
		v := a.j.Rule(c)
		if !v.OK {
			a.Invalid = append(a.Invalid, v.Invalid)
			continue
		}
		if broken := a.allowed(v.Call.Name); broken != "" {
			a.Ledger.Add(callwright.Note{Rule: broken, Stage: callwright.StageJudge, Call: v.Call.Name, Was: judge.Bounded(c.Text)})
			continue
		}
		same = a.Ledger.Changed == from && n.begin.Index == a.sent && len(claims) == 1 && v.Call.Type == n.begin.Type
		a.Changed = a.Changed || a.Ledger.Changed != from
		a.keepCall(v.Call)
		events = append(events, a.eventsOf(v.Call)...)
	}
	a.Changed = a.Changed || len(events) == 0
	for i, at := range n.slots {
		switch {
		case same && a.isEnd(at):
			a.q.slots[at-a.q.base].ev = events[2]
			a.q.settle(at, ready)
		case same:
			a.q.settle(at, ready)
		case i == 0:
			a.q.settle(at, replaced, events...)
		default:
			a.q.settle(at, dropped)
		}
	}
}

func (a *Answer) isEnd(at int) bool {
	_, ok := a.q.slots[at-a.q.base].ev.(callwright.CallEnd)
	return ok
}

// expand reads the wrapper that some models put around parallel calls, {"tool_uses":[{"recipient_name","parameters"}]},
// where no tool of its name is declared and every recipient is.
func (a *Answer) expand(c *judge.Candidate) []*judge.Candidate {
	if _, _, ok := a.Surface.Declared(c.Name); ok || !strings.HasSuffix(c.Name, "parallel") || !a.Ledger.May("normalise.parallel_wrapper") {
		return nil
	}
	doc := []byte(c.Text)
	if jsonx.Valid(doc) != nil {
		return nil
	}
	uses, ok := jsonx.Find(doc, "tool_uses")
	if !ok || jsonx.KindOf(uses) != jsonx.Array {
		return nil
	}
	var out []*judge.Candidate
	for use := range jsonx.Elements(uses) {
		recipient, _ := jsonx.Find(use, "recipient_name")
		name, ok := jsonx.String(recipient)
		if _, _, known := a.Surface.Declared(name); !ok || !known {
			return nil
		}
		args, _ := jsonx.Find(use, "parameters")
		out = append(out, &judge.Candidate{Name: name, Text: string(args), ID: c.ID + "_" + strconv.Itoa(len(out)), Call: c.Call})
	}
	return out
}

// settleFound judges the calls found in the text, or reports them where native calls are the answer.
func (a *Answer) settleFound() {
	found, rejected := a.found, a.rejected
	a.found, a.rejected = nil, nil
	native := a.Good
	for _, f := range found {
		if len(native) > 0 {
			a.beside(f, native)
			continue
		}
		a.settleText(f)
	}
	if len(native) > 0 {
		return
	}
	for _, r := range rejected {
		a.reject(r)
	}
}

// beside handles a call in the text of an answer that has native calls: it is never run.
func (a *Answer) beside(f *dialect.Call, native []callwright.Call) {
	quiet := &judge.Judge{Toolset: a.Surface, Ledger: &judge.Ledger{Policy: a.Ledger.Policy, Rules: a.Ledger.Rules}, Unvalidated: a.j.Unvalidated, Mint: a.Mint}
	v := quiet.Rule(judge.TextCandidate(f))
	for i := range native {
		if v.OK && native[i].Name == v.Call.Name && jsonx.Equal(native[i].Arguments, v.Call.Arguments) {
			a.Ledger.Add(callwright.Note{Rule: "normalise.duplicate_text", Stage: callwright.StageNormalise, Call: f.Name, Was: f.Raw})
			return
		}
	}
	a.Ledger.Add(callwright.Note{Rule: "normalise.text_beside_native", Stage: callwright.StageNormalise, Call: f.Name, Was: f.Raw})
	a.Invalid = append(a.Invalid, callwright.InvalidCall{Name: strings.Clone(callwright.Excerpt(f.Written)), Raw: judge.Bounded(f.Raw), Violations: []callwright.Violation{{
		Keyword: "beside_native", Message: "the call stands in the text beside native calls and was not run",
	}}})
}

func (a *Answer) settleText(f *dialect.Call) {
	rule := "dialect." + f.Format
	if f.InReasoning {
		rule = "reasoning.promoted"
	}
	if !a.Ledger.May(rule) {
		return
	}
	from := len(a.Ledger.Notes)
	v := a.j.Rule(judge.TextCandidate(f))
	if !v.OK {
		a.Invalid = append(a.Invalid, v.Invalid)
		return
	}
	if broken := a.allowed(v.Call.Name); broken != "" {
		a.Ledger.Add(callwright.Note{Rule: broken, Stage: callwright.StageJudge, Call: v.Call.Name, Was: f.Raw})
		return
	}
	n := callwright.Note{Rule: rule, Stage: callwright.StageNormalise, Call: f.Name, Was: f.Raw, Now: string(v.Call.Arguments)}
	if a.Mode == caps.Native {
		row, _ := dialect.Lookup(f.Format)
		n.Fault = row.Fault
	} else {
		n.Risk = callwright.RiskLossless // it was asked for in this form
	}
	a.Ledger.Add(n)
	a.Ledger.MoveLast(from) // reading came before mending
	if f.NameRule != "" {
		a.Ledger.Add(callwright.Note{Rule: f.NameRule, Stage: callwright.StageJudge, Call: f.Name, Was: f.Written, Now: f.Name})
	}
	if a.FromText++; a.Format == "" {
		a.Format = f.Format
	}
	a.keepCall(v.Call)
	a.tail = append(a.tail, a.eventsOf(v.Call)...)
}

// reject reports what was meant as a call and cannot be run.
func (a *Answer) reject(item dialect.Item) {
	f := item.Call
	rule, message := "judge."+string(item.Why), "the call cannot be run: "+string(item.Why)
	switch item.Why {
	case dialect.Undeclared:
		message = judge.Undeclared(f.Written, a.Surface)
	case dialect.Truncated:
		message = "the call was cut before it was complete"
	case dialect.Malformed:
		message = "the arguments cannot be read"
	}
	a.Ledger.Add(callwright.Note{Rule: rule, Stage: callwright.StageJudge, Call: f.Written, Was: f.Raw, Why: message})
	a.Invalid = append(a.Invalid, callwright.InvalidCall{
		Name: strings.Clone(callwright.Excerpt(f.Written)), Raw: judge.Bounded(f.Raw), Violations: []callwright.Violation{{Keyword: string(item.Why), Message: message}},
	})
}

// promote takes complete calls out of reasoning that a provider sent apart, where nothing else was said.
func (a *Answer) promote() {
	if a.text.off || a.Reasoning.Len() == 0 || !a.Ledger.May("reasoning.promoted") {
		return
	}
	sc := dialect.NewScanner(a.text.options())
	items := sc.Close(sc.Feed(a.Reasoning.String(), nil))
	for _, it := range items {
		if it.Kind == dialect.CallFound {
			it.Call.InReasoning = true
			a.settleText(it.Call)
		}
	}
}

// finish hands the End on, with the finish that the content says.
func (a *Answer) Finish() {
	a.q.held = false
	want := a.End.Finish
	switch {
	case len(a.Good) > 0:
		want = callwright.FinishCalls
	case want == callwright.FinishCalls, want == "":
		want = callwright.FinishStop
	}
	end := *a.End
	if end.Finish = want; want != a.End.Finish && a.End.Finish != "" {
		a.Ledger.Add(callwright.Note{Rule: "finish.derived", Stage: callwright.StageNormalise, Was: string(a.End.Finish), Now: string(want)})
	}
	if want == a.End.Finish && len(a.tail) == 0 {
		a.q.settle(a.endSlot, ready)
	} else {
		a.q.settle(a.endSlot, replaced, append(a.tail, end)...)
	}
	a.q.release()
}
