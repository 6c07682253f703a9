package openai

import (
	"strconv"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/internal/kit"
)

// outliner reads the shape of the history and checks the kinds of what it passes. The first error ends its interest, not
// its walk.
type outliner struct {
	*jsonx.Walker
	raw     []byte
	body    *body
	err     *callwright.Error
	n       int // the message at hand
	count   kit.Count
	turn    callwright.Summary
	role    []byte
	calls   []callwright.CallRef // those of all turns, in one piece
	results []string
	legacy  string // the id given to the last function_call
	scratch []byte
}

func (o *outliner) fail(below, want string, got []byte) {
	if o.err == nil {
		o.err = expected(kit.Pointer("messages", o.n, below), want, got)
	}
}

// past reports whether n more are of no interest: something was wrong before, or they are too many.
func (o *outliner) past(n int) bool {
	if o.err == nil && o.count.Over(n) {
		o.err = kit.TooManyParts(opDecode, kit.Pointer("messages", o.n, ""))
	}
	return o.err != nil
}

// messages walks the list at i and returns its end.
func (o *outliner) messages(i int) int {
	guess := 4 + len(o.raw)/4096
	o.body.spans, o.body.Outline = make([]kit.Span, 0, guess), make([]callwright.Summary, 0, guess)
	return o.Elements(i, func(n, at int) int {
		if o.n = n; o.past(1) {
			return o.Value(at)
		}
		if o.raw[at] != '{' {
			end := o.Value(at)
			o.fail("", "a message object", o.raw[at:end])
			return end
		}
		o.turn, o.role = callwright.Summary{}, nil
		calls, results := len(o.calls), len(o.results)
		end := o.Members(at, o.member)
		o.close(calls, results)
		o.body.spans = append(o.body.spans, kit.Span{From: at, To: end})
		o.body.Outline = append(o.body.Outline, o.turn)
		return end
	})
}

// close finishes a turn once all its members were seen.
func (o *outliner) close(calls, results int) {
	role, ok := roleOf(o.role)
	if !ok {
		if jsonx.IsText(o.role) {
			o.failRole()
		} else {
			o.fail("/role", "a role", o.role)
		}
	}
	o.turn.Role = role
	if role != callwright.RoleTool {
		o.results = o.results[:results]
	} else if len(o.results) == results {
		id := ""
		if string(jsonx.TextBytes(o.role)) == "function" {
			id = o.legacy
		}
		o.results = append(o.results, id)
	}
	if len(o.calls) > calls {
		o.turn.Calls = o.calls[calls:len(o.calls):len(o.calls)]
	}
	if len(o.results) > results {
		o.turn.Results = o.results[results:len(o.results):len(o.results)]
	}
}

func (o *outliner) failRole() {
	if o.err == nil {
		o.err = invalid(kit.Pointer("messages", o.n, "/role"),
			"expected system, developer, user, assistant or tool, got "+string(o.role))
	}
}

// roleOf reads a role. The names of the results' role are tool and the older function.
func roleOf(v []byte) (callwright.Role, bool) {
	switch role := jsonx.Key(v); {
	case role.Is("system"), role.Is("developer"):
		return callwright.RoleSystem, true
	case role.Is("user"):
		return callwright.RoleUser, true
	case role.Is("assistant"):
		return callwright.RoleAssistant, true
	case role.Is("tool"), role.Is("function"):
		return callwright.RoleTool, true
	}
	return "", false
}

func (o *outliner) member(key jsonx.Key, at int) int {
	switch {
	case key.Is("content"):
		return o.readContent(at)
	case key.Is("tool_calls"):
		return o.readCalls(at)
	}
	end := o.Value(at)
	v := o.raw[at:end:end]
	switch {
	case key.Is("role"):
		o.role = v
	case key.Is("tool_call_id"):
		if !jsonx.IsText(v) && !jsonx.IsNull(v) {
			o.fail("/tool_call_id", "a string", v)
			break
		}
		o.results = append(o.results, jsonx.TextOf(v))
	case key.Is("function_call"):
		if jsonx.IsObject(v) {
			name, _ := jsonx.Find(v, "name")
			arguments, _ := jsonx.Find(v, "arguments")
			o.legacy = legacyID(o.n)
			o.calls = append(o.calls, callwright.CallRef{ID: o.legacy, Name: jsonx.TextOf(name), Sound: o.sound(arguments)})
		}
	case key.Is("reasoning_content"), key.Is("reasoning"):
		o.turn.Reasoning = o.turn.Reasoning || jsonx.IsText(v) && len(v) > 2
	case key.Is("reasoning_details"):
		if jsonx.IsArray(v) {
			o.turn.Reasoning, o.turn.Signed = true, true
		}
	}
	return end
}

// readContent reads content at i: a text, a list of parts, or null.
func (o *outliner) readContent(at int) int {
	switch o.raw[at] {
	case '[':
		o.turn.Parts = true
		return o.Elements(at, o.readPart)
	case '"', 'n':
		end := o.Value(at)
		o.readText(o.raw[at:end])
		return end
	}
	end := o.Value(at)
	o.fail("/content", "a string or a list of parts", o.raw[at:end])
	return end
}

func (o *outliner) readText(v []byte) {
	switch {
	case !jsonx.IsText(v):
	case jsonx.IsBlank(v):
		o.turn.Blank = true
	default:
		o.turn.Text = true
	}
}

func (o *outliner) readPart(n, at int) int {
	if o.past(1) {
		return o.Value(at)
	}
	var end int
	var kind, words, refusal []byte
	if o.raw[at] == '{' {
		end = o.Members(at, func(key jsonx.Key, at int) int {
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
	} else {
		end = o.Value(at)
	}
	switch k := string(jsonx.TextBytes(kind)); {
	case o.raw[at] != '{':
		o.fail(pathOf("/content/", n, ""), "a part object", o.raw[at:end])
	case !jsonx.IsText(kind):
		o.fail(pathOf("/content/", n, "/type"), "a string", kind)
	case k == "text" || k == "refusal":
		if k == "refusal" {
			words = refusal
		}
		if !jsonx.IsText(words) {
			o.fail(pathOf("/content/", n, "/"+k), "a string", words)
			break
		}
		o.readText(words)
	case k == "image_url" || k == "input_audio" || k == "file":
		o.turn.Media = true
	case k == "thinking":
		o.turn.Reasoning = true
	}
	return end
}

// readCalls reads the calls at i: a list, or null.
func (o *outliner) readCalls(at int) int {
	if o.raw[at] == '[' {
		return o.Elements(at, o.readCall)
	}
	end := o.Value(at)
	if o.raw[at] != 'n' {
		o.fail("/tool_calls", "a list of calls", o.raw[at:end])
	}
	return end
}

// call is what an outline reads of one of tool_calls. Of members that come twice the first counts.
type call struct{ id, function, custom, name, arguments []byte }

func (o *outliner) readCall(n, at int) int {
	if o.past(1) {
		return o.Value(at)
	}
	if o.raw[at] != '{' {
		end := o.Value(at)
		o.fail(pathOf("/tool_calls/", n, ""), "a call object", o.raw[at:end])
		return end
	}
	var c call
	end := o.Members(at, func(key jsonx.Key, at int) int {
		switch {
		case key.Is("id"):
			return o.keep(&c.id, at)
		case key.Is("custom"):
			return o.keep(&c.custom, at)
		case key.Is("function"):
			return o.readFunction(&c, at)
		case key.Is("extra_content"):
			o.turn.Signed = o.turn.Signed || o.raw[at] == '{'
		}
		return o.Value(at)
	})
	o.calls = append(o.calls, o.refOf(&c, n))
	return end
}

func (o *outliner) readFunction(c *call, at int) int {
	if c.function != nil || o.raw[at] != '{' {
		return o.keep(&c.function, at)
	}
	end := o.Members(at, func(key jsonx.Key, at int) int {
		switch {
		case key.Is("name"):
			return o.keep(&c.name, at)
		case key.Is("arguments"):
			return o.keep(&c.arguments, at)
		}
		return o.Value(at)
	})
	c.function = o.raw[at:end:end]
	return end
}

// keep passes the value at a place and keeps it, unless there is one already.
func (o *outliner) keep(to *[]byte, at int) int {
	end := o.Value(at)
	if *to == nil {
		*to = o.raw[at:end:end]
	}
	return end
}

// refOf is the call of the outline, n the place in its list.
func (o *outliner) refOf(c *call, n int) callwright.CallRef {
	if !jsonx.IsText(c.id) && !jsonx.IsNull(c.id) {
		o.fail(pathOf("/tool_calls/", n, "/id"), "a string", c.id)
	}
	ref := callwright.CallRef{ID: jsonx.TextOf(c.id)}
	switch {
	case jsonx.IsObject(c.function):
		if !jsonx.IsText(c.name) {
			o.fail(pathOf("/tool_calls/", n, "/function/name"), "a string", c.name)
		}
		ref.Name, ref.Sound = jsonx.TextOf(c.name), o.sound(c.arguments)
	case jsonx.IsObject(c.custom):
		name, _ := jsonx.Find(c.custom, "name")
		ref.Name, ref.Sound = jsonx.TextOf(name), true
	default:
		o.fail(pathOf("/tool_calls/", n, "/function"), "an object", c.function)
	}
	return ref
}

// pathOf is the place of element n of a list in its message, or below it.
func pathOf(list string, n int, below string) string { return list + strconv.Itoa(n) + below }

// sound reports whether arguments are the text of one JSON object.
func (o *outliner) sound(v []byte) bool {
	if !jsonx.IsText(v) {
		return jsonx.IsObject(v)
	}
	o.scratch = jsonx.Unquote(o.scratch[:0], v)
	return jsonx.KindOf(o.scratch) == jsonx.Object && jsonx.Valid(o.scratch) == nil
}
