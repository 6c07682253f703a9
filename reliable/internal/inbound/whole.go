package inbound

import (
	"slices"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/dialect"
	"github.com/callwright/callwright/reliable/internal/judge"
	"github.com/callwright/callwright/reliable/internal/opening"
)

// TakeWhole accepts a complete response if nothing in it must be changed, removed, noted or stored. It then sets
// a.Whole and delivers nothing. Otherwise it returns false without an effect, and the response must be passed to Take
// as a batch.
func (a *Answer) TakeWhole(resp *callwright.Response) bool {
	if !a.mayTakeWhole(resp) {
		return false
	}
	lead, calls := leadingText(resp.Parts)
	text := lead.Text
	if !a.takeCalls(calls, wholeBytes-len(text)) || !a.Setup.TextOff && !dialect.IsPlain(text) &&
		!dialect.ScansAsText(a.Setup.Attempt.ScanOptions(), text) {
		a.Outcome.Good = nil
		a.judge.Restart()
		return false
	}
	out := *resp
	out.Parts = slices.Clone(resp.Parts)
	if lead.Extra.Wire != "" && len(lead.Extra.JSON) == 0 { // events cannot represent this Extra
		out.Parts[0] = callwright.Text{Text: text}
	}
	a.Outcome.Visible.WriteString(text)
	a.noteUnread()
	if out.Usage = a.Outcome.Usage; resp.Usage.Known {
		out.Usage = out.Usage.Merge(resp.Usage)
	}
	a.Whole, a.Outcome.Usage, a.Outcome.Clean = &out, out.Usage, len(a.Outcome.Good)
	a.Outcome.Begun, a.Outcome.Opening = true, callwright.Begin{ID: resp.ID, Model: resp.Model, Extra: resp.Extra}
	a.end.Finish = resp.Finish
	a.Outcome.End = &a.end
	if a.Setup.Start == opening.Unsure && text != "" {
		a.Outcome.Thoughts.Primed = caps.No
	}
	if resp.Raw != nil {
		a.Outcome.AnswerWire = resp.Raw.Wire
	}
	if resp.Report != nil {
		for _, n := range resp.Report.Notes {
			a.Setup.Ledger.Add(n)
		}
	}
	return true
}

// Limits of a response for TakeWhole: number of parts, and bytes of text and calls.
const (
	wholeParts = 64
	wholeBytes = 1 << 20
)

// mayTakeWhole reports whether TakeWhole can accept a response, apart from its text and calls. The mode must be native
// with declared tool names. The client must have received nothing. The response must have at most one text, before the
// calls, and a normal end.
func (a *Answer) mayTakeWhole(resp *callwright.Response) bool {
	if !a.Setup.WantsWhole || a.Setup.Passthrough || a.Setup.Mode != caps.Native || a.Setup.NoBytes || a.Setup.Form != nil ||
		a.judge.Transform != nil ||
		a.Setup.MaxOutput > 0 && resp.Usage.Output >= a.Setup.MaxOutput || len(resp.Parts) > wholeParts {
		return false
	}
	lead, calls := leadingText(resp.Parts)
	if len(calls) < len(resp.Parts) && strings.TrimSpace(lead.Text) == "" || !a.beginsAsText(lead.Text) {
		return false
	}
	if len(calls) == 0 {
		return resp.Finish == callwright.FinishStop && lead.Text != "" && !a.Setup.Choice.IsForced()
	}
	return resp.Finish == callwright.FinishCalls
}

// leadingText returns the text at the beginning of a response, if any, and the other parts.
func leadingText(parts []callwright.Part) (text callwright.Text, rest []callwright.Part) {
	if len(parts) > 0 {
		if t, ok := parts[0].(callwright.Text); ok {
			return t, parts[1:]
		}
	}
	return text, parts
}

// takeCalls adds the calls of a complete response to the outcome. room is the remaining size limit in bytes. It
// returns false if a part is not a call, a call needs a change, or the limit is exceeded.
func (a *Answer) takeCalls(parts []callwright.Part, room int) bool {
	a.Outcome.Good = make([]callwright.Call, 0, len(parts))
	for _, p := range parts {
		c, ok := p.(callwright.Call)
		if room -= len(c.Name) + len(c.Arguments); !ok || room < 0 || !a.passesAsItCame(&c) {
			return false
		}
		a.keepCall(c)
	}
	return room >= 0
}

// passesAsItCame reports whether a call can be delivered unchanged and without a note.
func (a *Answer) passesAsItCame(c *callwright.Call) bool {
	return c.Type == callwright.FunctionTool && c.Input+c.Raw+c.Signature == "" && !c.Unvalidated &&
		judge.EscapedID(c.ID, a.Setup.ClientIDs) == c.ID && (a.Setup.Calls.Known == 0 || a.callCount() < a.Setup.Calls.Known) &&
		a.toolNeedsNoChange(c.Name) && a.judge.Sound(c) && !a.judge.IsSuspect(c)
}
