package inbound

import (
	"bytes"
	"github.com/callwright/callwright/reliable/internal/eventqueue"
	"slices"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/reliable/internal/judge"
	"github.com/callwright/callwright/schema"
	"github.com/callwright/callwright/vault"
)

// A Form is the JSON in which a client wants the answer.
type Form struct {
	schema   *schema.Schema // nil for any object
	past     func() map[pastCall]bool
	InPrompt bool // the prompt alone asks for it
}

// A pastCall is a call of the history, whatever the white space and the order of its arguments.
type pastCall struct {
	name      string
	arguments vault.Digest
}

// NewForm is the form that a request asks for, nil where any text is wanted.
func NewForm(req *callwright.Request, schemas *schema.Cache) *Form {
	wanted := req.Params.Format
	if wanted == nil {
		return nil
	}
	f := &Form{past: func() map[pastCall]bool { return pastCalls(req) }}
	if wanted.Schema != nil {
		f.schema, _ = schemas.Compile(wanted.Schema) // the provider refuses one that does not compile
	}
	return f
}

// pastCalls are the calls of the history that have JSON as their arguments.
func pastCalls(req *callwright.Request) map[pastCall]bool {
	msgs, err := req.History()
	if err != nil {
		return nil
	}
	out := map[pastCall]bool{}
	for _, m := range msgs {
		for _, c := range callwright.CallsOf(m.Parts) {
			if c.Type != callwright.CustomTool && jsonx.Valid(c.Arguments) == nil {
				out[pastCall{c.Name, vault.DigestArguments(c.Arguments)}] = true
			}
		}
	}
	return out
}

// fits reports whether a text is the wanted document, with nothing around it.
func (f *Form) fits(text string) bool {
	doc := bytes.TrimSpace([]byte(text))
	if jsonx.Valid(doc) != nil {
		return false
	}
	if f.schema == nil {
		return jsonx.KindOf(doc) == jsonx.Object
	}
	return f.schema.Validate(doc) == nil
}

// wrongForm reports whether an answer without calls is not the document that the prompt asks for.
func (a *Answer) wrongForm() bool {
	return a.Form != nil && a.Form.InPrompt && len(a.Good)+len(a.Invalid) == 0 && a.HasText() && a.End.Finish == callwright.FinishStop &&
		!a.Form.fits(a.Visible.String())
}

// repeats reports whether an answer holds the wanted document and beside it only calls that were made before, word for word: some
// models repeat the calls that they have just answered from.
func (a *Answer) repeats() bool {
	if a.Form == nil || len(a.nativeCalls.pending) == 0 || len(a.Good) > 0 || !a.Form.fits(a.Visible.String()) {
		return false
	}
	past := a.Form.past()
	return !slices.ContainsFunc(a.nativeCalls.pending, func(n *nativeCall) bool {
		return jsonx.Valid(n.text) != nil || !past[pastCall{n.begin.Name, vault.DigestArguments(n.text)}]
	})
}

// dropRepeated leaves out the calls of an answer that repeats.
func (a *Answer) dropRepeated() {
	for _, n := range a.nativeCalls.pending {
		a.Ledger.Add(callwright.Note{Rule: "normalise.repeated_call", Stage: callwright.StageNormalise, Call: n.begin.Name, Was: judge.Bounded(string(n.text))})
		for _, at := range n.slots {
			a.queue.Resolve(at, eventqueue.Dropped)
		}
	}
	a.nativeCalls.pending = nil
}
