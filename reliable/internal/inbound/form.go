package inbound

import (
	"slices"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/reliable/internal/eventqueue"
	"github.com/callwright/callwright/reliable/internal/judge"
	"github.com/callwright/callwright/repair"
)

// holdProse holds an answer back from the first text on that cannot be the beginning of the wanted document: at its end
// it may be repaired or corrected. Text that begins like the document is handed on as it comes.
func (a *Answer) holdProse(text string) {
	a.holdFence(text)
	if a.textBegan || !a.Setup.Form.Mends() {
		return
	}
	if text = strings.TrimLeft(text, " \t\r\n"); text != "" {
		a.textBegan = true
		a.queue.HoldAll = a.queue.HoldAll || !a.refuses && !a.Setup.Form.MayBegin(text[0])
	}
}

// checkForm holds an answer without calls against the wanted form, and mends it where its text holds the document. A
// provider that was asked to hold its model to the form may not have done so, and says nothing of it.
func (a *Answer) checkForm() {
	if !a.Setup.Form.Mends() || a.refuses || len(a.Outcome.Good)+len(a.Outcome.Invalid) > 0 || !a.Outcome.HasText() ||
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
	// text that a client has is neither mended nor asked for again
	a.Outcome.WrongForm = !a.Outcome.Delivered.Text && !a.Setup.EarlierText && !a.mendForm()
}

// mendForm takes the wanted document out of the text around it, and mends its JSON. It reports false, and changes
// nothing, where no document or more than one can be meant.
func (a *Answer) mendForm() bool {
	r, err := repair.JSON(a.Outcome.Visible.String())
	if a.Setup.Form.Loose || err != nil || r.Unclosed > 0 || !a.Setup.Form.Fits(string(r.JSON)) ||
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

// repeats reports whether an answer holds the wanted document and beside it only calls that were made before, word for
// word: some models repeat the calls that they have just answered from.
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

// dropRepeated leaves out the calls of an answer that repeats.
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
