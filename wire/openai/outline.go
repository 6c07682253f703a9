package openai

import (
	"strconv"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/wire/internal/kit"
)

// outliner reads the shape of the history and checks the kinds of what it passes. The first error ends its interest, not
// its walk.
type outliner struct {
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
	guess := 8 + len(o.raw)/2048
	o.body.spans, o.body.Outline = make([]kit.Span, 0, guess), make([]callwright.Summary, 0, guess)
	return jsonx.WalkElements(o.raw, i, func(n, at int) int {
		if o.n = n; o.past(1) {
			return jsonx.SkipValue(o.raw, at)
		}
		if o.raw[at] != '{' {
			end := jsonx.SkipValue(o.raw, at)
			o.fail("", "a message object", o.raw[at:end])
			return end
		}
		o.turn, o.role = callwright.Summary{}, nil
		calls, results := len(o.calls), len(o.results)
		end := jsonx.WalkMembers(o.raw, at, o.member)
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
		if jsonx.Alias(o.role) == "function" {
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
	switch jsonx.Alias(v) {
	case "system", "developer":
		return callwright.RoleSystem, true
	case "user":
		return callwright.RoleUser, true
	case "assistant":
		return callwright.RoleAssistant, true
	case "tool", "function":
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
	end := jsonx.SkipValue(o.raw, at)
	v := o.raw[at:end:end]
	switch {
	case key.Is("role"):
		o.role = v
	case key.Is("tool_call_id"):
		if !jsonx.IsText(v) && !jsonx.IsNull(v) {
			o.fail("/tool_call_id", "a string", v)
			break
		}
		o.results = append(o.results, jsonx.Alias(v))
	case key.Is("function_call"):
		if jsonx.IsObject(v) {
			name, _ := jsonx.Find(v, "name")
			o.legacy = legacyID(o.n)
			o.calls = append(o.calls, callwright.CallRef{ID: o.legacy, Name: jsonx.Alias(name), Sound: o.sound(v)})
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
		return jsonx.WalkElements(o.raw, at, o.readPart)
	case '"', 'n':
		end := jsonx.SkipValue(o.raw, at)
		o.readText(o.raw[at:end])
		return end
	}
	end := jsonx.SkipValue(o.raw, at)
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
		return jsonx.SkipValue(o.raw, at)
	}
	var end int
	var kind, words, refusal []byte
	if o.raw[at] == '{' {
		end = jsonx.WalkMembers(o.raw, at, func(key jsonx.Key, at int) int {
			end := jsonx.SkipValue(o.raw, at)
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
		end = jsonx.SkipValue(o.raw, at)
	}
	place := "/" + strconv.Itoa(n)
	switch k := jsonx.Alias(kind); {
	case o.raw[at] != '{':
		o.fail("/content"+place, "a part object", o.raw[at:end])
	case !jsonx.IsText(kind):
		o.fail("/content"+place+"/type", "a string", kind)
	case k == "text" || k == "refusal":
		if k == "refusal" {
			words = refusal
		}
		if !jsonx.IsText(words) {
			o.fail("/content"+place+"/"+k, "a string", words)
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
		return jsonx.WalkElements(o.raw, at, o.readCall)
	}
	end := jsonx.SkipValue(o.raw, at)
	if o.raw[at] != 'n' {
		o.fail("/tool_calls", "a list of calls", o.raw[at:end])
	}
	return end
}

func (o *outliner) readCall(n, at int) int {
	end := jsonx.SkipValue(o.raw, at)
	if o.past(1) {
		return end
	}
	v := o.raw[at:end:end]
	place := "/tool_calls/" + strconv.Itoa(n)
	if !jsonx.IsObject(v) {
		o.fail(place, "a call object", v)
		return end
	}
	var id, function, custom []byte
	for key, value := range jsonx.Members(v) {
		switch {
		case id == nil && key.Is("id"):
			id = value
		case function == nil && key.Is("function"):
			function = value
		case custom == nil && key.Is("custom"):
			custom = value
		case key.Is("extra_content"):
			o.turn.Signed = o.turn.Signed || jsonx.IsObject(value)
		}
	}
	if !jsonx.IsText(id) && !jsonx.IsNull(id) {
		o.fail(place+"/id", "a string", id)
	}
	ref := callwright.CallRef{ID: jsonx.Alias(id)}
	if jsonx.IsObject(function) {
		name, _ := jsonx.Find(function, "name")
		if !jsonx.IsText(name) {
			o.fail(place+"/function/name", "a string", name)
		}
		ref.Name, ref.Sound = jsonx.Alias(name), o.sound(function)
	} else if jsonx.IsObject(custom) {
		name, _ := jsonx.Find(custom, "name")
		ref.Name, ref.Sound = jsonx.Alias(name), true
	} else {
		o.fail(place+"/function", "an object", function)
	}
	o.calls = append(o.calls, ref)
	return end
}

// sound reports whether the arguments of a function are the text of one JSON object.
func (o *outliner) sound(f []byte) bool {
	v, ok := jsonx.Find(f, "arguments")
	if !ok || !jsonx.IsText(v) {
		return jsonx.IsObject(v)
	}
	o.scratch = jsonx.Unquote(o.scratch[:0], v)
	return jsonx.KindOf(o.scratch) == jsonx.Object && jsonx.Valid(o.scratch) == nil
}
