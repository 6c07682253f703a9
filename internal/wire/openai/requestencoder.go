package openai

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/internal/kit"
	"github.com/callwright/callwright/internal/wire/internal/promptcache"
)

// requestEncoder encodes one request for a provider.
type requestEncoder struct {
	writer
	dst          []byte // its memory is reused for the output
	req          *callwright.Request
	name         string             // the model's name at the provider
	caps         caps.Caps          // capabilities of the model and its provider
	ids          *kit.IDs           // maps call ids to ids that the provider accepts
	body         *body              // the client's body, nil if the request did not come over this API
	hasTools     bool               // the encoded request declares tools
	bodyHasTools bool               // the client's body declares tools
	marks        *promptcache.Marks // prompt-cache marks
	// lastPlace is the offset in Buf of the last written group of messages. A group is an assistant message with the
	// messages after it. The first group is the messages before the first assistant message.
	lastPlace int
	notes     kit.Notes // changes made by the encoder
}

// declaredTools returns the tools of the request, or nil if they cannot be decoded. AppendRequest reports that error.
func (e *requestEncoder) declaredTools() []callwright.Tool {
	tools, err := e.req.DeclaredTools()
	if err != nil {
		return nil
	}
	return tools
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
	e := &requestEncoder{writer: newWriter(nil), dst: dst, req: req, name: name, caps: c, ids: kit.NewIDs(c.IDs)}
	e.body, _ = companion.Of(req).Body.(*body)
	if e.body == nil {
		e.req = promptcache.Off(e.req, &e.notes)
	}
	e.marks = promptcache.New(e.req, &e.caps, own, promptcache.Texts, &e.notes)
	if e.body != nil {
		out, err = e.patchedBody(name)
		return out, !e.body.Is(out), e.notes, err
	}
	if err := e.build(name); err != nil {
		return nil, false, nil, err
	}
	return kit.ApplyEdits(e.Buf, companion.Of(req).Edits), true, e.notes, nil
}

// build encodes the request from its parts.
func (e *requestEncoder) build(name string) error {
	messages, err := e.messages()
	if err != nil {
		return err
	}
	tools, err := e.req.DeclaredTools()
	if err != nil {
		return err
	}
	messages = e.marks.ConvertHistory(messages)
	list := e.toolList(tools)
	e.hasTools = list != nil
	e.Buf = kit.EnsureCapacity(e.dst, kit.EstimateSize(messages)+len(list))
	e.Open("", '{')
	e.Text("model", name)
	e.OptionalText(promptcache.KeyMember, promptcache.Key(e.req, &e.caps, messages, &e.notes))
	e.Key("messages")
	start := len(e.Buf)
	e.history(messages)
	marked := promptcache.Section{JSON: list}
	if e.marks.Adds() {
		prompt := promptcache.Prompt{Tools: marked, Messages: promptcache.Section{JSON: e.Buf[start:]}, Last: e.lastPlace - start}
		e.marks.Add(&prompt)
		marked, e.Buf = prompt.Tools, prompt.Messages.InsertInto(e.Buf, start)
	}
	if e.hasTools {
		e.Key("tools")
		e.Buf = marked.AppendTo(e.Buf)
	}
	params := e.req.Params
	for _, s := range settings {
		s.Write(e, &params)
	}
	e.notes.OfHistory(messages, own, "/messages")
	e.Extra(e.req.Extra, "functions")
	e.notes = append(e.notes, kit.NoteLostMembers(e.req.Extra, callwright.WireOpenAI, append(e.writeSharedParams(), e.marks.ConvertedMembers()...)...)...)
	e.Close('}')
	return nil
}

// messages returns the history. Long texts are parts of type kit.Quoted unless the provider requires joined or
// non-blank texts.
func (e *requestEncoder) messages() ([]callwright.Message, error) {
	if h := &e.caps.History; h.StringContent || h.NoBlankText {
		return e.req.History()
	}
	return kit.QuotedHistory(e.req)
}

// writeSharedParams writes the parameters of a Responses request that this API has too, such as service_tier and
// text.verbosity, if the provider accepts them. It returns their names in the Responses API.
func (e *requestEncoder) writeSharedParams() (carried []string) {
	if e.req.Extra.Wire != callwright.WireResponses || e.caps.ServiceParams != caps.Yes {
		return nil
	}
	for _, key := range kit.SharedParams {
		if v, ok := jsonx.Find(e.req.Extra.JSON, key); ok && key != "top_logprobs" && !jsonx.IsNull(v) {
			e.Raw(key, v)
			carried = append(carried, key)
		}
	}
	in, _ := jsonx.Find(e.req.Extra.JSON, "text")
	v, ok := jsonx.Find(in, "verbosity")
	if !ok || jsonx.IsNull(v) {
		return carried
	}
	e.Raw("verbosity", v)
	for key := range jsonx.Members(in) {
		if !key.Is("verbosity") && !key.Is("format") {
			return carried
		}
	}
	return append(carried, "text")
}

// patchedBody returns the client's body with the necessary changes, or the body itself if there are none.
func (e *requestEncoder) patchedBody(name string) ([]byte, error) {
	p := kit.Patch{Dst: e.dst}
	p.Set(jsonx.AppendQuote(nil, name), "model")
	e.bodyHasTools = e.body.Lists("tools") || e.body.Lists("functions")
	e.hasTools = e.bodyHasTools
	prompt := promptcache.Prompt{Tools: promptcache.Section{JSON: e.body.ToolBytes()}}
	if e.req.Tools != nil {
		list := e.toolList(e.req.Tools)
		e.hasTools = list != nil
		p.Set(nil, "functions")
		p.Set(nil, "function_call")
		p.Set(list, "tools")
		prompt.Tools.JSON = list
	} else if e.refusesStrict() || e.body.untyped || e.refusesCustom(e.body.ToolBytes()) {
		if e.body.untyped {
			e.notes.Add(callwright.Note{Rule: "tools.type", Path: "/tools", Why: "a tool came without its type"})
		}
		tools, err := e.body.Tools()
		if err != nil {
			return nil, err
		}
		prompt.Tools.JSON = e.toolList(tools)
		p.Set(prompt.Tools.JSON, "tools")
	}
	messages, err := kit.ChangedHistory(e.req, e.fits)
	if err != nil {
		return nil, err
	}
	if messages != nil {
		prompt.Messages.JSON = e.Render(func() { e.history(messages) })
		prompt.Last = e.lastPlace
		p.Set(prompt.Messages.JSON, "messages")
	}
	e.mark(prompt, &p)
	e.patchSettings(&p)
	p.Edit(promptcache.Without(e.req, &e.caps, &e.notes))
	p.Edit(companion.Of(e.req).Edits)
	return e.body.ApplyPatch(&p), nil
}

// mark adds prompt-cache marks to the tools and the messages in prompt. If prompt has no encoded messages, those of the
// client's body are marked.
func (e *requestEncoder) mark(prompt promptcache.Prompt, p *kit.Patch) {
	if !e.marks.Adds() {
		return
	}
	if prompt.Messages.JSON == nil {
		prompt.Messages.JSON = e.body.Find("messages")
		at, _ := jsonx.Span(e.body.Raw, prompt.Messages.JSON)
		prompt.Last = e.body.Spans[len(e.body.Spans)-1].From - at
	}
	e.marks.Add(&prompt)
	if prompt.Tools.HasMarks() {
		p.Set(prompt.Tools.AppendTo(nil), "tools")
	}
	if prompt.Messages.HasMarks() {
		p.Set(prompt.Messages.AppendTo(nil), "messages")
	}
}

// patchSettings adds to the patch p the parameters that differ from the client's body, and removals of parameters that
// the provider does not accept according to e.caps.
func (e *requestEncoder) patchSettings(p *kit.Patch) {
	if e.req.Tools == nil && !e.hasRestrictions() && !isForeignChoice(e.body.Find("tool_choice")) &&
		kit.SameParams(&e.req.Params, &e.body.Params) {
		return
	}
	kit.PatchSettings(p, e, settings, kit.Settings{Body: &e.body.Index, Now: e.req.Params, HadTools: e.bodyHasTools,
		HasTools: &e.hasTools, Notes: &e.notes, Render: e.Render})
}

// hasRestrictions reports whether e.caps, the capabilities of the model, may forbid or rename a parameter.
func (e *requestEncoder) hasRestrictions() bool {
	c := &e.caps
	return c.ChoiceField == caps.No || c.ParallelField == caps.No || c.StreamUsage == caps.No || c.MaxTokensKey != "" ||
		c.CustomTools == caps.No
}
