package responses

import (
	"bytes"
	"slices"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/internal/kit"
	"github.com/callwright/callwright/internal/wire/internal/promptcache"
	"github.com/callwright/callwright/internal/wire/responses/internal/items"
)

// requestEncoder encodes one request for a provider.
type requestEncoder struct {
	writer
	dst           []byte // its memory is reused for the output
	req           *callwright.Request
	caps          caps.Caps // capabilities of the model and its provider
	ids           *kit.IDs  // maps call ids to ids that the provider accepts
	body          *body     // the client's body, nil if the request did not come over this API
	flat          bool      // tools in namespaces are written as plain functions
	providerKeeps bool      // the provider may store the conversation
	hasTools      bool      // the encoded request declares tools
	functionsOnly bool      // the provider accepts only messages, function calls, their outputs, and reasoning
	dropsTools    bool      // tool definitions inside items are not written
	bodyHasTools  bool      // the client's body declares tools
	notes         kit.Notes // changes made by the encoder
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
// model's name, changed members, and members that the API or facts exclude. By default, others get "store":false.
func (c Codec) EncodeRequest(req *callwright.Request, name string, facts caps.Caps) ([]byte, []callwright.Note, error) {
	body, _, notes, err := c.AppendRequest(nil, req, name, facts)
	return body, notes, err
}

// AppendRequest is EncodeRequest that reuses the memory of dst. It implements [wire.RequestAppender].
func (Codec) AppendRequest(dst []byte, req *callwright.Request, name string, c caps.Caps) (out []byte, fresh bool,
	notes []callwright.Note, err error) {
	e := &requestEncoder{writer: newWriter(nil), dst: dst, req: req, caps: c, ids: kit.NewIDs(c.IDs), functionsOnly: c.APIItems == caps.No}
	if e.functionsOnly {
		e.caps.CustomTools = caps.No
	}
	e.body, _ = companion.Of(req).Body.(*body)
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
	e.req = promptcache.Off(e.req, &e.notes)
	messages, err := e.req.History()
	if err != nil {
		return err
	}
	tools, err := e.req.DeclaredTools()
	if err != nil {
		return err
	}
	store := own.Member(e.req.Extra, "store")
	e.providerKeeps = e.req.Extra.Wire == callwright.WireResponses && (store == nil || jsonx.IsTrue(store))
	list := e.toolList(tools)
	e.hasTools = list != nil
	e.Buf = kit.EnsureCapacity(e.dst, kit.EstimateSize(messages)+len(list))
	e.Open("", '{')
	e.Text("model", name)
	e.OptionalText(promptcache.KeyMember, promptcache.Key(e.req, &e.caps, messages, &e.notes))
	e.notes.OfHistory(messages, own, "/input")
	instructions, messages := e.instructions(messages)
	if instructions != "" {
		e.Text("instructions", instructions)
	}
	e.Key("input")
	e.history(messages)
	if e.hasTools {
		e.Raw("tools", list)
	}
	params := e.req.Params
	for _, s := range settings {
		s.Write(e, &params)
	}
	e.absent(&params)
	if store == nil {
		e.Truth("store", false)
	}
	if e.caps.Reasoning == caps.ReasoningEncrypted && own.Member(e.req.Extra, "include") == nil {
		e.Raw("include", []byte(`["reasoning.encrypted_content"]`))
	}
	e.Extra(e.req.Extra, "text")
	e.notes = append(e.notes, kit.NoteLostMembers(e.req.Extra, callwright.WireResponses, e.writeSharedParams()...)...)
	e.Close('}')
	return nil
}

// writeSharedParams writes the parameters of a Chat Completions request that this API has too, such as service_tier, if
// the provider accepts them. It returns their names.
func (e *requestEncoder) writeSharedParams() (carried []string) {
	if e.req.Extra.Wire != callwright.WireOpenAI || e.caps.ServiceParams != caps.Yes {
		return nil
	}
	for _, key := range kit.SharedParams {
		if v, ok := jsonx.Find(e.req.Extra.JSON, key); ok && !jsonx.IsNull(v) {
			e.Raw(key, v)
			carried = append(carried, key)
		}
	}
	return append(carried, "verbosity") // with the format
}

// verbosity returns the parameter verbosity of a Chat Completions request, nil if missing or not accepted.
func (e *requestEncoder) verbosity() []byte {
	if e.req.Extra.Wire != callwright.WireOpenAI || e.caps.ServiceParams != caps.Yes {
		return nil
	}
	if v, _ := jsonx.Find(e.req.Extra.JSON, "verbosity"); !jsonx.IsNull(v) {
		return v
	}
	return nil
}

// patchedBody returns the client's body with the necessary changes, or the body itself if there are none.
func (e *requestEncoder) patchedBody(name string) ([]byte, error) {
	b := e.body
	e.providerKeeps = b.providerKeeps
	if jsonx.Mentions(b.toolList(), "namespace") || e.functionsOnly && len(b.itemTools) > 0 {
		e.flat = b.toolNames().flat || e.caps.CustomTools == caps.No // a provider of plain functions has no namespaces
	}
	p := kit.Patch{Dst: e.dst}
	p.Set(jsonx.AppendQuote(nil, name), "model")
	e.bodyHasTools = b.Lists("tools")
	e.hasTools = e.bodyHasTools
	if tools := e.req.Tools; tools != nil || e.flat || b.untyped || e.refusesCustom(b.toolList()) || e.functionsOnly &&
		jsonx.Mentions(b.toolList(), "tool_search") {
		if tools == nil {
			tools = e.declaredTools()
		}
		switch {
		case e.flat && e.req.Tools == nil:
			why := map[bool]string{true: "the provider takes functions alone", false: "two tools come to one name"}[e.caps.CustomTools == caps.No]
			e.notes.Add(callwright.Note{Rule: "tools.flattened", Path: "/tools", Why: why})
		case b.untyped:
			e.notes.Add(callwright.Note{Rule: "tools.type", Path: "/tools", Why: "a tool came without its type"})
		}
		list := e.toolList(tools)
		e.hasTools = list != nil
		p.Set(list, "tools")
	}
	e.dropsTools = e.functionsOnly || e.req.Tools != nil && len(b.itemTools) > 0 &&
		!slices.ContainsFunc(e.req.Tools, func(t callwright.Tool) bool { return !isDeclared(t) })
	messages, err := kit.ChangedHistory(e.req, e.fits)
	if err != nil {
		return nil, err
	}
	if messages != nil {
		e.patchInput(messages, &p)
	}
	e.patchSettings(&p)
	if e.hasTools && e.asksForSummary() {
		p.Set([]byte(`"none"`), "tool_choice")
	}
	p.Edit(append(promptcache.Without(e.req, &e.caps, &e.notes), companion.Of(e.req).Edits...))
	return b.ApplyPatch(&p), nil
}

// refusesCustom reports whether v, JSON of the client's body, has custom tools or calls that the provider rejects.
func (e *requestEncoder) refusesCustom(v []byte) bool {
	return e.caps.CustomTools == caps.No && (jsonx.Mentions(v, "custom") || bytes.Contains(v, []byte(`"custom_tool_call`)))
}

// patchInput adds the changed history to p as input and instructions. Unchanged instructions keep their bytes.
func (e *requestEncoder) patchInput(messages []callwright.Message, p *kit.Patch) {
	raw, same := []byte(nil), false
	if e.body.Apart && len(messages) > 0 {
		h := historyWriter{requestEncoder: e, came: e.originals()}
		raw, same = h.findUnchanged(messages[0])
	}
	switch instructions, rest := e.instructions(messages); {
	case same:
		p.Set(raw, "instructions")
		messages = rest
	case instructions != "":
		p.Set(jsonx.AppendQuote(nil, instructions), "instructions")
		messages = rest
	case e.body.Apart:
		p.Set(nil, "instructions")
	}
	p.Set(e.Render(func() { e.history(messages) }), "input")
}

// fits reports whether the provider accepts the ids, item types and reasoning of message i of the client's body.
func (e *requestEncoder) fits(i int) bool {
	t, p := &e.body.Outline[i], &e.body.turns[i]
	if t.ResultImages && e.caps.ResultImages == caps.No {
		return false
	}
	for _, c := range t.Calls {
		if c.ID != "" && !e.caps.IDs.Accepts(c.ID) || e.flat {
			return false
		}
	}
	for _, id := range t.Results {
		if id != "" && !e.caps.IDs.Accepts(id) {
			return false
		}
	}
	switch v := e.body.RawMessage(i); {
	case e.refusesCustom(v), e.caps.History.NoItemIDs && t.Role == callwright.RoleAssistant && !t.Reasoning && jsonx.Mentions(v, "id"):
		return false
	case e.dropsTools && jsonx.Mentions(v, items.AdditionalTools), e.functionsOnly && p.special:
		return false
	case t.Blank && t.Role == callwright.RoleAssistant && e.caps.History.NoEmptyAssistant:
		return false
	case items.HoldRefused(e.caps.RefusedState, v):
		return false
	}
	if p.compaction && (!e.body.compacts || i < len(e.body.Spans)-1 || e.asksForSummary()) {
		return false
	}
	return !t.Reasoning || !p.orphan && (!p.unencrypted || e.providerKeeps) && !e.body.foreign(i)
}

// patchSettings adds to p the parameters that differ from the client's body or that the provider does not accept.
func (e *requestEncoder) patchSettings(p *kit.Patch) {
	restricted := e.caps.ChoiceField == caps.No || e.caps.ParallelField == caps.No || e.caps.CustomTools == caps.No
	if e.req.Tools == nil && !e.flat && !restricted && !isForeignChoice(e.body.Find("tool_choice")) &&
		kit.SameParams(&e.req.Params, &e.body.Params) {
		return
	}
	list := settings
	if e.hasTools && e.body.Find("tool_choice") != nil && own.Member(e.req.Extra, "tool_choice") != nil { // the choice of a provider's tool
		list = slices.DeleteFunc(slices.Clone(list), func(s setting) bool { return s.Keys[0] == "tool_choice" })
	}
	kit.PatchSettings(p, e, list, kit.Settings{Body: &e.body.Index, Now: e.req.Params, HadTools: e.bodyHasTools,
		HasTools: &e.hasTools, Notes: &e.notes, Render: e.Render})
}
