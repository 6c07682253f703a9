package inbound

import (
	"bytes"
	"slices"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/reliable/internal/eventqueue"
	"github.com/callwright/callwright/reliable/internal/judge"
	"github.com/callwright/callwright/repair"
	"github.com/callwright/callwright/schema"
	"github.com/callwright/callwright/vault"
)

// A Form is the JSON in which a client wants the answer.
type Form struct {
	schema   *schema.Schema // nil for any object
	unknown  bool           // the client's schema does not compile: any JSON is taken
	openers  string         // the bytes with which the document may begin
	loose    bool           // an answer in another form is wanted as it came
	past     func() map[pastCall]bool
	InPrompt bool // the prompt alone asks for it: the provider does not hold its model to it
}

// anyOpeners begin any JSON value.
const anyOpeners = `{["-0123456789tfn`

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
	f := &Form{openers: "{", loose: wanted.Loose, past: func() map[pastCall]bool { return pastCalls(req) }}
	if wanted.Schema == nil {
		return f
	}
	var err error
	f.schema, err = schemas.Compile(wanted.Schema)
	if f.unknown = err != nil; f.unknown || !wantsObject(wanted.Schema) {
		f.openers = anyOpeners
	}
	return f
}

// wantsObject reports whether a schema says at its root that the document is an object.
func wantsObject(schema []byte) bool {
	kind, _ := jsonx.Find(schema, "type")
	name, _ := jsonx.String(kind)
	return name == "object"
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

// mends reports whether an answer in another form is changed, or asked for again.
func (f *Form) mends() bool { return f != nil && (!f.loose || f.InPrompt) }

// violation is how a text differs from the wanted document, "" where it is that and nothing else.
func (f *Form) violation(text string) string {
	doc := bytes.TrimSpace([]byte(text))
	if err := jsonx.Valid(doc); err != nil {
		return "expected a JSON document and nothing else: " + err.Error()
	}
	switch {
	case f.unknown:
	case f.schema == nil && jsonx.KindOf(doc) != jsonx.Object:
		return "expected a JSON object"
	case f.schema != nil:
		if broken := f.schema.Validate(doc); len(broken) > 0 {
			return broken[0].Message
		}
	}
	return ""
}

// fits reports whether a text is the wanted document, with nothing around it.
func (f *Form) fits(text string) bool { return f.violation(text) == "" }

// holdProse holds an answer back from the first text on that cannot be the beginning of the wanted document: at its end it may be mended, or
// asked for again. What begins like the document is handed on as it comes.
func (a *Answer) holdProse(text string) {
	if a.textBegan || !a.Form.mends() {
		return
	}
	if text = strings.TrimLeft(text, " \t\r\n"); text != "" {
		a.textBegan = true
		a.queue.Held = a.queue.Held || !a.refuses && strings.IndexByte(a.Form.openers, text[0]) < 0
	}
}

// checkForm holds an answer without calls against the wanted form, and mends it where its text holds the document. A provider that was asked to
// hold its model to the form may not have done so, and says nothing of it.
func (a *Answer) checkForm() {
	if !a.Form.mends() || a.refuses || len(a.Good)+len(a.Invalid) > 0 || !a.HasText() || a.End.Finish != callwright.FinishStop {
		return
	}
	why := a.Form.violation(a.Visible.String())
	if why == "" {
		return
	}
	if !a.Form.InPrompt {
		a.Ledger.Add(callwright.Note{Rule: "format.ignored", Stage: callwright.StageJudge, Was: a.Visible.String(), Why: why})
	}
	// text that a client has is neither mended nor asked for again
	a.WrongForm = !a.Delivered.Text && !a.EarlierText && !a.mendForm()
}

// mendForm takes the wanted document out of the text around it, and mends its JSON. It reports false, and changes nothing, where no document or
// more than one can be meant.
func (a *Answer) mendForm() bool {
	r, err := repair.JSON(a.Visible.String())
	if a.Form.loose || err != nil || r.Unclosed > 0 || !a.Form.fits(string(r.JSON)) || slices.ContainsFunc(r.Fixes, func(f repair.Fix) bool { return !a.Ledger.May("json." + f.Rule) }) {
		return false
	}
	if other, err := repair.JSON(r.Rest); err == nil && a.Form.fits(string(other.JSON)) {
		return false
	}
	for _, f := range r.Fixes {
		a.judge.NoteFix(f, "")
	}
	a.Visible.Reset()
	a.Visible.Write(r.JSON)
	a.queue.DropTexts()
	a.beforeEnd = append(slices.DeleteFunc(a.beforeEnd, isText), callwright.TextDelta{Text: string(r.JSON)})
	return true
}

func isText(ev callwright.Event) bool { _, ok := ev.(callwright.TextDelta); return ok }

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
