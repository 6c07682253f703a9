package responses

import (
	"bytes"
	"slices"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/wire"
	"github.com/callwright/callwright/wire/internal/kit"
)

// encoding is one request on its way to a provider.
type encoding struct {
	writer
	req      *callwright.Request
	caps     caps.Caps
	ids      *kit.IDs
	body     *body // of this wire, nil for a request that was built or came over another
	flat     bool  // tools of namespaces are written as plain functions
	kept     bool  // the provider may keep the conversation
	hasTools bool
	hadTools bool // the body had tools when it came
	notes    []callwright.Note
}

func (e *encoding) note(n callwright.Note) {
	n.Stage = callwright.StageEncode
	n.Was, n.Now = callwright.Excerpt(n.Was), callwright.Excerpt(n.Now)
	e.notes = append(e.notes, n)
}

// tools are the declared tools; those of a body that cannot be read count as none, which is reported elsewhere.
func (e *encoding) tools() []callwright.Tool {
	tools, err := e.req.DeclaredTools()
	if err != nil {
		return nil
	}
	return tools
}

// EncodeRequest writes the request for a provider. The bytes of a body of this wire stay as they are but for the model's
// name and what was changed, or what the API or the caps do not allow; other requests are written anew, and the provider is
// asked not to keep them.
func (Codec) EncodeRequest(req *callwright.Request, name string, c caps.Caps) ([]byte, []callwright.Note, error) {
	e := &encoding{writer: newWriter(nil), req: req, caps: c, ids: kit.NewIDs(c.IDs)}
	e.body, _ = req.Body.(*body)
	var err error
	if e.body != nil {
		err = e.patchBody(name)
	} else {
		err = e.build(name)
	}
	if err != nil {
		return nil, nil, err
	}
	return wire.ApplyEdits(e.Buf, req.Edits), e.notes, nil
}

// build writes every member.
func (e *encoding) build(name string) error {
	messages, err := e.req.History()
	if err != nil {
		return err
	}
	tools, err := e.req.DeclaredTools()
	if err != nil {
		return err
	}
	store := ownMember(e.req.Extra, "store")
	e.kept = e.req.Extra.Wire == callwright.WireResponses && (store == nil || jsonx.IsTrue(store))
	e.hasTools = slices.ContainsFunc(tools, declared)
	e.Buf = make([]byte, 0, kit.Room(messages))
	e.Open("", '{')
	e.Text("model", name)
	instructions, messages := e.instructions(messages)
	if instructions != "" {
		e.Text("instructions", instructions)
	}
	e.Key("input")
	e.history(messages)
	if e.hasTools {
		e.Key("tools")
		e.toolset(tools)
	}
	params := e.req.Params
	for _, s := range settings {
		s.write(e, &params)
	}
	e.absent(&params)
	if store == nil {
		e.Truth("store", false)
	}
	if e.caps.Reasoning == caps.ReasoningEncrypted && ownMember(e.req.Extra, "include") == nil {
		e.Raw("include", []byte(`["reasoning.encrypted_content"]`))
	}
	e.Extra(e.req.Extra, "text")
	e.notes = append(e.notes, kit.Lost(e.req.Extra, callwright.WireResponses)...)
	e.Close('}')
	return nil
}

// change is what becomes of a top-level member: another value, or nil for none.
type change struct {
	key   string
	value []byte
	made  bool
}

// patchBody writes the body's bytes with the changes that are needed.
func (e *encoding) patchBody(name string) error {
	b := e.body
	e.kept = b.kept
	if bytes.Contains(b.toolList(), []byte(`"namespace"`)) {
		b.readTools()
		e.flat = b.names.flat
	}
	changes := append(make([]change, 0, 8), change{key: "model", value: jsonx.AppendQuote(nil, name)})
	list := b.toolList()
	e.hadTools = jsonx.IsArray(list) && list[jsonx.Space(list, 1)] != ']'
	e.hasTools = e.hadTools
	if tools := e.req.Tools; tools != nil || e.flat {
		if tools == nil {
			tools = b.tools
			e.note(callwright.Note{Rule: "tools.flattened", Risk: callwright.RiskLossless, Path: "/tools", Why: "two tools come to one name"})
		}
		if e.hasTools = slices.ContainsFunc(tools, declared); e.hasTools {
			changes = append(changes, change{key: "tools", value: e.apart(func() { e.toolset(tools) })})
		} else {
			changes = append(changes, change{key: "tools"})
		}
	}
	messages, err := e.changedHistory()
	if err != nil {
		return err
	}
	if messages != nil {
		changes = e.changedInput(messages, changes)
	}
	e.Buf = b.rewrite(e.changedSettings(changes))
	return nil
}

// changedInput adds the history to the changes. Instructions that nobody touched stay as they are.
func (e *encoding) changedInput(messages []callwright.Message, changes []change) []change {
	b := e.body
	raw, same := []byte(nil), false
	if b.system && len(messages) > 0 {
		h := historian{encoding: e, came: e.originals()}
		raw, same = h.untouched(messages[0])
	}
	switch instructions, rest := e.instructions(messages); {
	case same:
		changes = append(changes, change{key: "instructions", value: raw})
		messages = rest
	case instructions != "":
		changes = append(changes, change{key: "instructions", value: jsonx.AppendQuote(nil, instructions)})
		messages = rest
	case b.system:
		changes = append(changes, change{key: "instructions"})
	}
	return append(changes, change{key: "input", value: e.apart(func() { e.history(messages) })})
}

// apart gives what write writes, on its own.
func (e *encoding) apart(write func()) []byte {
	kept := e.Buf
	e.Buf = nil
	write()
	out := e.Buf
	e.Buf = kept
	return out
}

// changedHistory is the history where it has to be written anew, nil where the body's own bytes serve.
func (e *encoding) changedHistory() ([]callwright.Message, error) {
	if e.req.Messages != nil {
		return e.req.Messages, nil
	}
	for i := range e.body.outline {
		if !e.fits(i) {
			return e.body.Messages()
		}
	}
	return nil, nil
}

// fits reports whether a turn of the body may be sent as it came.
func (e *encoding) fits(i int) bool {
	t, p := &e.body.outline[i], &e.body.turns[i]
	for _, c := range t.Calls {
		if c.ID != "" && !kit.FitsID(e.caps.IDs, c.ID) || e.flat {
			return false
		}
	}
	for _, id := range t.Results {
		if id != "" && !kit.FitsID(e.caps.IDs, id) {
			return false
		}
	}
	return !t.Reasoning || !p.orphan && (!p.bare || e.kept) && !e.body.foreign(i)
}

// changedSettings adds the settings that differ from those that were decoded, and those that the caps do not allow.
func (e *encoding) changedSettings(changes []change) []change {
	now, was := e.req.Params, e.body.params
	restricted := e.caps.ChoiceField == caps.No || e.caps.ParallelField == caps.No
	if e.req.Tools == nil && !e.flat && !restricted && kit.SameParams(&now, &was) {
		return changes
	}
	notes := e.notes
	for _, s := range settings {
		if _, came := e.body.find(s.key); came && ownMember(e.req.Extra, s.key) != nil && s.key == "tool_choice" && e.hasTools {
			continue // the choice of a provider's tool
		}
		hasTools := e.hasTools
		e.hasTools = e.hadTools
		before := e.apart(func() { s.write(e, &was) })
		e.hasTools, e.notes = hasTools, nil
		after := e.apart(func() { s.write(e, &now) })
		_, came := e.body.find(s.key)
		refused := came && len(after) == 0 && s.refuses != nil && s.refuses(e)
		if bytes.Equal(after, before) && !refused && !(e.flat && s.key == "tool_choice") {
			continue
		}
		notes = append(notes, e.notes...)
		v, _ := jsonx.Find(append(append([]byte{'{'}, after...), '}'), s.key)
		changes = append(changes, change{key: s.key, value: v})
	}
	e.notes = notes
	return changes
}

// rewrite is the body with the changes: members that it has get their new value or go, others are added at its end.
func (b *body) rewrite(changes []change) []byte {
	grown := 64
	for _, c := range changes {
		grown += len(c.key) + len(c.value) + 4
	}
	start := jsonx.Space(b.raw, 0) + 1
	out := append(make([]byte, 0, len(b.raw)+grown), b.raw[:start]...)
	end, kept := start, true // of the member before, and whether it was written
	for _, m := range b.members {
		value, gone := b.raw[m.from:m.to], false
		for i := range changes {
			if c := &changes[i]; m.key.Is(c.key) {
				value, gone, c.made = c.value, c.value == nil, true
			}
		}
		if !gone {
			if kept {
				out = append(out, b.raw[end:m.name]...)
			} else if len(out) > start {
				out = append(out, ',')
			}
			out = append(append(out, b.raw[m.name:m.from]...), value...)
		}
		kept, end = !gone, m.to
	}
	w := newWriter(out)
	for _, c := range changes {
		if !c.made && c.value != nil {
			w.Raw(c.key, c.value)
		}
	}
	return append(w.Buf, b.raw[end:]...)
}
