package inbound

import (
	"slices"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/reliable/internal/eventqueue"
	"github.com/callwright/callwright/reliable/internal/judge"
	"github.com/callwright/callwright/repair"
)

// holdProse buffers the response if its first text cannot begin the required document, so that it can be repaired or
// corrected at the end. Other text is delivered immediately.
func (a *Answer) holdProse(text string) {
	a.holdFence(text)
	if a.textBegan || !a.Setup.Form.EnforcesFormat() {
		return
	}
	if text = strings.TrimLeft(text, " \t\r\n"); text != "" {
		a.textBegan = true
		a.queue.HoldAll = a.queue.HoldAll || !a.refuses && !a.Setup.Form.MayBegin(text[0])
	}
}

// checkForm checks a response without calls against the required format, and repairs it if its text contains the
// document. Some providers ignore the requested format without an error.
func (a *Answer) checkForm() {
	if !a.Setup.Form.EnforcesFormat() || a.refuses || len(a.Outcome.Good)+len(a.Outcome.Invalid) > 0 || !a.Outcome.HasText() ||
		a.Outcome.End.Finish != callwright.FinishStop {
		return
	}
	why := a.Setup.Form.Violation(a.Outcome.Visible.String())
	if why == "" {
		return
	}
	if !a.Setup.Form.InPrompt {
		a.Setup.Ledger.Add(callwright.Note{Rule: "format.ignored", Stage: callwright.StageValidate, Was: a.Outcome.Visible.String(), Why: why})
	}
	// text delivered to the client can be neither repaired nor corrected
	a.Outcome.WrongForm = !a.Outcome.Delivered.Text && !a.Setup.EarlierText && !a.mendForm()
}

// mendForm extracts the required document from the text and repairs its JSON. It returns false, without a change, if
// there is no document or more than one.
func (a *Answer) mendForm() bool {
	r, err := repair.JSON(a.Outcome.Visible.String())
	if a.Setup.Form.AllowsOtherFormats || err != nil || r.Unclosed > 0 || !a.Setup.Form.Fits(string(r.JSON)) ||
		slices.ContainsFunc(r.Fixes, func(f repair.Fix) bool { return !a.Setup.Ledger.May("json." + f.Rule) }) {
		return false
	}
	if other, err := repair.JSON(r.Rest); err == nil && a.Setup.Form.Fits(string(other.JSON)) {
		return false
	}
	for _, f := range r.Fixes {
		a.judge.NoteFix(f, "")
	}
	a.Outcome.Visible.Reset()
	a.Outcome.Visible.Write(r.JSON)
	a.queue.DropTexts()
	a.beforeEnd = append(slices.DeleteFunc(a.beforeEnd, isText), callwright.TextDelta{Text: string(r.JSON)})
	return true
}

func isText(ev callwright.Event) bool { _, ok := ev.(callwright.TextDelta); return ok }

// repeats reports whether the response has the required document and otherwise only calls that equal earlier ones.
// Some models repeat the calls on which their response is based.
func (a *Answer) repeats() bool {
	if a.Setup.Form == nil || len(a.nativeCalls.held) == 0 || len(a.Outcome.Good) > 0 || !a.Setup.Form.Fits(a.Outcome.Visible.String()) {
		return false
	}
	calls := make([]callwright.Call, len(a.nativeCalls.held))
	for i, n := range a.nativeCalls.held {
		calls[i] = callwright.Call{Name: n.begin.Name, Arguments: n.text}
	}
	return a.Setup.Form.AllPast(calls)
}

// dropRepeated drops the native calls that repeats found to equal earlier ones, with a note for each.
func (a *Answer) dropRepeated() {
	for _, n := range a.nativeCalls.held {
		a.Setup.Ledger.Add(callwright.Note{Rule: "normalise.repeated_call", Stage: callwright.StageNormalise,
			Call: n.begin.Name, Was: judge.ClipRaw(string(n.text))})
		for _, at := range n.slots {
			a.queue.Resolve(at, eventqueue.Dropped)
		}
	}
	a.nativeCalls.held = nil
}
