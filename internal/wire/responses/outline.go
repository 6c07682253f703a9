package responses

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/internal/kit"
	"github.com/callwright/callwright/internal/wire/responses/internal/items"
)

// outliner is the kit.Visitor that summarizes the input items of a request and validates the types of their members.
// Outline[0] and Spans[0] are reserved for the member instructions. Turn holds facts about the current item.
type outliner struct {
	kit.Outliner
	body  *body
	turns []turnMarks // one for each element of Spans
	items int         // number of items read so far
	image bool        // the output of the current item has an image
	side  items.Side  // of the last message
}

func newOutliner(b *body) *outliner {
	o := &outliner{Outliner: kit.NewOutliner(opDecode, "input", b.Raw, 1), body: b}
	o.turns = make([]turnMarks, 1, cap(o.Spans))
	return o
}

// storeTurns stores the outline and the turn marks in the body.
func (o *outliner) storeTurns() {
	o.body.Take(&o.Outliner)
	o.body.turns = o.turns[len(o.turns)-len(o.body.Spans):]
}

func (o *outliner) instructions(v []byte, at kit.Span) {
	switch {
	case jsonx.IsText(v) && len(v) > 2:
		o.Turn = callwright.Summary{Role: callwright.RoleSystem}
		o.Text(v)
		o.Outline[0], o.Spans[0] = o.Turn, at
	case !kit.IsTextOrNull(v):
		o.Fail("/instructions", "a string", v)
	}
}

// input records an input that is not a list: a string, which is a user message, or null.
func (o *outliner) input(v []byte, at kit.Span) {
	switch {
	case jsonx.IsText(v):
		o.Turn = callwright.Summary{Role: callwright.RoleUser}
		o.Text(v)
		o.add(o.Turn, at)
		o.items, o.body.inputIsString = 1, true
	case !jsonx.IsNull(v):
		o.Fail("/input", "a string or a list of items", v)
	}
}

// add appends the summary of a new message. at is the span of its first item, which addItem extends with further items.
func (o *outliner) add(turn callwright.Summary, at kit.Span) {
	o.Outline, o.Spans, o.turns = append(o.Outline, turn), append(o.Spans, at), append(o.turns, turnMarks{})
}

// Enter is called before element n of a list is read. It resets the state for an item. It returns false, so that the
// element is skipped, after an error or beyond kit.MaxParts elements.
func (o *outliner) Enter(of *kit.Shape, n int) bool {
	if of.Kind == ofItem {
		o.N, o.image, o.Turn = n, false, callwright.Summary{}
	}
	return !o.SkipElement(func() string { return o.Path("") })
}

// Leave is called after the members of x have been read. It records x, which is an item or a part of one.
func (o *outliner) Leave(x *kit.Object) {
	switch x.Shape.Kind {
	case ofItem:
		o.item(x)
	case ofPart:
		o.part(x)
	case ofOutput:
		o.image = o.image || x.Is(pType, "input_image")
	}
}

func (o *outliner) item(i *kit.Object) {
	if !i.IsObject() {
		o.Fail(o.Path(""), "an item object", i.Raw())
	}
	if o.items++; o.Err != nil {
		return
	}
	if !kit.IsTextOrNull(i.Get(iType)) {
		o.Fail(o.Path("/type"), "a string", i.Get(iType))
		return
	}
	o.Text(i.Get(iContent))
	o.Turn.Parts = jsonx.IsArray(i.Get(iContent))
	o.addItem(i)
}

// part validates an element of a content list and records its type.
func (o *outliner) part(p *kit.Object) {
	kind := string(jsonx.TextBytes(p.Get(pType)))
	member := items.TextMember(kind)
	switch {
	case !p.IsObject():
		o.Fail(o.Path(kit.Pointer("content", p.N, "")), "a part object", p.Raw())
	case !jsonx.IsText(p.Get(pType)):
		o.Fail(o.Path(kit.Pointer("content", p.N, "/type")), "a string", p.Get(pType))
	case member != "":
		words := p.Get(pText)
		if member == "refusal" {
			words = p.Get(pRefusal)
		}
		if !jsonx.IsText(words) {
			o.Fail(o.Path(kit.Pointer("content", p.N, "/"+member)), "a string", words)
		}
		o.Text(words)
	case kind != "reasoning_text":
		o.Turn.Media = true
	}
}

// idOf returns the call id of a call or output item, or nil if the provider runs the call.
func (o *outliner) idOf(i *kit.Object) []byte {
	id := callID(i)
	switch {
	case items.RanByProvider(i.Get(iExecution), i.Get(iEnvironment)):
		if o.body.providerCalls == nil {
			o.body.providerCalls = map[string]bool{}
		}
		if jsonx.IsText(id) {
			o.body.providerCalls[jsonx.TextOf(id)] = true
		}
		return nil
	case o.body.providerCalls[string(jsonx.TextBytes(id))]:
		return nil
	}
	return id
}

// addItem adds an item to the message that it continues, or begins a new message with it.
func (o *outliner) addItem(i *kit.Object) {
	id := o.idOf(i)
	w, compaction := classOf(i, id)
	o.check(i, w)
	if items.BringsTools(string(jsonx.TextBytes(i.Get(iType)))) && jsonx.IsArray(i.Get(iTools)) {
		o.body.itemTools = append(o.body.itemTools, i.Get(iTools))
	}
	said := o.Turn
	last := len(o.Outline) - 1
	if last == 0 || w.Side != o.side || !w.Side.Joins() {
		o.Begin()
		o.add(callwright.Summary{Role: w.Side.Role()}, i.Span)
		o.side = w.Side
		last++
	}
	t, p := &o.Outline[last], &o.turns[last]
	o.Spans[last].To, p.orphan = i.To, w.Reasoning
	p.compaction, o.body.compacts = compaction, compaction && i.Is(iType, items.Trigger)
	p.special = p.special || compaction || w.IsSpecial()
	t.Text, t.Blank = t.Text || compaction || w.Message && said.Text, t.Blank || w.Message && said.Blank
	t.Media, t.Parts = t.Media || said.Media || w.Opaque, t.Parts || w.Message && said.Parts
	switch {
	case w.Reasoning:
		t.Reasoning = true
		p.unencrypted = p.unencrypted || !jsonx.IsText(i.Get(iEncrypted))
	case w.Call != nil:
		o.call(w.Call, i, id)
		t.Calls = o.TurnCalls()
	case w.Result != nil:
		if !jsonx.IsText(id) {
			o.Fail(o.Path("/call_id"), "a string", id)
		}
		o.Results = append(o.Results, o.Keep(id))
		t.ResultImages = t.ResultImages || o.image
		t.Results = o.TurnResults()
	}
}

// check validates the content and the role of an item of the class w.
func (o *outliner) check(i *kit.Object, w items.Class) {
	if content := i.Get(iContent); w.Message && !jsonx.IsText(content) && !jsonx.IsArray(content) {
		o.Fail(o.Path("/content"), "a string or a list of parts", content)
	}
	if role := i.Get(iRole); w.Side == items.Nowhere {
		if role != nil && !jsonx.IsText(role) {
			o.Fail(o.Path("/role"), "a string", role)
		}
		o.Fault(o.Path("/role"), "expected user, system, developer or assistant, got "+orNothing(role))
	}
}

// classOf returns the class of an item. id is its call id, nil without one. A compaction request or summary is
// classified as a user message. compaction is true for it.
func classOf(i *kit.Object, id []byte) (w items.Class, compaction bool) {
	kind := items.TypeOf(string(jsonx.TextBytes(i.Get(iType))), id, i.Get(iRole), i.Get(iContent))
	if kind == items.Trigger || kind == items.Compaction && items.IsSummary(i.Text(iEncrypted)) {
		return items.Class{Side: items.OfUser}, true
	}
	return items.ClassOf(kind, string(jsonx.TextBytes(i.Get(iRole))), id), false
}

func orNothing(v []byte) string {
	if v == nil {
		return "nothing"
	}
	return string(v)
}

// asked maps the name of a member with the input of a call to its slot in itemShape.
var asked = map[string]int{"arguments": iArguments, "action": iAction, "operation": iOperation}

// call validates a call item of the form f and adds its id, name and soundness to the outline.
func (o *outliner) call(f *items.Form, i *kit.Object, id []byte) {
	ref := callwright.CallRef{ID: o.Keep(id), Name: f.Tool, Sound: f.Kind != callwright.FunctionTool || o.IsSound(i.Get(asked[f.Input]))}
	if f.Tool == "" {
		if !jsonx.IsText(i.Get(iName)) {
			o.Fail(o.Path("/name"), "a string", i.Get(iName))
		}
		ref.Name = o.Keep(i.Get(iName))
		if ns := i.Get(iNamespace); jsonx.IsText(ns) {
			ref.Name = items.JoinedName(jsonx.TextOf(ns), ref.Name)
		}
	}
	if !kit.IsTextOrNull(id) {
		o.Fail(o.Path("/call_id"), "a string", id)
	}
	o.Calls = append(o.Calls, ref)
}
