package callwright

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/dialect"
	"github.com/callwright/callwright/internal/jsonx"
)

// settle decides, at the end of the answer, about everything that had to wait: native calls that need a change, calls
// found in the text, the finish. Afterwards only the End itself is still held back.
func (a *answer) settle() {
	a.text.close()
	a.endCall(-1)
	if a.err == nil && a.free != nil && a.cutShort() {
		a.broke(a.free)
	}
	switch {
	case a.err != nil, a.short == nil:
	case a.end != nil && a.end.Finish == FinishContentFilter:
		a.refused(a.short)
	default:
		a.broke(a.short)
	}
	if a.err != nil {
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
	if len(a.good) == 0 && len(a.invalid) == 0 && !a.said() {
		a.promote()
	}
	a.misfit = a.unfit()
	a.q.held = a.misfit || a.asked && len(a.good) == 0
	a.q.release()
}

// handOver hands on what an answer without its end comes to: another attempt goes on from there.
func (a *answer) handOver() {
	a.q.held = false
	a.q.settle(a.endSlot, dropped)
	a.q.release()
}

func (a *answer) said() bool { return strings.TrimSpace(a.visible.String()) != "" }

// hollow tells whether a finished answer came to nothing, as happens after results of tools: no text, no call, and no reason
// why. Reasoning alone is nothing that a client can go on with.
func (a *answer) hollow() bool {
	if a.said() || a.opaque || a.changed || a.end == nil || len(a.good)+len(a.invalid) > 0 {
		return false
	}
	switch a.end.Finish {
	case FinishStop, FinishCalls, FinishMalformedCall, FinishOther, "":
		return true
	}
	return false
}

// cutShort tells whether the answer was broken off: for its length, by what the provider says or by the count of its tokens,
// or because the model refused to go on.
func (a *answer) cutShort() bool {
	if a.end == nil || a.end.Finish == FinishContentFilter || a.end.Finish == FinishError {
		return true
	}
	return a.end.Finish == FinishLength || a.maxOut > 0 && a.usage.Output >= a.maxOut
}

func (a *answer) settleNative(n *nativeCall, last bool) {
	c := n.claim()
	if c.callType == Custom {
		c.cut = last && a.cutShort()
	} else {
		c.cut = a.cutShort() && !n.check.Complete() && len(n.text) > 0
	}
	c = a.unpackName(c)
	if calls := a.expand(c); calls != nil {
		a.l.add(Note{Rule: "normalise.parallel_wrapper", Stage: StageNormalise, Was: c.name, Now: itoa(len(calls)) + " calls"})
		a.settleCalls(n, calls)
		return
	}
	a.settleCalls(n, []*claim{c})
}

// unpackName reads a call whose arguments were written into its name with a format's markup, as a provider gives it that cut
// its model's text wrongly. Every other claim is returned as it is.
func (a *answer) unpackName(c *claim) *claim {
	const rule = "dialect.in_name"
	if args := strings.TrimSpace(c.text); c.callType == Custom || args != "" && args != "{}" && args != "null" || !a.l.may(rule) {
		return c
	}
	f, ok := dialect.FromName(c.name, a.text.options())
	if !ok {
		return c
	}
	a.l.add(Note{Rule: rule, Stage: StageNormalise, Call: f.Name, Was: c.name, Now: f.Name})
	in := claimOf(f)
	in.id, in.call = c.id, c.call
	return in
}

// settleCalls judges the claims that one native call came to.
func (a *answer) settleCalls(n *nativeCall, claims []*claim) {
	var events []Event
	same := false
	for _, c := range claims {
		from := a.l.changed
		v := a.j.rule(c)
		if !v.OK {
			a.invalid = append(a.invalid, v.Invalid)
			continue
		}
		if broken := a.allowed(v.Call.Name); broken != "" {
			a.l.add(Note{Rule: broken, Stage: StageJudge, Call: v.Call.Name, Was: bounded(c.text)})
			continue
		}
		same = a.l.changed == from && n.begin.Index == a.sent && len(claims) == 1 && v.Call.Type == n.begin.Type
		a.changed = a.changed || a.l.changed != from
		a.keepCall(v.Call)
		events = append(events, a.eventsOf(v.Call)...)
	}
	a.changed = a.changed || len(events) == 0
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

func (a *answer) isEnd(at int) bool {
	_, ok := a.q.slots[at-a.q.base].ev.(CallEnd)
	return ok
}

// expand reads the wrapper that some models put around parallel calls, {"tool_uses":[{"recipient_name","parameters"}]},
// where no tool of its name is declared and every recipient is.
func (a *answer) expand(c *claim) []*claim {
	if _, _, ok := a.s.declared(c.name); ok || !strings.HasSuffix(c.name, "parallel") || !a.l.may("normalise.parallel_wrapper") {
		return nil
	}
	doc := []byte(c.text)
	if jsonx.Valid(doc) != nil {
		return nil
	}
	uses, ok := jsonx.Find(doc, "tool_uses")
	if !ok || jsonx.KindOf(uses) != jsonx.Array {
		return nil
	}
	var out []*claim
	for use := range jsonx.Elements(uses) {
		recipient, _ := jsonx.Find(use, "recipient_name")
		name, ok := jsonx.String(recipient)
		if _, _, known := a.s.declared(name); !ok || !known {
			return nil
		}
		args, _ := jsonx.Find(use, "parameters")
		out = append(out, &claim{name: name, text: string(args), id: c.id + "_" + strconv.Itoa(len(out)), call: c.call})
	}
	return out
}

// settleFound judges the calls found in the text, or reports them where native calls are the answer.
func (a *answer) settleFound() {
	found, rejected := a.found, a.rejected
	a.found, a.rejected = nil, nil
	native := a.good
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
func (a *answer) beside(f *dialect.Call, native []Call) {
	quiet := &judge{s: a.s, l: &ledger{policy: a.l.policy, rules: a.l.rules}, unvalidated: a.j.unvalidated, mint: a.j.mint, taken: never}
	v := quiet.rule(claimOf(f))
	for i := range native {
		if v.OK && native[i].Name == v.Call.Name && jsonx.Equal(native[i].Arguments, v.Call.Arguments) {
			a.l.add(Note{Rule: "normalise.duplicate_text", Stage: StageNormalise, Call: f.Name, Was: f.Raw})
			return
		}
	}
	a.l.add(Note{Rule: "normalise.text_beside_native", Stage: StageNormalise, Call: f.Name, Was: f.Raw})
	a.invalid = append(a.invalid, InvalidCall{Name: strings.Clone(Excerpt(f.Written)), Raw: bounded(f.Raw), Violations: []Violation{{
		Keyword: "beside_native", Message: "the call stands in the text beside native calls and was not run",
	}}})
}

func never(string) bool { return false }

func claimOf(f *dialect.Call) *claim {
	name := f.Name
	if name == "" {
		name = f.Written
	}
	return &claim{id: f.ID, name: name, text: f.JSON, args: f.Args, found: f, cut: f.Truncated}
}

func (a *answer) settleText(f *dialect.Call) {
	rule := "dialect." + f.Format
	if f.InReasoning {
		rule = "reasoning.promoted"
	}
	if !a.l.may(rule) {
		return
	}
	from := len(a.l.notes)
	v := a.j.rule(claimOf(f))
	if !v.OK {
		a.invalid = append(a.invalid, v.Invalid)
		return
	}
	if broken := a.allowed(v.Call.Name); broken != "" {
		a.l.add(Note{Rule: broken, Stage: StageJudge, Call: v.Call.Name, Was: f.Raw})
		return
	}
	n := Note{Rule: rule, Stage: StageNormalise, Call: f.Name, Was: f.Raw, Now: string(v.Call.Arguments)}
	if a.mode == caps.Native {
		row, _ := dialect.Lookup(f.Format)
		n.Fault = row.Fault
	} else {
		n.Risk = Lossless // it was asked for in this form
	}
	a.l.add(n)
	a.l.moveLast(from) // reading came before mending
	if f.NameRule != "" {
		a.l.add(Note{Rule: f.NameRule, Stage: StageJudge, Call: f.Name, Was: f.Written, Now: f.Name})
	}
	if a.fromText++; a.format == "" {
		a.format = f.Format
	}
	a.keepCall(v.Call)
	a.tail = append(a.tail, a.eventsOf(v.Call)...)
}

// reject reports what was meant as a call and cannot be run.
func (a *answer) reject(item dialect.Item) {
	f := item.Call
	rule, message := "judge."+string(item.Why), "the call cannot be run: "+string(item.Why)
	switch item.Why {
	case dialect.Undeclared:
		message = undeclared(f.Written, a.s)
	case dialect.Truncated:
		message = "the call was cut before it was complete"
	case dialect.Malformed:
		message = "the arguments cannot be read"
	}
	a.l.add(Note{Rule: rule, Stage: StageJudge, Call: f.Written, Was: f.Raw, Why: message})
	a.invalid = append(a.invalid, InvalidCall{
		Name: strings.Clone(Excerpt(f.Written)), Raw: bounded(f.Raw), Violations: []Violation{{Keyword: string(item.Why), Message: message}},
	})
}

// promote takes complete calls out of reasoning that a provider sent apart, where nothing else was said.
func (a *answer) promote() {
	if a.text.off || a.reasoning.Len() == 0 || !a.l.may("reasoning.promoted") {
		return
	}
	sc := dialect.NewScanner(a.text.options())
	items := sc.Close(sc.Feed(a.reasoning.String(), nil))
	for _, it := range items {
		if it.Kind == dialect.CallFound {
			it.Call.InReasoning = true
			a.settleText(it.Call)
		}
	}
}

// finish hands the End on, with the finish that the content says.
func (a *answer) finish() {
	a.q.held = false
	want := a.end.Finish
	switch {
	case len(a.good) > 0:
		want = FinishCalls
	case want == FinishCalls, want == "":
		want = FinishStop
	}
	end := *a.end
	if end.Finish = want; want != a.end.Finish && a.end.Finish != "" {
		a.l.add(Note{Rule: "finish.derived", Stage: StageNormalise, Was: string(a.end.Finish), Now: string(want)})
	}
	if want == a.end.Finish && len(a.tail) == 0 {
		a.q.settle(a.endSlot, ready)
	} else {
		a.q.settle(a.endSlot, replaced, append(a.tail, end)...)
	}
	a.q.release()
}

// joinRaw bounds and joins the raw texts of calls that cannot be run, as they go back to the model.
func joinRaw(invalid []InvalidCall) string {
	var b bytes.Buffer
	for i, c := range invalid {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(c.Raw)
	}
	return b.String()
}
