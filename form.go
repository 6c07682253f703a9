package callwright

import (
	"bytes"
	"slices"

	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/schema"
	"github.com/callwright/callwright/vault"
)

// A form is the JSON that a client wants as the answer.
type form struct {
	schema *schema.Schema // nil for any object
	past   func() map[pastCall]bool
	said   bool // the provider was asked for it in words alone
}

// A pastCall is what was called before, whatever the white space and the order of its arguments.
type pastCall struct {
	name      string
	arguments vault.Digest
}

// form is that of the request, nil where any text is wanted.
func (r *run) form() *form {
	wanted := r.req.Params.Format
	if wanted == nil {
		return nil
	}
	f := &form{past: r.pastCalls}
	if wanted.Schema != nil {
		f.schema, _ = r.o.schemas.Compile(wanted.Schema) // one that does not compile is the provider's to refuse
	}
	return f
}

// pastCalls are the calls of the history that have JSON as their arguments.
func (r *run) pastCalls() map[pastCall]bool {
	msgs, err := r.req.History()
	if err != nil {
		return nil
	}
	out := map[pastCall]bool{}
	for _, m := range msgs {
		for _, c := range CallsOf(m.Parts) {
			if c.Type != Custom && jsonx.Valid(c.Arguments) == nil {
				out[pastCall{c.Name, vault.DigestArguments(c.Arguments)}] = true
			}
		}
	}
	return out
}

// fits tells whether a text is the document that is wanted, with nothing around it.
func (f *form) fits(text string) bool {
	doc := bytes.TrimSpace([]byte(text))
	if jsonx.Valid(doc) != nil {
		return false
	}
	if f.schema == nil {
		return jsonx.KindOf(doc) == jsonx.Object
	}
	return f.schema.Validate(doc) == nil
}

// unfit tells whether an answer that calls nothing is not the document that the provider was asked for in words.
func (a *answer) unfit() bool {
	return a.form != nil && a.form.said && len(a.good)+len(a.invalid) == 0 && a.said() && a.end.Finish == FinishStop &&
		!a.form.fits(a.visible.String())
}

// repeats tells whether an answer holds the document that is wanted and beside it only calls that were made before, word
// for word: some models call again what they have just answered from.
func (a *answer) repeats() bool {
	if a.form == nil || len(a.native) == 0 || len(a.good) > 0 || !a.form.fits(a.visible.String()) {
		return false
	}
	past := a.form.past()
	return !slices.ContainsFunc(a.native, func(n *nativeCall) bool {
		return jsonx.Valid(n.text) != nil || !past[pastCall{n.begin.Name, vault.DigestArguments(n.text)}]
	})
}

// dropRepeated leaves the calls of such an answer out.
func (a *answer) dropRepeated() {
	for _, n := range a.native {
		a.l.add(Note{Rule: "normalise.repeated_call", Stage: StageNormalise, Call: n.begin.Name, Was: bounded(string(n.text))})
		for _, at := range n.slots {
			a.q.settle(at, dropped)
		}
	}
	a.native = nil
}

// sayFormat puts the form of the answer into words where the provider takes none beside tools, or cannot hold its model to that
// one. Where no tool may be called, the tools go instead.
func sayFormat(sh *shaped, c caps.Caps, tools bool, l *ledger) error {
	out := sh.req
	f := out.Params.Format
	open := f != nil && c.OpenObjects == caps.No && opens(f.Schema, 0)
	if f == nil || !open && (!tools || c.JSONWithTools != caps.No) {
		return nil
	}
	if !open && out.Params.Choice.Mode == None && !c.History.ToolsForCalls {
		l.add(Note{Rule: "tools.not_allowed", Stage: StageOutbound, Why: "the provider takes no form of the answer beside tools"})
		out.Tools, out.Params.Choice, out.Params.Parallel = []Tool{}, Choice{}, nil
		return nil
	}
	l.add(Note{Rule: "format.emulated", Stage: StageOutbound})
	out.Params.Format, sh.said = nil, true
	return addSystem(out, formatSentence(f))
}

func formatSentence(f *Format) string {
	text := "When you answer and call no tool, write one JSON object and nothing else: no code fence, no text around it."
	if f.Schema != nil {
		text += " It must satisfy this JSON Schema:\n" + string(jsonx.Compact(nil, f.Schema))
	}
	return text
}

// maxSchemaDepth bounds how deep a schema is looked into.
const maxSchemaDepth = 64

// opens tells whether a schema has an object of any keys: one without properties, or with a schema for further ones.
func opens(v []byte, depth int) bool {
	if depth > maxSchemaDepth || !isObject(v) {
		return false
	}
	closed, object, keys := false, false, false
	for k, m := range jsonx.Members(v) {
		switch m := jsonx.Trim(m); {
		case k.Is("type"):
			object = string(m) == `"object"`
		case k.Is("additionalProperties"):
			if closed = string(m) == "false"; !closed {
				return true
			}
		case k.Is("patternProperties"):
			return true
		case k.Is("properties"), k.Is("$defs"), k.Is("definitions"):
			keys = keys || k.Is("properties")
			for _, p := range jsonx.Members(m) {
				if opens(jsonx.Trim(p), depth+1) {
					return true
				}
			}
		case k.Is("items"):
			if opens(m, depth+1) {
				return true
			}
		case k.Is("anyOf"), k.Is("oneOf"), k.Is("allOf"), k.Is("prefixItems"):
			for p := range jsonx.Elements(m) {
				if opens(jsonx.Trim(p), depth+1) {
					return true
				}
			}
		}
	}
	return object && !keys && !closed
}
