// Package clientform converts calls to the form of the client's API if the provider's API differs: it adds call IDs,
// and converts function arguments to the free-text input of custom tools.
package clientform

import (
	"slices"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/reliable/internal/judge"
)

// ruleMissingID is the rule of the note about a call without an ID.
const ruleMissingID = "id.missing"

// A Form converts IDs and custom inputs of a response's calls for the client's API. All exported fields must be set.
type Form struct {
	Wire    callwright.WireName // the client's API, "" for a Go program
	IDs     caps.IDRule         // the call IDs that the client's API accepts
	Toolset *judge.Toolset
	Ledger  *judge.Ledger
	Mint    func(prefix string) string

	texts map[int][]byte // arguments of incomplete custom-tool calls, by call index
}

// ID returns the ID of a call for the client. wire is the API of the response. If the ID is changed, this is noted.
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

// ensureCallID returns the ID of a call. If the call has none and the response is of another API than the client's, it
// returns a new ID and notes this.
func (f *Form) ensureCallID(begin *callwright.CallBegin, wire callwright.WireName) string {
	if begin.ID != "" || f.Wire == "" || f.Wire == wire {
		return begin.ID
	}
	id := f.Mint("call_")
	f.Ledger.Add(callwright.Note{Rule: ruleMissingID, Stage: callwright.StageEncode, Call: begin.Name, Now: id})
	return id
}

// Apply converts the events of a batch that is otherwise delivered unchanged. rewritten reports that the batch's bytes
// were removed because they no longer match.
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

// concerns reports whether ev may need a conversion.
func (f *Form) concerns(ev callwright.Event) bool {
	switch ev.(type) {
	case callwright.CallBegin:
		return true
	case callwright.CallDelta, callwright.CallEnd:
		return len(f.texts) > 0
	}
	return false
}

// inputIn returns the free-text input from a function's arguments: the parameter "input", or otherwise the whole
// arguments.
func inputIn(arguments []byte) string {
	if input, ok := jsonx.Find(arguments, "input"); ok && jsonx.IsText(input) && jsonx.Valid(arguments) == nil {
		return jsonx.TextOf(input)
	}
	return string(arguments)
}
