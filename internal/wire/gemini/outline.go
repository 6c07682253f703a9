package gemini

import (
	"slices"
	"strconv"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/callid"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/internal/kit"
)

// outliner is the kit.Visitor that summarizes the contents of a request and validates the types of their members. It
// generates ids for calls and results that have none. Outline[0] and Spans[0] are reserved for the system instruction.
type outliner struct {
	kit.Outliner
	before callwright.Role // role of the previous content
	beside bool            // the current content has parts other than results
	marks  []turnMarks     // one for each message except the system instruction
	first  bool            // the first call of the current content has a signature
	open   kit.Waiting     // unanswered calls of the last model turn
	mark   int             // number of calls in open before the current content
	plain  bool            // the previous content has no members except parts and role
}

// turnMarks holds facts about a message that its summary does not contain. A message of the model may be several
// contents.
type turnMarks struct {
	signed          bool // its first call has a signature
	behind          bool // a content after its first one has calls
	hasEmptyContent bool // it has several contents, one of which has no text, media or calls
	begun           bool // its first content has text, media or calls
}

// path returns the JSON pointer to the current content, with below appended.
func (o *outliner) path(below string) string {
	if o.N < 0 {
		return "/" + systemInstruction.camel + below
	}
	return o.Path(below)
}

// wants records the error "expected WANT, got ..." about the value got, if the condition (the parameter is) is false.
// The JSON pointer to the value is below, relative to the part p.
func (o *outliner) wants(p *kit.Object, is bool, below, want string, got []byte) {
	if !is {
		o.Fail(o.path("/parts/"+strconv.Itoa(p.N)+below), want, got)
	}
}

// Enter is called before element n of a list is read. For a content it starts a new summary. It returns false, so that
// the element is skipped, after an error or beyond kit.MaxParts elements.
func (o *outliner) Enter(of *kit.Shape, n int) bool {
	if of.Kind == ofContent {
		o.begin(n)
	}
	return !o.SkipElement(func() string { return o.path("") })
}

func (o *outliner) begin(n int) {
	o.Begin()
	o.N = n
	o.Turn.Parts, o.beside, o.first, o.mark = true, false, false, o.open.Len()
}

// Leave is called after the members of x have been read. It records x, which is a content or a part of one.
func (o *outliner) Leave(x *kit.Object) {
	switch x.Shape.Kind {
	case ofContent:
		o.content(x)
	case ofPart:
		o.part(x)
	}
}

// system stores the summary of the system instruction. at is the range of its bytes in the body.
func (o *outliner) system(at kit.Span) {
	o.Outline[0] = callwright.Summary{Role: callwright.RoleSystem, Text: o.Turn.Text, Blank: o.Turn.Blank, Media: o.Turn.Media, Parts: true}
	o.Spans[0] = at
}

// instruction records a system instruction that is a string. It ignores null, and records an error for another value.
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

// roles maps roles to RoleAssistant. A content with any other role is a user's, for example "function", which older
// clients use for results.
var roles = map[string]callwright.Role{"model": callwright.RoleAssistant, "assistant": callwright.RoleAssistant}

// content validates a content and appends its summary to the outline, or merges it into the previous one. It ignores
// results in contents of the model and calls in other contents.
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
		if o.before != callwright.RoleAssistant { // successive contents of the model are one turn
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

// join merges the current content into the previous one, which is the model's too. SDKs store each chunk of a stream as
// a separate content.
func (o *outliner) join(at kit.Span) {
	last := len(o.Outline) - 1
	whole, marks, calls := &o.Outline[last], &o.marks[len(o.marks)-1], o.TurnCalls()
	if len(whole.Calls) == 0 {
		marks.signed = o.first
	}
	marks.behind, marks.hasEmptyContent = marks.behind || len(calls) > 0, marks.hasEmptyContent || !marks.begun || !o.says()
	whole.Calls = slices.Clip(o.Calls[len(o.Calls)-len(calls)-len(whole.Calls):])
	whole.Text, whole.Blank, whole.Media, whole.Reasoning = whole.Text || o.Turn.Text, whole.Blank ||
		o.Turn.Blank, whole.Media || o.Turn.Media, whole.Reasoning || o.Turn.Reasoning
	o.Spans[last].To = at.To
}

// says reports whether the current content has anything except reasoning and white space.
func (o *outliner) says() bool {
	return o.Turn.Text || o.Turn.Media || len(o.TurnCalls()) > 0
}

// set returns the value in a slot of a part, nil if it is missing or null.
func set(p *kit.Object, slot int) []byte {
	if v := p.Get(slot); !jsonx.IsNull(v) {
		return v
	}
	return nil
}

// part validates a part and records it in the summary.
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
		o.Turn.Media = true // an empty functionCall is not a call
	case call != nil:
		o.call(p, call)
	case response != nil:
		o.result(p, response)
	case inline != nil, file != nil, text == nil: // an unknown type of part
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

// call validates a functionCall and adds it to the outline. It is sound if its arguments are an object or missing.
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

// result validates a functionResponse and finds the call that it answers: the call with its id, otherwise the first
// unanswered call of its function. If the result has an id, only calls without ids count for the latter.
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
