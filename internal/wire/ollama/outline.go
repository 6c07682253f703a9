package ollama

import (
	"strconv"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/internal/kit"
)

// outliner reads the shape of the history, checks the kinds of what it passes, and gives ids to calls and results that have
// none. The first error ends its interest, not its walk.
type outliner struct {
	*jsonx.Walker
	raw     []byte
	body    *body
	err     *callwright.Error
	n       int // the message at hand
	count   kit.Count
	turn    callwright.Summary
	seen    seen
	calls   []callwright.CallRef // those of all turns, in one piece
	results []string
	open    kit.Waiting // the calls of the last assistant's turn
}

// seen is what the outline needs of a message once all its members were passed.
type seen struct{ role, id, name, oldName []byte }

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
	o.body.turns, o.body.Outline = make([]kit.Span, 0, guess), make([]callwright.Summary, 0, guess)
	return o.Elements(i, func(n, at int) int {
		if o.n = n; o.past(1) {
			return o.Value(at)
		}
		if o.raw[at] != '{' {
			end := o.Value(at)
			o.fail("", "a message object", o.raw[at:end])
			return end
		}
		o.turn, o.seen = callwright.Summary{}, seen{}
		calls := len(o.calls)
		end := o.Members(at, o.member)
		o.close(calls)
		o.body.turns = append(o.body.turns, kit.Span{From: at, To: end})
		o.body.Outline = append(o.body.Outline, o.turn)
		return end
	})
}

// roles are the roles of messages. Templates know developer in few models; it is a system message.
var roles = map[string]callwright.Role{
	"system": callwright.RoleSystem, "developer": callwright.RoleSystem, "user": callwright.RoleUser, "assistant": callwright.RoleAssistant,
	"tool": callwright.RoleTool,
}

// close finishes a turn once all its members were seen. Calls and reasoning are the assistant's alone.
func (o *outliner) close(calls int) {
	role, ok := roles[string(jsonx.TextBytes(o.seen.role))]
	switch {
	case ok:
	case !jsonx.IsText(o.seen.role):
		o.fail("/role", "a role", o.seen.role)
	case o.err == nil:
		o.err = invalid(kit.Pointer("messages", o.n, "/role"), "expected system, user, assistant or tool, got "+string(o.seen.role))
	}
	o.turn.Role = role
	if role == callwright.RoleTool {
		o.results = append(o.results, o.answers())
		o.turn.Results = o.results[len(o.results)-1 : len(o.results) : len(o.results)]
	}
	if role != callwright.RoleAssistant {
		o.calls, o.turn.Reasoning = o.calls[:calls], false
		return
	}
	o.open.Keep(o.open.Len())
	for _, c := range o.calls[calls:] {
		o.open.Add(c.ID, c.Name, false)
	}
	if len(o.calls) > calls {
		o.turn.Calls = o.calls[calls:len(o.calls):len(o.calls)]
	}
}

// answers is the id of the call that the result at hand answers: the one it names, else the first unanswered call of its
// tool, or of any tool where it names none; "" where there is no such call.
func (o *outliner) answers() string {
	id, name := jsonx.TextOf(o.seen.id), jsonx.TextOf(o.seen.name)
	if name == "" {
		name = jsonx.TextOf(o.seen.oldName)
	}
	want := kit.Want{ID: id}
	if id == "" {
		want.Name = name
	}
	if call, ok := o.open.Take(want); ok {
		return call
	}
	return id
}

func (o *outliner) member(key jsonx.Key, at int) int {
	switch {
	case key.Is("tool_calls") && o.raw[at] == '[':
		return o.Elements(at, o.call)
	case key.Is("images") && o.raw[at] == '[':
		return o.Elements(at, o.image)
	}
	end := o.Value(at)
	v := o.raw[at:end:end]
	switch {
	case key.Is("role"):
		o.seen.role = v
	case key.Is("content"):
		o.text("/content", v)
		o.turn.Blank = len(v) > 2 && jsonx.IsText(v) && jsonx.IsBlank(v)
		o.turn.Text = len(v) > 2 && jsonx.IsText(v) && !o.turn.Blank
	case key.Is("thinking"):
		o.text("/thinking", v)
		o.turn.Reasoning = o.turn.Reasoning || len(v) > 2 && jsonx.IsText(v)
	case key.Is(carrierKey):
		o.turn.Reasoning = true
	case key.Is("tool_call_id"):
		o.text("/tool_call_id", v)
		o.seen.id = v
	case key.Is("tool_name"):
		o.text("/tool_name", v)
		o.seen.name = v
	case key.Is("name"):
		o.seen.oldName = v
	case key.Is("tool_calls") && !jsonx.IsNull(v):
		o.fail("/tool_calls", "a list of calls", v)
	case key.Is("images") && !jsonx.IsNull(v):
		o.fail("/images", "a list of images", v)
	}
	return end
}

func (o *outliner) text(below string, v []byte) {
	if !jsonx.IsText(v) && !jsonx.IsNull(v) {
		o.fail(below, "a string", v)
	}
}

func (o *outliner) image(n, at int) int {
	end := o.Value(at)
	if o.past(1) {
		return end
	}
	o.turn.Media = true
	if o.raw[at] != '"' {
		o.fail("/images/"+strconv.Itoa(n), "base64 text", o.raw[at:end])
	}
	return end
}

// call reads one of tool_calls. Only an object is sound: the server refuses everything else.
func (o *outliner) call(k, at int) int {
	if o.past(1) {
		return o.Value(at)
	}
	var id, name, function, arguments []byte
	visit := func(to *[]byte, at int) int {
		end := o.Value(at)
		*to = o.raw[at:end:end]
		return end
	}
	var other []byte
	var end int
	if o.raw[at] == '{' {
		end = o.Members(at, func(key jsonx.Key, at int) int {
			switch {
			case key.Is("id"):
				return visit(&id, at)
			case key.Is("function") && o.raw[at] == '{':
				function = o.raw[at : at+1]
				return o.Members(at, func(key jsonx.Key, at int) int {
					switch {
					case key.Is("name"):
						return visit(&name, at)
					case key.Is("arguments"):
						return visit(&arguments, at)
					}
					return visit(&other, at)
				})
			case key.Is("function"):
				return visit(&function, at)
			}
			return visit(&other, at)
		})
	} else {
		end = o.Value(at)
	}
	place := "/tool_calls/" + strconv.Itoa(k)
	switch {
	case o.raw[at] != '{':
		o.fail(place, "a call object", o.raw[at:end])
	case !jsonx.IsObject(function):
		o.fail(place+"/function", "an object", function)
	case !jsonx.IsText(name):
		o.fail(place+"/function/name", "a string", name)
	case !jsonx.IsText(id) && !jsonx.IsNull(id):
		o.fail(place+"/id", "a string", id)
	}
	ref := callwright.CallRef{ID: jsonx.TextOf(id), Name: jsonx.TextOf(name), Sound: jsonx.IsObject(arguments)}
	if ref.ID == "" {
		ref.ID = callwright.DerivedID(o.n, k)
	}
	o.calls = append(o.calls, ref)
	return end
}
