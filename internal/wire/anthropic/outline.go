package anthropic

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/internal/kit"
)

// outliner walks the messages for their shape and checks the types on which the rest relies.
type outliner struct {
	*jsonx.Walker
	*reader
	turns    []callwright.Summary // the first is kept for the system text
	spans    []kit.Span
	calls    chunk[callwright.CallRef]
	ids      chunk[string]
	effort   string // of the last message that sets one
	count    kit.Count
	added    [][]byte        // definitions of tools in blocks
	unsigned bool            // a block of reasoning has no signature
	late     bool            // a result stands behind other blocks
	madeUp   bool            // a text names a source that was made up for the client
	text     strings.Builder // grows by chunks: many short strings, few allocations
}

// chunk hands out short slices of few large allocations.
type chunk[T any] struct{ free []T }

// add appends v to list, which is the last slice that was handed out, or nil.
func (c *chunk[T]) add(list []T, v T) []T {
	if len(c.free) == cap(c.free) {
		grown := make([]T, 0, max(32, 2*cap(c.free)))
		c.free = append(grown, list...)
	}
	start := len(c.free) - len(list)
	c.free = append(c.free, v)
	return c.free[start:len(c.free):len(c.free)]
}

const textChunk = 4 << 10

// keep is a copy of short text in a chunk that many share.
func (o *outliner) keep(v []byte) string {
	p := jsonx.TextBytes(v)
	if o.text.Cap()-o.text.Len() < len(p) {
		o.text = strings.Builder{}
		o.text.Grow(max(textChunk, len(p)))
	}
	start := o.text.Len()
	o.text.Write(p)
	return o.text.String()[start:]
}

func (o *outliner) system(at int) int {
	t := callwright.Summary{Role: callwright.RoleSystem}
	var end int
	if o.b[at] == '[' {
		t.Parts = true
		end = o.Elements(at, func(m, at int) int { return o.block(&t, blockPath{-1, m}, at) })
	} else {
		end = o.Value(at)
		switch v := o.b[at:end]; jsonx.KindOf(v) {
		case jsonx.Text:
			note(&t, v)
		case jsonx.Null:
			return end
		default:
			o.fail("/system", "a string or a list of blocks", v)
		}
	}
	o.turns[0], o.spans[0] = t, kit.Span{From: at, To: end}
	return end
}

func (o *outliner) walk(at int) int {
	if o.b[at] != '[' {
		end := o.Value(at)
		o.fail("/messages", "a list", o.b[at:end])
		return end
	}
	o.turns, o.spans = o.turns[:1], o.spans[:1]
	return o.Elements(at, o.message)
}

func (o *outliner) message(n, at int) int {
	if o.past(blockPath{n, 0}, 1) {
		return o.Value(at)
	}
	if o.b[at] != '{' {
		end := o.Value(at)
		o.fail(fmt.Sprintf("/messages/%d", n), "an object", o.b[at:end])
		return end
	}
	var t callwright.Summary
	var content []byte
	end := o.object(at, func(name []byte, at int) int {
		var end int
		switch string(name) {
		case "role":
			end = o.Value(at)
			t.Role = o.role(n, o.b[at:end])
		case "output_config":
			end = o.Value(at)
			if v, _ := jsonx.Find(o.b[at:end], "effort"); jsonx.KindOf(v) == jsonx.Text {
				o.effort = jsonx.TextOf(v)
			}
		case "content":
			end = o.content(&t, n, at)
			content = o.b[at:end]
		default:
			end = o.Value(at)
		}
		return end
	})
	if t.Role == "" {
		o.fail(fmt.Sprintf("/messages/%d/role", n), "user, assistant or system", nil)
	}
	if content == nil && t.Role != callwright.RoleSystem { // one may hold settings alone
		o.fail(fmt.Sprintf("/messages/%d/content", n), "a string or a list of blocks", nil)
	}
	o.turns, o.spans = append(o.turns, t), append(o.spans, kit.Span{From: at, To: end})
	return end
}

var roles = []callwright.Role{callwright.RoleUser, callwright.RoleAssistant, callwright.RoleSystem}

func roleOf(v []byte) callwright.Role {
	name := jsonx.TextBytes(v)
	for _, r := range roles {
		if string(name) == string(r) {
			return r
		}
	}
	return ""
}

func (o *outliner) role(n int, v []byte) callwright.Role {
	if jsonx.IsText(v) {
		if r := roleOf(v); r != "" {
			return r
		}
		if o.err == nil {
			o.err = &callwright.Error{
				Op: opDecode, Kind: callwright.KindInvalid, Path: fmt.Sprintf("/messages/%d/role", n),
				Message: fmt.Sprintf("expected user, assistant or system, got %q", callwright.Excerpt(string(jsonx.TextBytes(v)))),
			}
		}
		return callwright.RoleUser
	}
	o.fail(fmt.Sprintf("/messages/%d/role", n), "a string", v)
	return callwright.RoleUser
}

func (o *outliner) content(t *callwright.Summary, n, at int) int {
	if o.b[at] == '[' {
		t.Parts = true
		return o.Elements(at, func(m, at int) int { return o.block(t, blockPath{n, m}, at) })
	}
	end := o.Value(at)
	if v := o.b[at:end]; jsonx.IsText(v) {
		note(t, v)
	} else {
		o.fail(fmt.Sprintf("/messages/%d/content", n), "a string or a list of blocks", v)
	}
	return end
}

// blockPath says where a block stands; the message of system blocks is -1.
type blockPath struct{ message, block int }

func (p blockPath) path(member string) string {
	if p.message < 0 {
		return fmt.Sprintf("/system/%d%s", p.block, member)
	}
	return fmt.Sprintf("/messages/%d/content/%d%s", p.message, p.block, member)
}

// object visits the members of the object at i by their names without escapes and returns its end.
func (o *outliner) object(i int, visit func(name []byte, at int) (end int)) int {
	return o.Members(i, func(k jsonx.Key, at int) int { return visit(jsonx.TextBytes(k), at) })
}

// past reports whether n more are of no interest: something was wrong before, or they are too many.
func (o *outliner) past(p blockPath, n int) bool {
	if o.err == nil && o.count.Over(n) {
		o.err = kit.TooManyParts(opDecode, p.path(""))
	}
	return o.err != nil
}

// found is what the outline reads of a block, whatever its type turns out to be.
type found struct {
	kind, text, id, name, input, result, signature, citations []byte
	image                                                     bool // its content has an image
}

func (o *outliner) block(t *callwright.Summary, p blockPath, at int) int {
	if o.past(p, 1) {
		return o.Value(at)
	}
	if o.b[at] != '{' {
		end := o.Value(at)
		o.fail(p.path(""), "an object", o.b[at:end])
		return end
	}
	var f found
	end := o.object(at, func(name []byte, at int) int {
		if o.b[at] == '[' && string(name) == "content" {
			end, parts, image := kit.HoldsType(o.Walker, o.b, at, "image")
			f.image = image
			o.past(p, parts)
			return end
		}
		end := o.Value(at)
		if to := f.member(name); to != nil {
			*to = o.b[at:end]
		}
		return end
	})
	if jsonx.KindOf(f.kind) != jsonx.Text {
		o.fail(p.path("/type"), "a string", f.kind)
		return end
	}
	switch string(jsonx.TextBytes(f.kind)) {
	case "text":
		if o.want(p, "/text", f.text) {
			note(t, f.text)
		}
		o.madeUp = o.madeUp || holdsMadeUp(f.citations)
	case "image", "document":
		t.Media = true
	case "thinking":
		t.Reasoning, o.unsigned = true, o.unsigned || len(jsonx.TextBytes(f.signature)) == 0
	case "redacted_thinking":
		t.Reasoning = true
	case "tool_use":
		if o.want(p, "/id", f.id) && o.want(p, "/name", f.name) {
			call := callwright.CallRef{ID: o.keep(f.id), Name: o.keep(f.name), Sound: jsonx.KindOf(f.input) == jsonx.Object}
			t.Calls = o.calls.add(t.Calls, call)
		}
	case additionMark:
		if v := addedTool(o.b[at:end:end]); v != nil {
			o.added = append(o.added, v)
		}
	case "tool_result":
		o.late = o.late || t.Text || t.Blank || t.Media
		if o.want(p, "/tool_use_id", f.result) {
			t.Results = o.ids.add(t.Results, o.keep(f.result))
			t.ResultImages = t.ResultImages || f.image
		}
	}
	return end
}

func (f *found) member(name []byte) *[]byte {
	switch string(name) {
	case "type":
		return &f.kind
	case "text":
		return &f.text
	case "id":
		return &f.id
	case "name":
		return &f.name
	case "input":
		return &f.input
	case "tool_use_id":
		return &f.result
	case "signature":
		return &f.signature
	case "citations":
		return &f.citations
	}
	return nil
}

func (o *outliner) want(p blockPath, member string, v []byte) bool {
	if jsonx.KindOf(v) == jsonx.Text {
		return true
	}
	o.fail(p.path(member), "a string", v)
	return false
}

// note enters a piece of text, a JSON string, into the outline.
func note(t *callwright.Summary, v []byte) {
	if blank(v) {
		t.Blank = true
		return
	}
	t.Text = true
}

// blank reports whether a JSON string holds nothing but white space. It looks no further than the first character that is
// something else.
func blank(v []byte) bool {
	for i := 1; i < len(v)-1; i++ {
		switch c := v[i]; {
		case c == ' ':
		case c == '\\' && (v[i+1] == 'n' || v[i+1] == 't' || v[i+1] == 'r'):
			i++
		case c == '\\' && v[i+1] == 'u', c >= utf8.RuneSelf:
			return strings.TrimSpace(string(jsonx.TextBytes(v))) == ""
		default:
			return false
		}
	}
	return true
}
