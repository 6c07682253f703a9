package responses

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/internal/kit"
	"github.com/callwright/callwright/internal/wire/responses/internal/items"
)

// outliner reads the shape of the history and checks the kinds of what it passes. The first error ends its interest, not
// its walk.
type outliner struct {
	*jsonx.Walker
	raw     []byte
	body    *body
	err     *callwright.Error
	items   int
	n       int // the item at hand
	count   kit.Count
	turns   []callwright.Summary
	spans   []turnSpan
	side    items.Side // of the last turn
	calls   []callwright.CallRef
	results []string
	mark    struct{ calls, results int } // where those of the last turn begin
	scratch []byte
}

// newOutliner keeps the first turn free for the instructions.
func newOutliner(b *body) *outliner {
	guess := 4 + len(b.Raw)/4096
	return &outliner{raw: b.Raw, body: b, turns: make([]callwright.Summary, 1, guess), spans: make([]turnSpan, 1, guess)}
}

// done gives the turns to the body.
func (o *outliner) done() {
	b := o.body
	if b.Outline, b.turns = o.turns, o.spans; !b.system {
		b.Outline, b.turns = o.turns[1:], o.spans[1:]
	}
}

func (o *outliner) fault(err *callwright.Error) {
	if o.err == nil {
		o.err = err
	}
}

// fail is the error about a value below the item at hand.
func (o *outliner) fail(below, want string, got []byte) {
	o.fault(expected(kit.Pointer("input", o.n, below), want, got))
}

// past reports whether n more are of no interest: something was wrong before, or they are too many.
func (o *outliner) past(n int) bool {
	if o.err == nil && o.count.Over(n) {
		o.err = kit.TooManyParts(opDecode, kit.Pointer("input", o.n, ""))
	}
	return o.err != nil
}

func (o *outliner) instructions(at int) int {
	end := o.Value(at)
	v := o.raw[at:end]
	switch {
	case jsonx.IsText(v) && len(v) > 2:
		o.turns[0] = callwright.Summary{Role: callwright.RoleSystem}
		note(&o.turns[0], v)
		o.spans[0] = turnSpan{Span: kit.Span{From: at, To: end}}
		o.body.system = true
	case !jsonx.IsText(v) && !jsonx.IsNull(v):
		o.fault(expected("/instructions", "a string", v))
	}
	return end
}

// input reads the input at i: a text, a list of items, or null.
func (o *outliner) input(at int) int {
	if o.raw[at] == '[' {
		return o.Elements(at, o.item)
	}
	end := o.Value(at)
	switch v := o.raw[at:end]; {
	case jsonx.IsText(v):
		t := callwright.Summary{Role: callwright.RoleUser}
		note(&t, v)
		o.turns, o.spans = append(o.turns, t), append(o.spans, turnSpan{Span: kit.Span{From: at, To: end}})
		o.items, o.body.plain = 1, true
	case !jsonx.IsNull(v):
		o.fault(expected("/input", "a string or a list of items", v))
	}
	return end
}

// note enters a piece of text, a JSON string, into a turn.
func note(t *callwright.Summary, v []byte) {
	if jsonx.IsBlank(v) {
		t.Blank = true
		return
	}
	t.Text = true
}

// seen is what the outline reads of an item, whatever its type turns out to be.
type seen struct {
	kind, role, id, name, namespace, execution, environment, input, encrypted, tools []byte

	content []byte // the first byte of it
	shape   callwright.Summary
	image   bool // the output has an image
}

func (o *outliner) item(n, at int) int {
	if o.n = n; o.past(1) {
		return o.Value(at)
	}
	if o.raw[at] != '{' {
		end := o.Value(at)
		o.fail("", "an item object", o.raw[at:end])
		return end
	}
	var s seen
	end := o.Members(at, func(key jsonx.Key, at int) int { return o.member(&s, key, at) })
	if o.items++; o.err != nil {
		return end
	}
	if !jsonx.IsNull(s.kind) && !jsonx.IsText(s.kind) {
		o.fail("/type", "a string", s.kind)
		return end
	}
	o.enter(&s, at, end)
	return end
}

// member reads one member of an item.
func (o *outliner) member(s *seen, key jsonx.Key, at int) int {
	if o.raw[at] == '[' && key.Is("content") {
		s.content = o.raw[at : at+1]
		s.shape.Parts = true
		return o.Elements(at, func(n, at int) int { return o.part(&s.shape, n, at) })
	}
	if o.raw[at] == '[' && key.Is("output") {
		end, parts, image := kit.HoldsType(o.Walker, o.raw, at, "input_image")
		s.image = image
		o.past(parts)
		return end
	}
	end := o.Value(at)
	v := o.raw[at:end:end]
	switch {
	case key.Is("type"):
		s.kind = v
	case key.Is("role"):
		s.role = v
	case key.Is("content"):
		s.content = v
		if jsonx.IsText(v) {
			note(&s.shape, v)
		}
	case key.Is("call_id"):
		s.id = v
	case key.Is("id") && s.id == nil:
		s.id = v // where there is no call_id
	case key.Is("name"):
		s.name = v
	case key.Is("execution"):
		s.execution = v
	case key.Is("environment"):
		s.environment = v
	case key.Is("namespace"):
		s.namespace = v
	case key.Is("arguments"), key.Is("input"), key.Is("action"), key.Is("operation"):
		s.input = v
	case key.Is("tools"):
		s.tools = v
	case key.Is("encrypted_content"):
		s.encrypted = v
	}
	return end
}

// part reads one element of content.
func (o *outliner) part(t *callwright.Summary, n, at int) int {
	if o.past(1) {
		return o.Value(at)
	}
	if o.raw[at] != '{' {
		end := o.Value(at)
		o.fail(kit.Pointer("content", n, ""), "a part object", o.raw[at:end])
		return end
	}
	var kind, words, refusal []byte
	end := o.Members(at, func(key jsonx.Key, at int) int {
		end := o.Value(at)
		switch {
		case key.Is("type"):
			kind = o.raw[at:end]
		case key.Is("text"):
			words = o.raw[at:end]
		case key.Is("refusal"):
			refusal = o.raw[at:end]
		}
		return end
	})
	switch k := string(jsonx.TextBytes(kind)); {
	case !jsonx.IsText(kind):
		o.fail(kit.Pointer("content", n, "/type"), "a string", kind)
	case items.TextMember(k) != "":
		if items.TextMember(k) == "refusal" {
			words = refusal
		}
		if !jsonx.IsText(words) {
			o.fail(kit.Pointer("content", n, "/"+items.TextMember(k)), "a string", words)
			break
		}
		note(t, words)
	case k != "reasoning_text":
		t.Media = true
	}
	return end
}

// enter adds an item to the turn it belongs to.
func (o *outliner) enter(s *seen, at, end int) {
	switch {
	case items.RanByProvider(s.execution, s.environment):
		if o.body.served == nil {
			o.body.served = map[string]bool{}
		}
		if jsonx.IsText(s.id) {
			o.body.served[jsonx.TextOf(s.id)] = true
		}
		s.id = nil
	case o.body.served[string(jsonx.TextBytes(s.id))]:
		s.id = nil
	}
	w, compaction := o.class(s)
	if w.Message && s.content == nil {
		o.fail("/content", "a string or a list of parts", nil)
	} else if w.Message && !jsonx.IsText(s.content) && !jsonx.IsArray(s.content) {
		o.fail("/content", "a string or a list of parts", s.content)
	}
	if w.Side == items.Nowhere {
		if s.role == nil || jsonx.IsText(s.role) {
			o.fault(invalid(kit.Pointer("input", o.n, "/role"), "expected user, system, developer or assistant, got "+orNothing(s.role)))
		} else {
			o.fail("/role", "a string", s.role)
		}
	}
	if items.BringsTools(string(jsonx.TextBytes(s.kind))) && jsonx.IsArray(s.tools) {
		o.body.found = append(o.body.found, s.tools)
	}
	last := len(o.turns) - 1
	if last == 0 || w.Side != o.side || !w.Side.Joins() {
		o.turns, o.spans = append(o.turns, callwright.Summary{Role: w.Side.Role()}), append(o.spans, turnSpan{Span: kit.Span{From: at}})
		o.mark.calls, o.mark.results = len(o.calls), len(o.results)
		o.side = w.Side
		last++
	}
	t, p := &o.turns[last], &o.spans[last]
	p.To, p.orphan = end, w.Reasoning
	p.compaction, o.body.compacts = compaction, compaction && string(jsonx.TextBytes(s.kind)) == items.Trigger
	t.Text, t.Blank = t.Text || compaction || w.Message && s.shape.Text, t.Blank || w.Message && s.shape.Blank
	t.Media, t.Parts = t.Media || s.shape.Media || w.Opaque, t.Parts || w.Message && s.shape.Parts
	switch {
	case w.Reasoning:
		t.Reasoning = true
		p.unencrypted = p.unencrypted || !jsonx.IsText(s.encrypted)
	case w.Call != nil:
		o.call(w.Call, s)
		t.Calls = o.calls[o.mark.calls:len(o.calls):len(o.calls)]
	case w.Result != nil:
		if !jsonx.IsText(s.id) {
			o.fail("/call_id", "a string", s.id)
		}
		o.results = append(o.results, jsonx.TextOf(s.id))
		t.ResultImages = t.ResultImages || s.image
		t.Results = o.results[o.mark.results:len(o.results):len(o.results)]
	}
}

// class is what an item is. One that is about a compaction says something as the user.
func (o *outliner) class(s *seen) (w items.Class, compaction bool) {
	kind := items.TypeOf(string(jsonx.TextBytes(s.kind)), s.id, s.role, s.content)
	if compaction = kind == items.Trigger || kind == items.Compaction && items.IsSummary(string(jsonx.TextBytes(s.encrypted))); compaction {
		return items.Class{Side: items.OfUser}, true
	}
	return items.ClassOf(kind, string(jsonx.TextBytes(s.role)), s.id), false
}

func orNothing(v []byte) string {
	if v == nil {
		return "nothing"
	}
	return string(v)
}

// call adds a call to the outline.
func (o *outliner) call(f *items.Form, s *seen) {
	ref := callwright.CallRef{ID: jsonx.TextOf(s.id), Name: f.Tool, Sound: true}
	if f.Tool == "" {
		if !jsonx.IsText(s.name) {
			o.fail("/name", "a string", s.name)
		}
		ref.Name = jsonx.TextOf(s.name)
		if jsonx.IsText(s.namespace) {
			ref.Name = items.JoinedName(jsonx.TextOf(s.namespace), ref.Name)
		}
	}
	if f.Kind == callwright.FunctionTool {
		ref.Sound = o.sound(s.input)
	}
	if !jsonx.IsText(s.id) && !jsonx.IsNull(s.id) {
		o.fail("/call_id", "a string", s.id)
	}
	o.calls = append(o.calls, ref)
}

// sound reports whether arguments are one JSON object, as text or as it is.
func (o *outliner) sound(v []byte) bool {
	if !jsonx.IsText(v) {
		return jsonx.IsObject(v)
	}
	o.scratch = jsonx.Unquote(o.scratch[:0], v)
	return jsonx.KindOf(o.scratch) == jsonx.Object && jsonx.Valid(o.scratch) == nil
}
