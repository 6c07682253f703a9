package gemini

import (
	"slices"
	"strconv"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/callid"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/internal/kit"
)

// outliner is the visitor that makes the outline. It gives ids to calls and results that have none. The first turn is
// kept for the system instruction.
type outliner struct {
	kit.Outliner
	before callwright.Role // of the content before
	beside bool            // the content holds something beside results
	marks  []turnMarks     // by turn
	first  bool            // the first call of the turn has a signature
	open   kit.Waiting     // the calls of the last turn of the model
	mark   int             // how many of them came before the turn
	plain  bool            // the content before has parts and a role alone
}

// turnMarks holds the facts about a turn beside its outline.
type turnMarks struct {
	signed bool // its first call has a signature
	behind bool // calls stand in a content behind another one of the model
	silent bool // it is several contents, one of which says nothing, see says
	begun  bool // its first content says something
}

// path is the place of the content at hand, or below it.
func (o *outliner) path(below string) string {
	if o.N < 0 {
		return "/" + systemInstruction.camel + below
	}
	return o.Path(below)
}

// wants keeps the error about a value that is there and is not of the kind that it should be.
func (o *outliner) wants(p *kit.Object, is bool, below, want string, got []byte) {
	if !is {
		o.Fail(o.path("/parts/"+strconv.Itoa(p.N)+below), want, got)
	}
}

// Enter begins a content, and counts its parts.
func (o *outliner) Enter(of *kit.Shape, n int) bool {
	if of.Kind == ofContent {
		o.begin(n)
	}
	return !o.IsPast(func() string { return o.path("") })
}

func (o *outliner) begin(n int) {
	o.Begin()
	o.N = n
	o.Turn.Parts, o.beside, o.first, o.mark = true, false, false, o.open.Len()
}

// Leave enters a part or a whole content into the outline.
func (o *outliner) Leave(x *kit.Object) {
	switch x.Shape.Kind {
	case ofContent:
		o.content(x)
	case ofPart:
		o.part(x)
	}
}

// system enters the system instruction, which stands at a place.
func (o *outliner) system(at kit.Span) {
	o.Outline[0] = callwright.Summary{Role: callwright.RoleSystem, Text: o.Turn.Text, Blank: o.Turn.Blank, Media: o.Turn.Media, Parts: true}
	o.Spans[0] = at
}

// instruction reads a system instruction that is no object: one text, or null.
func (o *outliner) instruction(v []byte, at kit.Span) {
	o.begin(-1)
	switch {
	case jsonx.IsText(v):
		o.Text(v)
		o.system(at)
	case !jsonx.IsNull(v):
		o.Fail(o.path(""), "a content object", v)
	}
}

// roles are the roles of contents that are the model's. All others are the user's: function is that of results with
// older clients.
var roles = map[string]callwright.Role{"model": callwright.RoleAssistant, "assistant": callwright.RoleAssistant}

// content finishes a turn once all its parts were seen. Calls are the model's alone, results everybody else's.
func (o *outliner) content(c *kit.Object) {
	if !c.IsObject() {
		o.Fail(o.path(""), "a content object", c.Raw())
		return
	}
	if v := c.Get(cParts); !canBeList(v) {
		o.Fail(o.path("/parts"), "a list of parts", v)
	}
	if o.N < 0 {
		o.system(c.Span)
		return
	}
	if !kit.IsTextOrNull(c.Get(cRole)) {
		o.Fail(o.path("/role"), "a role", c.Get(cRole))
	}
	role, isModel := roles[string(jsonx.TextBytes(c.Get(cRole)))]
	joins := isModel && o.before == callwright.RoleAssistant && o.plain && c.Only(cParts, cRole)
	o.plain = c.Only(cParts, cRole)
	switch {
	case joins:
		o.DropResults()
		o.join(c.Span)
		return
	case isModel:
		o.DropResults()
		if o.before != callwright.RoleAssistant { // turns of the model that follow one another are one
			o.open.Keep(o.mark)
		}
	default:
		o.DropCalls()
		o.open.Drop(o.mark)
		o.Turn.Reasoning, o.first = false, false
		if role = callwright.RoleUser; len(o.TurnResults()) > 0 && !o.beside {
			role = callwright.RoleTool
		}
	}
	o.Turn.Role, o.before = role, role
	o.marks = append(o.marks, turnMarks{signed: o.first, begun: o.says()})
	o.End(c.Span)
}

// join makes the turn a part of the one before it, which is the model's, too: SDKs keep each piece of a stream as a
// content of its own.
func (o *outliner) join(at kit.Span) {
	last := len(o.Outline) - 1
	whole, marks, calls := &o.Outline[last], &o.marks[len(o.marks)-1], o.TurnCalls()
	if len(whole.Calls) == 0 {
		marks.signed = o.first
	}
	marks.behind, marks.silent = marks.behind || len(calls) > 0, marks.silent || !marks.begun || !o.says()
	whole.Calls = slices.Clip(o.Calls[len(o.Calls)-len(calls)-len(whole.Calls):])
	whole.Text, whole.Blank, whole.Media, whole.Reasoning = whole.Text || o.Turn.Text, whole.Blank ||
		o.Turn.Blank, whole.Media || o.Turn.Media, whole.Reasoning || o.Turn.Reasoning
	o.Spans[last].To = at.To
}

// says reports whether the content has anything but reasoning and white space.
func (o *outliner) says() bool {
	return o.Turn.Text || o.Turn.Media || len(o.TurnCalls()) > 0
}

// set is a value of a part, nil where it is not set.
func set(p *kit.Object, slot int) []byte {
	if v := p.Get(slot); !jsonx.IsNull(v) {
		return v
	}
	return nil
}

// part enters a part into the turn.
func (o *outliner) part(p *kit.Object) {
	if !p.IsObject() {
		o.wants(p, false, "", "a part object", p.Raw())
		return
	}
	call, response, text, signature := set(p, pCall), set(p, pResponse), set(p, pText), set(p, pSignature)
	o.beside = o.beside || response == nil
	o.wants(p, kit.IsTextOrNull(signature), "/thoughtSignature", "a string", signature)
	inline, file := set(p, pInline), set(p, pFile)
	o.wants(p, inline == nil || jsonx.IsObject(inline), "/inlineData", "an object", inline)
	o.wants(p, file == nil || jsonx.IsObject(file), "/fileData", "an object", file)
	switch {
	case jsonx.IsObject(call) && set(p, pCallName) == nil && set(p, pCallID) == nil && set(p, pCallArgs) == nil:
		o.Turn.Media = true // a call of nothing is none
	case call != nil:
		o.call(p, call)
	case response != nil:
		o.result(p, response)
	case inline != nil, file != nil, text == nil: // a part without text is one that only this wire knows
		o.Turn.Media = true
	case !jsonx.IsText(text):
		o.wants(p, false, "/text", "a string", text)
	case jsonx.IsTrue(p.Get(pThought)):
		o.Turn.Reasoning = true
	default:
		blank := jsonx.IsBlank(text)
		o.Turn.Reasoning = o.Turn.Reasoning || signature != nil
		o.Turn.Text = o.Turn.Text || !blank
		o.Turn.Blank = o.Turn.Blank || blank && (signature == nil || len(text) > 2)
	}
}

// call reads a call. Only an object is sound; a call without arguments has none.
func (o *outliner) call(p *kit.Object, call []byte) {
	id, args := p.Get(pCallID), p.Get(pCallArgs)
	if o.wants(p, jsonx.IsObject(call), "/functionCall", "an object", call); !jsonx.IsObject(call) {
		return
	}
	o.wants(p, jsonx.IsText(p.Get(pCallName)), "/functionCall/name", "a string", p.Get(pCallName))
	o.wants(p, kit.IsTextOrNull(id), "/functionCall/id", "a string", id)
	ref := callwright.CallRef{ID: o.Keep(id), Name: o.Keep(p.Get(pCallName)), Sound: jsonx.IsObject(args) || jsonx.IsNull(args)}
	nameless, k := ref.ID == "", len(o.TurnCalls())
	if nameless {
		ref.ID = callid.DeriveID(o.N, k)
	}
	if k == 0 {
		o.first = set(p, pSignature) != nil
	}
	o.Calls = append(o.Calls, ref)
	o.open.Add(ref.ID, ref.Name, nameless)
}

// result reads a result and finds its call: the one with its id, else the first unanswered call of its tool that came
// without an id.
func (o *outliner) result(p *kit.Object, response []byte) {
	id, name, said := p.Get(pResultID), p.Get(pResultName), p.Get(pResultSaid)
	if o.wants(p, jsonx.IsObject(response), "/functionResponse", "an object", response); !jsonx.IsObject(response) {
		return
	}
	o.wants(p, kit.IsTextOrNull(name), "/functionResponse/name", "a string", name)
	o.wants(p, kit.IsTextOrNull(id), "/functionResponse/id", "a string", id)
	o.wants(p, jsonx.IsObject(said) || jsonx.IsNull(said), "/functionResponse/response", "an object", said)
	o.Turn.ResultImages = o.Turn.ResultImages || jsonx.IsArray(p.Get(pResultParts))
	o.Results = append(o.Results, o.answers(o.Keep(id), o.Keep(name)))
}

func (o *outliner) answers(id, name string) string {
	if id != "" {
		if call, ok := o.open.Take(kit.Want{ID: id}); ok {
			return call
		}
	}
	if call, ok := o.open.Take(kit.Want{Name: name, Nameless: id != ""}); ok {
		return call
	}
	return id
}
