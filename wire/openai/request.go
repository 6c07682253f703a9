package openai

import (
	"bytes"

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
	name     string // of the model at the provider
	caps     caps.Caps
	ids      *kit.IDs
	body     *body // of this wire, nil for a request that was built or came over another
	patch    bool  // the body's bytes stay but for what differs
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
// name and what was changed, or what the caps do not allow; other requests are written anew.
func (Codec) EncodeRequest(req *callwright.Request, name string, c caps.Caps) ([]byte, []callwright.Note, error) {
	e := &encoding{writer: newWriter(nil), req: req, name: name, caps: c, ids: kit.NewIDs(c.IDs)}
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
	e.hasTools = len(tools) > 0
	e.Buf = make([]byte, 0, kit.Room(messages))
	e.Open("", '{')
	e.Text("model", name)
	e.Key("messages")
	e.history(messages)
	if e.hasTools {
		e.Key("tools")
		e.toolset(tools)
	}
	params := e.req.Params
	for _, s := range settings {
		s.write(e, &params)
	}
	e.Extra(e.req.Extra, "functions")
	e.notes = append(e.notes, kit.Lost(e.req.Extra, callwright.WireOpenAI)...)
	e.Close('}')
	return nil
}

// change is what becomes of a top-level member: another value, or nil for none.
type change struct {
	key   string
	value []byte
}

// patchBody writes the body's bytes with the changes that are needed.
func (e *encoding) patchBody(name string) error {
	e.patch = true
	changes := make([]change, 1, 8)
	changes[0] = change{"model", jsonx.AppendQuote(nil, name)}
	var added []change
	put := func(key string, value []byte) {
		if _, ok := e.body.find(key); ok || value == nil {
			changes = append(changes, change{key, value})
			return
		}
		added = append(added, change{key, value})
	}
	e.hadTools = e.body.declares("tools") || e.body.declares("functions")
	e.hasTools = e.hadTools
	if e.req.Tools != nil {
		e.hasTools = len(e.req.Tools) > 0
		changes = append(changes, change{"functions", nil}, change{"function_call", nil})
		var list []byte
		if e.hasTools {
			list = e.apart(func() { e.toolset(e.req.Tools) })
		}
		put("tools", list)
	} else if e.refusesStrict() {
		tools, err := e.body.Tools()
		if err != nil {
			return err
		}
		put("tools", e.apart(func() { e.toolset(tools) }))
	}
	messages, err := e.changedHistory()
	if err != nil {
		return err
	}
	if messages != nil {
		list := e.apart(func() { e.history(messages) })
		put("messages", list)
	}
	changes, added = e.changedSettings(changes, added)
	e.Buf = e.body.rewrite(changes, added)
	return nil
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

// changedSettings adds the settings that differ from those that were decoded, and those that the caps do not allow.
func (e *encoding) changedSettings(changes, added []change) ([]change, []change) {
	now, was := e.req.Params, e.body.params
	if e.req.Tools == nil && !e.restricted() && kit.SameParams(&now, &was) {
		return changes, added
	}
	notes := e.notes
	for _, s := range settings {
		e.notes = nil
		hasTools := e.hasTools
		after := e.apart(func() { s.write(e, &now) })
		e.hasTools = e.hadTools
		before := e.apart(func() { s.write(e, &was) })
		e.hasTools = hasTools
		if bytes.Equal(after, before) && (s.refuses == nil || !s.refuses(e, after)) {
			continue
		}
		e.notes = nil
		e.apart(func() { s.write(e, &now) })
		notes = append(notes, e.notes...)
		for _, key := range s.keys {
			changes = append(changes, change{key, nil})
		}
		whole := append(append([]byte{'{'}, after...), '}')
		for k, v := range jsonx.Members(whole) {
			added = append(added, change{k.String(), v})
		}
	}
	e.notes = notes
	return changes, added
}

// restricted reports whether the caps may forbid or rename a setting.
func (e *encoding) restricted() bool {
	c := &e.caps
	return c.ChoiceField == caps.No || c.ParallelField == caps.No || c.StreamUsage == caps.No || c.MaxTokensKey != ""
}

// rewrite is the body with changes to members that it has and with members added at its end.
func (b *body) rewrite(changes, added []change) []byte {
	grown := 64
	for _, c := range append(changes, added...) {
		grown += len(c.key) + len(c.value) + 4
	}
	start := jsonx.Space(b.raw, 0) + 1
	out := append(make([]byte, 0, len(b.raw)+grown), b.raw[:start]...)
	end, kept := start, true // of the member before, and whether it was written
	for _, m := range b.members {
		value, gone := b.raw[m.value.from:m.value.to], false
		for _, c := range changes {
			if m.key.Is(c.key) {
				value, gone = c.value, c.value == nil
			}
		}
		if !gone {
			if kept {
				out = append(out, b.raw[end:m.from]...)
			} else if len(out) > start {
				out = append(out, ',')
			}
			out = append(append(out, b.raw[m.from:m.value.from]...), value...)
		}
		kept, end = !gone, m.value.to
	}
	w := newWriter(out)
	for _, c := range added {
		w.Raw(c.key, c.value)
	}
	return append(w.Buf, b.raw[end:]...)
}
