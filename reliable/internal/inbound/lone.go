package inbound

import (
	"slices"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/dialect"
	"github.com/callwright/callwright/reliable/internal/document"
	"github.com/callwright/callwright/reliable/internal/judge"
)

// asksInText reports whether the request asked for calls as text.
func (a *Answer) asksInText() bool {
	return a.Setup.Mode != caps.Native || a.Setup.Attempt.ScanOptions().Hint != ""
}

// holdFence buffers the response while its text may be a code block with the arguments of the only tool, which is a
// call.
func (a *Answer) holdFence(text string) {
	switch {
	case a.notLone:
	case a.fence.Feed(text) && a.onlyTool() != nil && (a.queue.HoldAll || a.asksInText()):
		a.queue.HoldAll = true
	default:
		a.notLone, a.queue.HoldAll = true, a.queue.HoldAll && (a.Setup.ChoiceInPrompt || a.Setup.Form != nil)
	}
}

// onlyTool returns the tool if exactly one can be called, otherwise nil.
func (a *Answer) onlyTool() *judge.Target {
	tools := a.Setup.Toolset.ByName
	if len(tools) != 1 {
		return nil
	}
	for name, tg := range tools {
		if a.Setup.Choice.Allows(name) && tg.Tool.Type == callwright.FunctionTool {
			return tg
		}
	}
	return nil
}

// readLone converts a response that is only the arguments of the only tool to a call. The arguments are in a code
// block or, if a document was requested, alone. They must satisfy the tool's schema, which must have required
// properties, and have only declared members.
func (a *Answer) readLone() {
	tg := a.onlyTool()
	if tg == nil || a.refuses || a.Setup.Form != nil || a.Outcome.Delivered.Text || a.Setup.EarlierText ||
		len(a.Outcome.Good)+len(a.Outcome.Invalid)+len(a.Outcome.Delivered.Searches) > 0 || a.cutShort() {
		return
	}
	text := strings.TrimSpace(a.Outcome.Visible.String())
	object, format := document.InFence(text), "markdown_fence"
	if object == "" && a.Setup.Document {
		object, format = text, "bare_json"
	}
	if object == "" || !tg.AreArguments([]byte(object)) || !a.asksInText() || !a.Setup.Ledger.May("dialect."+format) {
		return
	}
	call := &dialect.Call{Name: tg.Tool.Name, Written: tg.Tool.Name, JSON: object, Format: format, Raw: text}
	quiet := a.judge.Quiet()
	quiet.Unvalidated = false // independent of the policy, because only the schema shows that the object is arguments
	if v := quiet.Decide(judge.TextCandidate(call)); !judge.IsCall(&v) {
		return
	}
	a.Outcome.Visible.Reset()
	a.queue.DropTexts()
	a.beforeEnd = slices.DeleteFunc(a.beforeEnd, isText)
	a.judgeText(call)
}
