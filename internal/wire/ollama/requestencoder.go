package ollama

import (
	"bytes"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire"
	"github.com/callwright/callwright/internal/wire/internal/kit"
)

// requestEncoder encodes one request for a provider.
type requestEncoder struct {
	writer
	dst   []byte // its memory is reused for the output
	req   *callwright.Request
	caps  caps.Caps // capabilities of the model and its provider
	ids   *kit.IDs  // maps call ids to ids that the provider accepts
	body  *body     // the client's body, nil if the request did not come over this API
	notes kit.Notes // changes made by the encoder
	err   error     // the first error
}

// EncodeRequest encodes the request for a provider. A body that came over this API keeps its bytes except for the
// model's name, changed members, and members that facts exclude. Other requests are encoded from their parts.
func (c Codec) EncodeRequest(req *callwright.Request, name string, facts caps.Caps) ([]byte, []callwright.Note, error) {
	body, _, notes, err := c.AppendRequest(nil, req, name, facts)
	return body, notes, err
}

// AppendRequest is EncodeRequest that reuses the memory of dst. It implements [wire.RequestAppender].
func (Codec) AppendRequest(dst []byte, req *callwright.Request, name string, c caps.Caps) (out []byte, fresh bool,
	notes []callwright.Note, err error) {
	e := &requestEncoder{writer: newWriter(nil), dst: dst, req: req, caps: c, ids: kit.NewIDs(c.IDs)}
	if b, ok := companion.Of(req).Body.(*body); ok && bytes.Equal(req.Extra.JSON, b.extra.JSON) {
		e.body = b
		out = e.splice(name)
		fresh = !b.Is(out)
	} else {
		e.build(name)
		out, fresh = wire.ApplyEdits(e.Buf, companion.Of(req).Edits), true
	}
	if e.err != nil {
		return nil, false, nil, e.err
	}
	return out, fresh, e.notes, nil
}

// build encodes the request from its parts.
func (e *requestEncoder) build(name string) {
	messages, err := e.req.History()
	if err != nil {
		e.fail(err)
		return
	}
	tools := e.toolList()
	e.Buf = kit.EnsureCapacity(e.dst, kit.EstimateSize(messages)+len(tools))
	e.Open("", '{')
	e.Text("model", name)
	e.Key("messages")
	e.history(messages)
	if tools != nil {
		e.Raw("tools", tools)
	}
	p := &e.req.Params
	nested := false
	for _, s := range settings {
		v := s.value(e, p)
		if s.option && !nested {
			nested = true
			e.Open("options", '{')
		}
		if v != nil {
			e.Raw(s.key, v)
		}
	}
	e.Within(e.req.Extra, "options")
	if i := len(e.Buf); bytes.HasSuffix(e.Buf, []byte(`,"options":{`)) {
		e.Buf = e.Buf[:i-len(`,"options":{`)]
	} else {
		e.Close('}')
	}
	e.noteUnsupported()
	e.notes.OfHistory(messages, own, "/messages")
	e.Extra(e.req.Extra, "options")
	e.notes = append(e.notes, kit.NoteLostMembers(e.req.Extra, callwright.WireOllama)...)
	e.Close('}')
}

func (e *requestEncoder) fail(err error) {
	if e.err == nil {
		e.err = err
	}
}

// splice returns the client's body with the necessary changes, or the body itself if there are none.
func (e *requestEncoder) splice(name string) []byte {
	b := e.body
	p := kit.Patch{Dst: e.dst}
	messages, err := kit.ChangedHistory(e.req, e.fits)
	if err != nil {
		e.fail(err)
	}
	if messages != nil {
		e.history(messages)
		p.Set(e.Buf, "messages")
	}
	if e.req.Tools != nil || limits(e.req.Params.Choice) {
		p.Set(e.toolList(), "tools")
	}
	for _, s := range settings {
		if s.same(&e.req.Params, &b.Params) && (s.key != "think" || e.caps.Efforts == "") {
			continue
		}
		path := s.path()
		p.Set(s.value(e, &e.req.Params), path[0], path[1:]...)
	}
	p.Set(jsonx.AppendQuote(nil, name), "model")
	p.Edit(companion.Of(e.req).Edits)
	return b.ApplyPatch(&p)
}

// fits reports whether message i of the client's body can be sent unchanged: the provider accepts its ids, arguments,
// images and reasoning, and it has no opaque state of another API.
func (e *requestEncoder) fits(i int) bool {
	t := &e.body.Outline[i]
	for _, c := range t.Calls {
		if !c.Sound || !e.caps.IDs.Accepts(c.ID) {
			return false
		}
	}
	for _, id := range t.Results {
		if id != "" && !e.caps.IDs.Accepts(id) {
			return false
		}
	}
	switch {
	case t.Media && t.Role == callwright.RoleTool && e.caps.ResultImages == caps.No:
		return false
	case t.Reasoning && e.caps.History.ReasoningBack == caps.ReasoningBackNever:
		return false
	}
	return !e.body.foreign(i)
}
