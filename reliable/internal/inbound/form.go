package inbound

import (
	"bytes"
	"slices"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/reliable/internal/judge"
	"github.com/callwright/callwright/schema"
	"github.com/callwright/callwright/vault"
)

// A form is the JSON that a client wants as the answer.
type Form struct {
	schema *schema.Schema // nil for any object
	past   func() map[pastCall]bool
	Said   bool // the provider was asked for it in words alone
}

// A pastCall is what was called before, whatever the white space and the order of its arguments.
type pastCall struct {
	name      string
	arguments vault.Digest
}

// newForm is that of a request, nil where any text is wanted.
func NewForm(req *callwright.Request, schemas *schema.Cache) *Form {
	wanted := req.Params.Format
	if wanted == nil {
		return nil
	}
	f := &Form{past: func() map[pastCall]bool { return pastCalls(req) }}
	if wanted.Schema != nil {
		f.schema, _ = schemas.Compile(wanted.Schema) // one that does not compile is the provider's to refuse
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

// fits reports whether a text is the document that is wanted, with nothing around it.
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

// unfit reports whether an answer that calls nothing is not the document that the provider was asked for in words.
func (a *Answer) unfit() bool {
	return a.Form != nil && a.Form.Said && len(a.Good)+len(a.Invalid) == 0 && a.said() && a.End.Finish == callwright.FinishStop &&
		!a.Form.fits(a.Visible.String())
}

// repeats reports whether an answer holds the document that is wanted and beside it only calls that were made before, word
// for word: some models call again what they have just answered from.
func (a *Answer) repeats() bool {
	if a.Form == nil || len(a.native) == 0 || len(a.Good) > 0 || !a.Form.fits(a.Visible.String()) {
		return false
	}
	past := a.Form.past()
	return !slices.ContainsFunc(a.native, func(n *nativeCall) bool {
		return jsonx.Valid(n.text) != nil || !past[pastCall{n.begin.Name, vault.DigestArguments(n.text)}]
	})
}

// dropRepeated leaves the calls of such an answer out.
func (a *Answer) dropRepeated() {
	for _, n := range a.native {
		a.Ledger.Add(callwright.Note{Rule: "normalise.repeated_call", Stage: callwright.StageNormalise, Call: n.begin.Name, Was: judge.Bounded(string(n.text))})
		for _, at := range n.slots {
			a.q.settle(at, dropped)
		}
	}
	a.native = nil
}
