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

// ids is the rule for call ids of this API where caps state no other.
var ids = caps.IDsOfWire(string(callwright.WireAnthropic))

// requestEncoder writes one request for a provider.
type requestEncoder struct {
	dst   []byte // memory for what is written
	req   *callwright.Request
	caps  caps.Caps
	model string
	body  *body // what the request came as, nil unless it came over this wire
	rule  caps.IDRule
	ids   *kit.IDs
	list  []callwright.Message // the history, once it was written
	names kit.CallNames
	notes kit.Notes
	marks *promptcache.Marks // nil where the request came over this wire
	last  int                // where the last message begins among those that were written
	room  []byte             // memory for messages until they are copied
	err   error
	// callsWithoutReasoning says that the calls whose results come last were made without reasoning. A budget for
	// thinking is refused then.
	callsWithoutReasoning bool
}

// EncodeRequest writes the request. One that came over this wire and was not changed is its own bytes with another
// model name, and the body itself, to be left as it is, when the name is the same too; of one that was changed, members
// and messages that were not keep their bytes. Every other request is written anew.
func (c Codec) EncodeRequest(req *callwright.Request, name string, facts caps.Caps) ([]byte, []callwright.Note, error) {
	body, _, notes, err := c.AppendRequest(nil, req, name, facts)
	return body, notes, err
}

// AppendRequest implements [wire.RequestAppender].
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
		e.notes = append(e.notes, kit.NoteLostMembers(e.req.Extra, callwright.WireAnthropic, e.marks.Took()...)...)
	}
	if e.err != nil {
		return nil, false, nil, e.err
	}
	return out, fresh, e.notes, nil
}

// splice writes the changed members into the body.
func (e *requestEncoder) splice() []byte {
	b := e.body
	p := kit.Patch{Dst: e.dst}
	if e.req.Messages != nil || b.carried || b.madeUp || b.unsigned && e.caps.History.SignedReasoning || b.late ||
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

// refusesBlocks reports whether the body holds content that the provider refuses or drops: ids that clients got from
// other providers, images in results.
func (e *requestEncoder) refusesBlocks() bool {
	for i := range e.body.Outline {
		if !e.takesBlocks(i) {
			return true
		}
	}
	return false
}

// takesBlocks reports whether the provider takes the texts of the model and the ids in message i of the body, and the
// images in its results.
func (e *requestEncoder) takesBlocks(i int) bool {
	t := &e.body.Outline[i]
	// the API refuses a text without words, such as one that had nothing but sources
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

// A scratch is memory for messages that are written before the text in front of them is known.
type scratch struct{ b []byte }

var scratches = pool.New(func(s *scratch) [][]byte { return [][]byte{s.b} })

// maxScratch bounds the memory that is kept for further requests.
const maxScratch = 1 << 20

// build writes the whole request.
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

// base is the member as the client wrote it, for members of which only a part has a place in Params.
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
