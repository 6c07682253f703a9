package anthropic

import (
	"bytes"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/wire"
	"github.com/callwright/callwright/wire/internal/kit"
)

const opEncode = "anthropic.encode"

// ids is what this API accepts as a call's id where caps know no other rule.
var ids = caps.IDRule{Extra: "_-"}

// encoding is one request being written for a provider.
type encoding struct {
	req   *callwright.Request
	caps  caps.Caps
	model string
	body  *body // what the request came as, nil unless it came over this wire
	ids   *kit.IDs
	notes kit.Notes
	err   error
	// callsWithoutReasoning says so of the calls that wait for an answer: a budget for thinking is refused then.
	callsWithoutReasoning bool
}

// EncodeRequest writes the request. One that came over this wire and was not changed is its own bytes with another model
// name, and the body itself, to be left as it is, when the name is the same too; of one that was changed, members and
// messages that were not keep their bytes. Every other request is written anew.
func (Codec) EncodeRequest(req *callwright.Request, name string, c caps.Caps) ([]byte, []callwright.Note, error) {
	rule := c.IDs
	if rule == (caps.IDRule{}) {
		rule = ids
	}
	e := &encoding{req: req, caps: c, model: name, ids: kit.NewIDs(rule)}
	e.body, _ = req.Body.(*body)
	var out []byte
	if e.body != nil && bytes.Equal(req.Extra.JSON, e.body.extra.JSON) {
		out = e.splice()
	} else {
		out = wire.ApplyEdits(e.build(), req.Edits)
		e.notes = append(e.notes, kit.Lost(req.Extra, callwright.WireAnthropic)...)
	}
	if e.err != nil {
		return nil, nil, e.err
	}
	return out, e.notes, nil
}

// splice writes what differs from the body into it.
func (e *encoding) splice() []byte {
	b := e.body
	var edits []callwright.Edit
	set := func(name string, value []byte) {
		edits = append(edits, callwright.Edit{Path: []string{name}, Value: value})
	}
	if e.req.Messages != nil || b.carried || resultsSpread(b.turns) {
		messages, system := e.history()
		if system != nil || b.system {
			set("system", system)
		}
		set("messages", messages)
	}
	if e.req.Tools != nil || filters(e.req.Params.Choice) || e.caps.StrictTools == caps.No && bytes.Contains(b.tools, []byte(`"strict"`)) {
		tools := e.tools()
		set("tools", tools)
		if tools == nil {
			set("tool_choice", nil) // refused without tools
		}
	}
	for _, f := range settings {
		if !f.same(&e.req.Params, &b.params) || f.name == "thinking" && e.callsWithoutReasoning && b.value("thinking") != nil {
			set(f.name, f.value(e, &e.req.Params))
		}
	}
	model := jsonx.AppendQuote(nil, e.model)
	if len(edits)+len(e.req.Edits) == 0 {
		return respell(b.raw, b.members, model)
	}
	set("model", model)
	return wire.ApplyEdits(b.raw, append(edits, e.req.Edits...))
}

// respell is the body with every member called model set to the name.
func respell(raw []byte, members []member, model []byte) []byte {
	var edits []jsonx.Edit
	for _, m := range members {
		if m.name == "model" && !bytes.Equal(raw[m.start:m.end], model) {
			edits = append(edits, jsonx.Edit{Start: m.start, End: m.end, New: model})
		}
	}
	if edits == nil {
		return raw
	}
	return jsonx.Splice(make([]byte, 0, len(raw)+len(edits)*len(model)), raw, edits...)
}

// build writes the whole request.
func (e *encoding) build() []byte {
	messages, system := e.history()
	tools := e.tools()
	o := open(make([]byte, 0, len(messages)+len(system)+len(tools)+1024))
	o.Text("model", e.model)
	written := []string{"model"}
	add := func(name string, value []byte) {
		if value != nil {
			o.Raw(name, value)
			written = append(written, name)
		}
	}
	limit := settings[0]
	add(limit.name, limit.value(e, &e.req.Params))
	add("system", system)
	add("messages", messages)
	add("tools", tools)
	for _, f := range settings[1:] {
		add(f.name, f.value(e, &e.req.Params))
	}
	e.unsaid()
	o.Extra(e.req.Extra, written...)
	return o.close()
}

// base is the member as the client wrote it, for members of which only a part has a place in Params.
func (e *encoding) base(name string) jsonx.List {
	var v []byte
	if e.body != nil {
		v = e.body.value(name)
	}
	if x := ours(e.req.Extra); v == nil && x != nil {
		v, _ = jsonx.Find(x, name)
	}
	list, _ := jsonx.ParseObject(v)
	return list
}

func (e *encoding) note(rule, path, was, now, why string) {
	e.notes.Add(callwright.Note{Rule: rule, Path: path, Was: was, Now: now, Why: why})
}
