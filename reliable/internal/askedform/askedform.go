// Package askedform identifies text that belongs to a requested text format of calls, so that it is not noted as a
// fault.
package askedform

import (
	"slices"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/dialect"
	"github.com/callwright/callwright/reliable/internal/judge"
)

// A Form is the requested format of the calls in one response.
type Form struct {
	Ledger  *judge.Ledger
	InText  bool     // calls were requested as text
	Formats []string // names of the requested formats; nil means any
	Attempt interface {
		ScanOptions() dialect.Options // options for parsing the response text
	}

	found bool // a call was parsed from the text
}

// Note adds the note n about a call c parsed from text. A call in the requested format is noted without a fault.
func (f *Form) Note(c *dialect.Call, n callwright.Note) {
	f.found = true
	if f.InText && !c.InReasoning && (f.Formats == nil || slices.Contains(f.Formats, c.Format)) {
		f.forgive(c)
		f.Ledger.AddAsked(n)
		return
	}
	if row, _ := dialect.Lookup(c.Format); !c.InReasoning {
		n.Fault = row.Fault
	}
	if f.InText {
		n.Risk = callwright.RiskLossless // the request required calls as text
	}
	f.Ledger.Add(n)
}

// Derives reports whether the finish reason differs only because calls were requested as text: the provider reported
// "stop" (came) for a response with such calls, whose finish is FinishCalls.
func (f *Form) Derives(came, finish callwright.Finish) bool {
	return f.InText && f.found && came == callwright.FinishStop && finish == callwright.FinishCalls
}

// markRules are the rules of notes about markers that are removed from a response.
var markRules = []string{"mark.template", "mark.header"}

// forgive removes the fault from notes about markers with which the format writes its calls, such as the token that
// ends a message.
func (f *Form) forgive(c *dialect.Call) {
	isMark := func(n callwright.Note) bool { return n.Risk != "" && slices.Contains(markRules, n.Rule) }
	if !slices.ContainsFunc(f.Ledger.Notes, isMark) {
		return
	}
	format, _ := f.Attempt.ScanOptions().Marks.Lookup(c.Format)
	if !format.Renders() {
		return
	}
	call := dialect.RenderedCall{Name: c.Written, Arguments: []byte("{}")}
	written := format.RenderCalls([]dialect.RenderedCall{call, call})
	f.Ledger.Forgive(func(n *callwright.Note) bool { return isMark(*n) && n.Was != "" && strings.Contains(written, n.Was) })
}
