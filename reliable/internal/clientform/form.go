// Package clientform gives calls the form of the client's API, which the encoder of the provider's API took from the
// request: ids, where that API has none, and free text, where it has functions alone.
package clientform

import (
	"slices"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/reliable/internal/judge"
)

// ruleMissingID is the rule of the note on a call without an id.
const ruleMissingID = "id.missing"

// A Form is the form of the calls of one answer. All its fields are to be set.
type Form struct {
	Wire    callwright.WireName // the client's, "" for a caller in Go
	IDs     caps.IDRule         // the ids that the client can hand back
	Toolset *judge.Toolset
	Ledger  *judge.Ledger
	Mint    func(prefix string) string

	texts map[int][]byte // the arguments of open calls of tools that take free text, by the calls' indexes
}

// ID is the id of a call of an answer of a wire as the client takes it, with a note where that is another one.
func (f *Form) ID(begin *callwright.CallBegin, wire callwright.WireName) string {
	if begin.ID == "" {
		return f.ensureCallID(begin, wire)
	}
	id := judge.EscapedID(begin.ID, f.IDs)
	if id == begin.ID || !f.Ledger.May(judge.RuleEscapedID) {
		return begin.ID
	}
	f.Ledger.Add(callwright.Note{Rule: judge.RuleEscapedID, Stage: callwright.StageEncode, Call: begin.Name, Was: begin.ID, Now: id})
	return id
}

// ensureCallID is the id of a call: a new one, with a note, where it has none and the answer is of another API than the
// client's.
func (f *Form) ensureCallID(begin *callwright.CallBegin, wire callwright.WireName) string {
	if begin.ID != "" || f.Wire == "" || f.Wire == wire {
		return begin.ID
	}
	id := f.Mint("call_")
	f.Ledger.Add(callwright.Note{Rule: ruleMissingID, Stage: callwright.StageEncode, Call: begin.Name, Now: id})
	return id
}

// Apply changes the events of a batch that is handed on as it came otherwise. It reports whether the bytes of the batch
// were left out, as they do not fit any more.
func (f *Form) Apply(b *callwright.Batch) (rewritten bool) {
	if !slices.ContainsFunc(b.Events, f.concerns) {
		return false
	}
	out := make([]callwright.Event, 0, len(b.Events)+1)
	for _, ev := range b.Events {
		switch e := ev.(type) {
		case callwright.CallBegin:
			e.ID = f.ensureCallID(&e, b.Wire)
			if tg := f.Toolset.ByName[e.Name]; tg != nil && tg.Tool.Type == callwright.CustomTool && e.Type != callwright.CustomTool {
				if f.texts == nil {
					f.texts = map[int][]byte{}
				}
				f.texts[e.Index], e.Type, rewritten = []byte{}, callwright.CustomTool, true
			}
			ev = e
		case callwright.CallDelta:
			if held, is := f.texts[e.Index]; is {
				f.texts[e.Index], rewritten = append(held, e.Text...), true
				continue
			}
		case callwright.CallEnd:
			if held, is := f.texts[e.Index]; is {
				out = append(out, callwright.CallDelta{Index: e.Index, Text: inputIn(held)})
				delete(f.texts, e.Index)
				rewritten = true
			}
		}
		out = append(out, ev)
	}
	if b.Events = out; rewritten {
		b.Wire, b.Raw, b.Hint = "", nil, nil
	}
	return rewritten
}

// concerns reports whether an event may have to change.
func (f *Form) concerns(ev callwright.Event) bool {
	switch ev.(type) {
	case callwright.CallBegin:
		return true
	case callwright.CallDelta, callwright.CallEnd:
		return len(f.texts) > 0
	}
	return false
}

// inputIn is the free text in the arguments of the function in place of its tool: their parameter, else the arguments
// themselves.
func inputIn(arguments []byte) string {
	if input, ok := jsonx.Find(arguments, "input"); ok && jsonx.IsText(input) && jsonx.Valid(arguments) == nil {
		return jsonx.TextOf(input)
	}
	return string(arguments)
}
