// Package askedform recognises text that belongs to the form in which calls were asked for as text: it is no failure.
package askedform

import (
	"slices"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/dialect"
	"github.com/callwright/callwright/reliable/internal/judge"
)

// A Form is the form in which one answer's calls were asked for.
type Form struct {
	Ledger  *judge.Ledger
	InText  bool     // calls were asked for as text
	Formats []string // names of the formats; nil: any
	Attempt interface {
		ScanOptions() dialect.Options // by which the text is searched
	}

	found bool // a call in the text was read
}

// Note notes that a call in the text was read. One in the form that was asked for is no fault.
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
		n.Risk = callwright.RiskLossless // calls were asked for as text
	}
	f.Ledger.Add(n)
}

// Derives reports whether a finish is derived from the calls because an answer with calls as text has none of its own.
// A native call has one, also where calls were asked for as text.
func (f *Form) Derives(came, finish callwright.Finish) bool {
	return f.InText && f.found && came == callwright.FinishStop && finish == callwright.FinishCalls
}

// markRules are the rules of notes on marks that are taken out of an answer beside its calls.
var markRules = []string{"mark.template", "mark.header"}

// forgive takes the fault from notes on marks with which the format of a call writes it, such as the token that ends a
// message of calls.
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
