package anthropic

import (
	"bytes"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/pool"
	"github.com/callwright/callwright/internal/wire"
	"github.com/callwright/callwright/internal/wire/internal/kit"
	"github.com/callwright/callwright/internal/wire/internal/promptcache"
)

const opEncode = "anthropic.encode"

// ids is the rule for call ids of this API, used if the caps have no other rule.
var ids = caps.IDsOfWire(string(callwright.WireAnthropic))

// requestEncoder encodes one request for a provider.
type requestEncoder struct {
	dst   []byte // its memory is reused for the output
	req   *callwright.Request
	caps  caps.Caps            // capabilities of the model and its provider
	model string               // the model's name at the provider
	body  *body                // the client's body, nil if the request did not come over this API
	rule  caps.IDRule          // which call ids the provider accepts
	ids   *kit.IDs             // maps call ids to ids that the provider accepts
	list  []callwright.Message // the history, set by the method history
	names kit.CallNames        // tool names by call id, of the messages so far
	notes kit.Notes            // changes made by the encoder
	marks *promptcache.Marks   // prompt-cache marks, nil if the request came over this API
	last  int                  // offset of the last message in the encoded messages
	room  []byte               // reused memory for the encoded messages
	err   error                // the first error
	// callsWithoutReasoning reports that the history ends in results of calls that were made without reasoning. The API
	// rejects a thinking budget then.
	callsWithoutReasoning bool
}

// EncodeRequest encodes the request for a provider. A body that came over this API keeps its bytes except for the
// model's name and changed members and messages. If nothing changes, the result is the body itself, which must not be
// modified. Other requests are encoded from their parts.
func (c Codec) EncodeRequest(req *callwright.Request, name string, facts caps.Caps) ([]byte, []callwright.Note, error) {
	body, _, notes, err := c.AppendRequest(nil, req, name, facts)
	return body, notes, err
}

// AppendRequest is EncodeRequest that reuses the memory of dst. It implements [wire.RequestAppender].
func (Codec) AppendRequest(dst []byte, req *callwright.Request, name string, c caps.Caps) (out []byte, fresh bool,
	notes []callwright.Note, err error) {
	rule := c.IDs
	if rule == (caps.IDRule{}) {
		rule = ids
	}
	e := &requestEncoder{dst: dst, req: req, caps: c, model: name, rule: rule, ids: kit.NewIDs(rule)}
	e.body, _ = companion.Of(req).Body.(*body)
	if e.body != nil && bytes.Equal(req.Extra.JSON, e.body.extra.JSON) {
		out = e.splice()
		fresh = !e.body.Is(out)
	} else {
		e.req = promptcache.Off(req, &e.notes)
		e.marks = promptcache.New(e.req, &e.caps, own, promptcache.Blocks, &e.notes)
		out, fresh = wire.ApplyEdits(e.build(), companion.Of(req).Edits), true
		e.notes = append(e.notes, kit.NoteLostMembers(e.req.Extra, callwright.WireAnthropic, e.marks.ConvertedMembers()...)...)
	}
	if e.err != nil {
		return nil, false, nil, e.err
	}
	return out, fresh, e.notes, nil
}

// splice returns the client's body with the necessary changes, or the body itself if there are none.
func (e *requestEncoder) splice() []byte {
	b := e.body
	p := kit.Patch{Dst: e.dst}
	if e.req.Messages != nil || b.carried || b.hasSyntheticCitation || b.unsigned && e.caps.History.SignedReasoning || b.late ||
		e.refusesBlocks() || resultsSpread(b.Outline) {
		messages, system := e.history()
		if system != nil || b.Apart {
			p.Set(system, "system")
		}
		p.Set(messages, "messages")
	}
	if e.req.Tools != nil || filters(e.req.Params.Choice) || e.caps.StrictTools == caps.No && jsonx.Mentions(b.toolList, "strict") {
		tools := e.toolList()
		p.Set(tools, "tools")
		if tools == nil {
			p.Set(nil, "tool_choice") // refused without tools
		}
	}
	for _, s := range settings {
		if !s.same(&e.req.Params, &b.Params) || s.name == "thinking" && e.callsWithoutReasoning && b.Find("thinking") != nil {
			p.Set(s.value(e, &e.req.Params), s.name)
		}
	}
	p.Set(jsonx.AppendQuote(nil, e.model), "model")
	p.Edit(promptcache.Without(e.req, &e.caps, &e.notes))
	p.Edit(companion.Of(e.req).Edits)
	return b.ApplyPatch(&p)
}

// refusesBlocks reports whether a message of the client's body cannot be sent unchanged, see takesBlocks.
func (e *requestEncoder) refusesBlocks() bool {
	for i := range e.body.Outline {
		if !e.takesBlocks(i) {
			return true
		}
	}
	return false
}

// takesBlocks reports whether the provider accepts message i of the client's body unchanged: its call ids, its
// reasoning, the images in its results, and no blank text of the assistant.
func (e *requestEncoder) takesBlocks(i int) bool {
	t := &e.body.Outline[i]
	// the API rejects a blank text, such as one that had only citations
	if t.Role == callwright.RoleAssistant && t.Parts && t.Blank {
		return false
	}
	if t.ResultImages && e.caps.ResultImages == caps.No || t.Reasoning && e.caps.History.ReasoningBack == caps.ReasoningBackNever {
		return false
	}
	for _, c := range t.Calls {
		if !e.rule.Accepts(c.ID) {
			return false
		}
	}
	for _, id := range t.Results {
		if !e.rule.Accepts(id) {
			return false
		}
	}
	return true
}

// A scratch is a reusable buffer for encoded messages. The system prompt precedes the messages in a request, but is
// known only after the messages have been encoded.
type scratch struct{ b []byte }

var scratches = pool.New(func(s *scratch) [][]byte { return [][]byte{s.b} })

// maxScratch is the maximum capacity in bytes of a buffer that is kept for reuse.
const maxScratch = 1 << 20

// build encodes the request from its parts.
func (e *requestEncoder) build() []byte {
	held := scratches.Get()
	defer scratches.Put(held)
	e.room = held.b
	messages, system := e.history()
	if cap(messages) <= maxScratch {
		held.b = messages[:0]
	}
	prompt := promptcache.Prompt{
		Tools: promptcache.Section{JSON: e.toolList()}, System: promptcache.Section{JSON: system},
		Messages: promptcache.Section{JSON: messages}, Last: e.last,
	}
	e.marks.Add(&prompt)
	o := open(kit.EnsureCapacity(e.dst, len(messages)+len(system)+len(prompt.Tools.JSON)+1024))
	o.Text("model", e.model)
	written := append(make([]string, 0, 16), "model")
	add := func(name string, value []byte) {
		if value != nil {
			o.Raw(name, value)
			written = append(written, name)
		}
	}
	addSection := func(name string, s *promptcache.Section) {
		if s.JSON != nil {
			o.Key(name)
			o.Buf = s.AppendTo(o.Buf)
			written = append(written, name)
		}
	}
	limit := settings[0]
	add(limit.name, limit.value(e, &e.req.Params))
	addSection("system", &prompt.System)
	addSection("messages", &prompt.Messages)
	addSection("tools", &prompt.Tools)
	for _, s := range settings[1:] {
		add(s.name, s.value(e, &e.req.Params))
	}
	e.noteUnsupported()
	e.notes.OfHistory(e.list, own, "/messages")
	o.Extra(e.req.Extra, written...)
	return o.close()
}

// base returns the members of the object that the client sent as the top-level member name, nil if there is none.
// Encoders change this list, so that members without a field in Params stay.
func (e *requestEncoder) base(name string) jsonx.List {
	var v []byte
	if e.body != nil {
		v = e.body.Find(name)
	}
	if x := own.JSON(e.req.Extra); v == nil && x != nil {
		v, _ = jsonx.Find(x, name)
	}
	if !jsonx.IsObject(v) {
		return nil
	}
	list, _ := jsonx.ParseObject(v)
	return list
}

func (e *requestEncoder) note(rule, path, was, now, why string) {
	e.notes.Add(callwright.Note{Rule: rule, Path: path, Was: was, Now: now, Why: why})
}
