package gemini

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
	model string    // the model's name at the provider
	ids   *kit.IDs  // maps call ids to ids that the provider accepts
	body  *body     // the client's body, nil if the request did not come over this API
	notes kit.Notes // changes made by the encoder
	err   error     // the first error
}

func (e *requestEncoder) fail(err error) {
	if e.err == nil {
		e.err = err
	}
}

// EncodeRequest encodes the request for a provider. A body that came over this API keeps its bytes except for changed
// members and members that facts exclude. Other requests are encoded from their parts. name is written only if the body
// has a member model, because the URL path names the model, see [Codec.Target].
func (c Codec) EncodeRequest(req *callwright.Request, name string, facts caps.Caps) ([]byte, []callwright.Note, error) {
	body, _, notes, err := c.AppendRequest(nil, req, name, facts)
	return body, notes, err
}

// AppendRequest is EncodeRequest that reuses the memory of dst. It implements [wire.RequestAppender].
func (Codec) AppendRequest(dst []byte, req *callwright.Request, name string, c caps.Caps) (out []byte, fresh bool,
	notes []callwright.Note, err error) {
	e := &requestEncoder{writer: newWriter(nil), dst: dst, req: req, caps: c, model: name, ids: kit.NewIDs(c.IDs)}
	if b, ok := companion.Of(req).Body.(*body); ok && bytes.Equal(req.Extra.JSON, b.extra.JSON) {
		e.body = b
		out = e.splice(name)
		fresh = !b.Is(out)
	} else {
		e.build()
		out, fresh = wire.ApplyEdits(e.Buf, companion.Of(req).Edits), true
	}
	if e.err != nil {
		return nil, false, nil, e.err
	}
	return out, fresh, e.notes, nil
}

// build encodes the request from its parts.
func (e *requestEncoder) build() {
	messages, err := e.req.History()
	if err != nil {
		e.fail(err)
		return
	}
	tools := e.toolList()
	e.Buf = kit.EnsureCapacity(e.dst, kit.EstimateSize(messages)+len(tools))
	e.Open("", '{')
	e.history(messages, func(system []byte) { e.Raw(systemInstruction.camel, system) })
	if tools != nil {
		e.Raw("tools", tools)
	}
	if v := e.toolConfig(); v != nil {
		e.Raw(toolConfig.camel, v)
	}
	if v := e.generation(); v != nil {
		e.Raw(generationConfig.camel, v)
	}
	e.noteUnsupported()
	e.notes.OfHistory(messages, own, "/contents")
	e.Extra(e.req.Extra, toolConfig.camel, generationConfig.camel)
	e.notes = append(e.notes, kit.NoteLostMembers(e.req.Extra, callwright.WireGemini)...)
	e.Close('}')
}

// toolConfig encodes the member toolConfig. It returns nil if it would be empty.
func (e *requestEncoder) toolConfig() []byte {
	came := own.Member(e.req.Extra, toolConfig.camel)
	mode, names := e.calling()
	if came == nil && mode == "" {
		return nil
	}
	rest := func(v []byte) callwright.Extra { return own.Extra(v) }
	inner := functionCallingConfig.in(came)
	w := newWriter(nil)
	w.Open("", '{')
	if mode != "" || inner != nil {
		w.Open(functionCallingConfig.camel, '{')
		if mode != "" {
			w.Text("mode", mode)
			inner = own.ExtraOf(inner, []string{"mode"}).JSON
		}
		if names != nil {
			w.Raw(allowedFunctionNames.camel, names)
		}
		w.Extra(rest(inner))
		w.Close('}')
	}
	w.Extra(rest(came), functionCallingConfig.camel)
	w.Close('}')
	return w.Buf
}

// generation encodes the member generationConfig. It returns nil if it would be empty.
func (e *requestEncoder) generation() []byte {
	w := newWriter(nil)
	w.Open("", '{')
	var written []string
	for _, s := range settings {
		if v := s.value(e, &e.req.Params); v != nil {
			w.Raw(s.camel, v)
			written = append(written, s.camel, s.snake)
		}
	}
	if e.req.Params.Format != nil {
		written = append(written, spellings(responseMimeType, responseSchema, responseJSONSchema)...)
	}
	w.Extra(own.Extra(own.Member(e.req.Extra, generationConfig.camel)), written...)
	if len(w.Buf) == 1 {
		return nil
	}
	w.Close('}')
	return w.Buf
}

// splice returns the client's body with the necessary changes, or the body itself if there are none.
func (e *requestEncoder) splice(name string) []byte {
	b := e.body
	changes := kit.Patch{Dst: e.dst}
	messages, err := kit.ChangedHistory(e.req, func(i int) bool { return e.fits(i) && isPaired(b.Outline, i) })
	if err != nil {
		e.fail(err)
	}
	if messages != nil {
		e.Buf = make([]byte, 0, kit.EstimateSize(messages))
		var system []byte
		start := len(e.Buf)
		e.history(messages, func(v []byte) { system = v })
		if system != nil || b.Apart {
			changes.Set(system, b.spellingOf(systemInstruction))
		}
		contents, _ := jsonx.Find(append(append([]byte{'{'}, e.Buf[start:]...), '}'), "contents")
		changes.Set(contents, "contents")
	}
	if e.req.Tools != nil {
		changes.Set(e.toolList(), "tools")
	}
	p := &e.req.Params
	if !sameChoice(p.Choice, b.Params.Choice) {
		config := b.find(toolConfig)
		group, member := b.spellingOf(toolConfig), functionCallingConfig.spellingIn(config)
		switch mode, names := e.calling(); {
		case mode != "":
			changes.Set(quoteJSON(mode), group, member, "mode")
			changes.Set(names, group, member, allowedFunctionNames.spellingIn(functionCallingConfig.in(config)))
		case alone(config):
			changes.Set(nil, group)
		default:
			changes.Set(nil, group, member)
		}
	}
	group, inner := b.spellingOf(generationConfig), b.find(generationConfig)
	for _, s := range settings {
		if !s.same(p, &b.Params) {
			changes.Set(s.value(e, p), group, s.spellingIn(inner))
		}
	}
	if b.Find("model") != nil {
		changes.Set(jsonx.AppendQuote(nil, name), "model")
	}
	changes.Edit(companion.Of(e.req).Edits)
	return b.ApplyPatch(&changes)
}

// quoteJSON returns s as a JSON string, nil for "".
func quoteJSON(s string) []byte {
	if s == "" {
		return nil
	}
	return jsonx.AppendQuote(nil, s)
}

// alone reports whether a JSON object has at most one member.
func alone(object []byte) bool {
	n := 0
	for range jsonx.Members(object) {
		n++
	}
	return n <= 1
}
