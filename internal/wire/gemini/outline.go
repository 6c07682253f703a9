package gemini

import (
	"strconv"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/internal/kit"
)

// outliner reads the shape of the history, checks the kinds of what it passes, and gives ids to calls and results that have
// none. The first error ends its interest, not its walk. The first turn is kept for the system instruction.
type outliner struct {
	*jsonx.Walker
	raw           []byte
	err           *callwright.Error
	outline       []callwright.Summary
	turns         []turnSpan
	count         kit.Count
	n             int    // the content at hand, -1 for the system instruction
	role          []byte // of it
	turn          callwright.Summary
	signed        bool
	before        callwright.Role      // of the content before
	besideResults bool                 // the content holds something beside results
	calls         []callwright.CallRef // those of all turns, in one piece
	results       []string
	open          kit.Waiting // the calls of the last turn of the model
}

func newOutliner(b *body) *outliner {
	guess := 4 + len(b.Raw)/4096
	return &outliner{raw: b.Raw, turns: make([]turnSpan, 1, guess), outline: make([]callwright.Summary, 1, guess)}
}

func (o *outliner) fail(err *callwright.Error) {
	if o.err == nil {
		o.err = err
	}
}

// want is the error about something in the content at hand.
func (o *outliner) want(below, want string, got []byte) {
	if o.err == nil {
		o.err = expected(o.path(below), want, got)
	}
}

func (o *outliner) path(below string) string {
	if o.n < 0 {
		return "/" + systemInstruction.camel + below
	}
	return kit.Pointer("contents", o.n, below)
}

// past reports whether n more are of no interest: something was wrong before, or they are too many.
func (o *outliner) past(n int) bool {
	if o.err == nil && o.count.Over(n) {
		o.err = kit.TooManyParts(opDecode, o.path(""))
	}
	return o.err != nil
}

// contents walks the list at i and returns its end.
func (o *outliner) contents(i int) int {
	o.turns, o.outline = o.turns[:1], o.outline[:1]
	return o.each(i, func(n, at int) int {
		o.n = n
		if o.raw[at] != '{' {
			end := o.Value(at)
			o.want("", "a content object", o.raw[at:end])
			return end
		}
		if o.past(1) {
			return o.Value(at)
		}
		calls, open, results := len(o.calls), o.open.Len(), len(o.results)
		end := o.content(at)
		o.close(calls, open, results)
		o.turns = append(o.turns, turnSpan{kit.Span{From: at, To: end}, o.signed})
		o.outline = append(o.outline, o.turn)
		return end
	})
}

// system reads the system instruction at i and returns its end. Its role means nothing.
func (o *outliner) system(i int) int {
	o.n = -1
	end := o.instruction(i)
	o.turns[0].Span = kit.Span{From: i, To: end}
	o.outline[0] = callwright.Summary{Role: callwright.RoleSystem, Text: o.turn.Text, Blank: o.turn.Blank, Media: o.turn.Media, Parts: true}
	return end
}

// instruction walks the system instruction: a content, or one text in its place.
func (o *outliner) instruction(at int) int {
	if o.raw[at] == '{' {
		return o.content(at)
	}
	end := o.Value(at)
	o.turn = callwright.Summary{Parts: true, Blank: jsonx.IsBlank(o.raw[at:end])}
	o.turn.Text = !o.turn.Blank
	return end
}

// content walks one content.
func (o *outliner) content(at int) int {
	o.turn, o.role, o.signed, o.besideResults = callwright.Summary{Parts: true}, nil, false, false
	return o.Members(at, func(key jsonx.Key, at int) int {
		if key.Is("parts") && (o.raw[at] == '[' || o.raw[at] == '{') {
			return o.each(at, o.part)
		}
		end := o.Value(at)
		v := o.raw[at:end:end]
		switch {
		case key.Is("role"):
			o.role = v
		case key.Is("parts") && !jsonx.IsNull(v):
			o.want("/parts", "a list of parts", v)
		}
		return end
	})
}

// roles are the roles of contents that are the model's. All others are the user's: function is that of results with older clients.
var roles = map[string]callwright.Role{"model": callwright.RoleAssistant, "assistant": callwright.RoleAssistant}

// close finishes a turn once all its parts were seen. Calls are the model's alone, results everybody else's. The places are
// where those of the turn begin.
func (o *outliner) close(calls, open, results int) {
	role, ok := roles[string(jsonx.TextBytes(o.role))]
	if !ok {
		role = callwright.RoleUser
	}
	if !jsonx.IsText(o.role) && !jsonx.IsNull(o.role) {
		o.want("/role", "a role", o.role)
	}
	o.turn.Role = role
	defer func() { o.before = o.turn.Role }()
	if role == callwright.RoleAssistant {
		o.results = o.results[:results]
		if o.before != callwright.RoleAssistant { // turns of the model that follow one another are one
			o.open.Keep(open)
		}
		if len(o.calls) > calls {
			o.turn.Calls = o.calls[calls:len(o.calls):len(o.calls)]
		}
		return
	}
	o.calls = o.calls[:calls]
	o.open.Drop(open)
	o.turn.Calls, o.turn.Reasoning, o.signed = nil, false, false
	if len(o.results) > results {
		o.turn.Results = o.results[results:len(o.results):len(o.results)]
		if !o.besideResults {
			o.turn.Role = callwright.RoleTool
		}
	}
}

// found is what the outline reads of a part.
type found struct {
	text, thought, signature []byte
	call, response           []byte
	in                       inner
	media                    bool
}

// inner is what it reads of a call or a result; value is the arguments or the response, parts the files of a result.
type inner struct{ id, name, value, parts []byte }

func (o *outliner) part(k, at int) int {
	if o.past(1) {
		return o.Value(at)
	}
	if o.raw[at] != '{' {
		end := o.Value(at)
		o.want("/parts/"+strconv.Itoa(k), "a part object", o.raw[at:end])
		return end
	}
	var f found
	end := o.Members(at, func(key jsonx.Key, at int) int {
		call, response := functionCall.is(key), functionResponse.is(key)
		if (call || response) && o.raw[at] == '{' {
			end := f.in.walk(o.Walker, o.raw, at)
			if call {
				f.call = o.raw[at:end:end]
			} else {
				f.response = o.raw[at:end:end]
			}
			return end
		}
		end := o.Value(at)
		v := o.raw[at:end:end]
		switch {
		case jsonx.IsNull(v): // not set
		case key.Is("text"):
			f.text = v
		case key.Is("thought"):
			f.thought = v
		case thoughtSignature.is(key):
			f.signature = v
		case call:
			f.call = v
		case response:
			f.response = v
		case inlineData.is(key), fileData.is(key):
			f.media = true
			if !jsonx.IsObject(v) {
				o.want("/parts/"+strconv.Itoa(k)+"/"+key.String(), "an object", v)
			}
		}
		return end
	})
	o.add(k, &f)
	return end
}

// walk reads the members of the call or the result at i and returns its end.
func (in *inner) walk(w *jsonx.Walker, raw []byte, i int) int {
	*in = inner{}
	return w.Members(i, func(key jsonx.Key, at int) int {
		end := w.Value(at)
		v := raw[at:end:end]
		switch {
		case key.Is("id"):
			in.id = v
		case key.Is("name"):
			in.name = v
		case key.Is("args"), key.Is("response"):
			in.value = v
		case key.Is("parts"):
			in.parts = v
		}
		return end
	})
}

// add enters a part into the turn.
func (o *outliner) add(k int, f *found) {
	o.besideResults = o.besideResults || f.response == nil
	path := func(below string) string { return "/parts/" + strconv.Itoa(k) + below }
	if f.signature != nil && !jsonx.IsText(f.signature) && !jsonx.IsNull(f.signature) {
		o.want(path("/thoughtSignature"), "a string", f.signature)
	}
	switch {
	case jsonx.IsObject(f.call) && jsonx.IsNull(f.in.name) && jsonx.IsNull(f.in.id) && jsonx.IsNull(f.in.value):
		o.turn.Media = true // a call of nothing is none
	case f.call != nil:
		o.call(f, path)
	case f.response != nil:
		o.result(f, path)
	case f.media:
		o.turn.Media = true
	case f.text == nil:
		o.turn.Media = true // what only this wire knows
	case !jsonx.IsText(f.text):
		o.want(path("/text"), "a string", f.text)
	case jsonx.IsTrue(f.thought):
		o.turn.Reasoning = true
	default:
		signed := !jsonx.IsNull(f.signature)
		blank := jsonx.IsBlank(f.text)
		o.turn.Reasoning = o.turn.Reasoning || signed
		o.turn.Text = o.turn.Text || !blank
		o.turn.Blank = o.turn.Blank || blank && (!signed || len(f.text) > 2)
	}
}

// call reads a call. Only an object is sound; a call without arguments has none.
func (o *outliner) call(f *found, path func(string) string) {
	if !jsonx.IsObject(f.call) {
		o.want(path("/functionCall"), "an object", f.call)
		return
	}
	id, name, args := f.in.id, f.in.name, f.in.value
	switch {
	case !jsonx.IsText(name):
		o.want(path("/functionCall/name"), "a string", name)
	case !jsonx.IsText(id) && !jsonx.IsNull(id):
		o.want(path("/functionCall/id"), "a string", id)
	}
	ref := callwright.CallRef{ID: jsonx.TextOf(id), Name: jsonx.TextOf(name), Sound: jsonx.IsObject(args) || jsonx.IsNull(args)}
	nameless := ref.ID == ""
	k := len(o.turn.Calls)
	if nameless {
		ref.ID = callwright.DerivedID(o.n, k)
	}
	if k == 0 {
		o.signed = !jsonx.IsNull(f.signature)
	}
	o.calls = append(o.calls, ref)
	o.open.Add(ref.ID, ref.Name, nameless)
	o.turn.Calls = o.calls[len(o.calls)-k-1:]
}

// result reads a result and finds its call: the one with its id, else the first unanswered call of its tool that came
// without an id.
func (o *outliner) result(f *found, path func(string) string) {
	if !jsonx.IsObject(f.response) {
		o.want(path("/functionResponse"), "an object", f.response)
		return
	}
	id, name, response := f.in.id, f.in.name, f.in.value
	switch {
	case !jsonx.IsText(name) && !jsonx.IsNull(name):
		o.want(path("/functionResponse/name"), "a string", name)
	case !jsonx.IsText(id) && !jsonx.IsNull(id):
		o.want(path("/functionResponse/id"), "a string", id)
	case !jsonx.IsObject(response) && !jsonx.IsNull(response):
		o.want(path("/functionResponse/response"), "an object", response)
	}
	for range elements(f.in.parts) {
		if o.past(1) {
			break
		}
	}
	o.turn.ResultImages = o.turn.ResultImages || jsonx.IsArray(f.in.parts)
	o.results = append(o.results, o.answers(jsonx.TextOf(id), jsonx.TextOf(name)))
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
