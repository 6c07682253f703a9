package gemini

import (
	"strconv"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
)

// partialCall is a call whose arguments come as values at paths, as one platform streams them on request.
// https://cloud.google.com/vertex-ai/generative-ai/docs/multimodal/function-calling#streaming-fc
type partialCall struct {
	name string
	id   string // as it came
	root node
	size int
	lost bool // a value found no place
}

// goesOn reports whether a call is a further piece of this one. partial says that it has values at paths.
func (p *partialCall) goesOn(c *callwright.Call, partial bool) bool {
	return c.Name == "" || partial && c.Name == p.name && (c.ID == "" || p.id == "" || c.ID == p.id)
}

// Bounds of the pieces of one call.
const (
	maxSteps     = 64
	maxIndex     = 1 << 16
	maxPartial   = 32 << 20
	costOfMember = 64
)

// node is a value on the way: a leaf, an object or a list.
type node struct {
	leaf    []byte
	text    []byte // of a string that comes in pieces
	isText  bool
	members map[string]*node
	order   []string
	list    []*node
}

// add puts the values of one piece in their places.
func (p *partialCall) add(list []byte) {
	for v := range jsonx.Elements(list) {
		at := p.root.reach(steps(jsonx.TextOf(jsonPath.in(v))), &p.size)
		p.size += len(v) + costOfMember
		if at == nil || p.size > maxPartial {
			at = &node{}
			at.set(v)
			p.lost = p.lost || at.isText || at.leaf != nil
			continue
		}
		at.set(v)
	}
}

// set gives a leaf its value, or a further piece of its text.
func (n *node) set(v []byte) {
	for k, m := range jsonx.Members(v) {
		switch {
		case stringValue.is(k):
			n.isText = true
			n.text = jsonx.Unquote(n.text, m)
		case numberValue.is(k), boolValue.is(k):
			n.leaf = append(n.leaf[:0], m...)
		case nullValue.is(k):
			n.leaf = append(n.leaf[:0], "null"...)
		}
	}
}

// step is one step of a path: a member, or an element where the name is empty.
type step struct {
	name  string
	index int
}

// steps reads a path such as $.a.b[0]['c d'], nil for one that is none.
func steps(path string) []step {
	rest, ok := strings.CutPrefix(path, "$")
	var out []step
	for ok && rest != "" && len(out) <= maxSteps {
		var s step
		switch {
		case rest[0] == '.':
			end := strings.IndexAny(rest[1:], ".[")
			if end < 0 {
				end = len(rest) - 1
			}
			s.name, rest = rest[1:1+end], rest[1+end:]
			ok = s.name != ""
		case rest[0] == '[' && len(rest) > 1 && (rest[1] == '\'' || rest[1] == '"'):
			var closed bool
			s.name, rest, closed = strings.Cut(rest[2:], rest[1:2]+"]")
			ok = closed && s.name != ""
		case rest[0] == '[':
			number, after, closed := strings.Cut(rest[1:], "]")
			n, err := strconv.Atoi(number)
			s.index, rest = n, after
			ok = closed && err == nil && n >= 0 && n < maxIndex
		default:
			ok = false
		}
		out = append(out, s)
	}
	if !ok || len(out) > maxSteps {
		return nil
	}
	return out
}

// reach is the node at a path, made where it is missing; nil for no path.
func (n *node) reach(path []step, size *int) *node {
	if len(path) == 0 {
		return nil
	}
	for _, s := range path {
		if s.name == "" {
			for len(n.list) <= s.index {
				if *size += costOfMember; *size > maxPartial {
					return nil
				}
				n.list = append(n.list, &node{})
			}
			n = n.list[s.index]
			continue
		}
		next := n.members[s.name]
		if next == nil {
			if n.members == nil {
				n.members = map[string]*node{}
			}
			next = &node{}
			n.members[s.name] = next
			n.order = append(n.order, s.name)
		}
		n = next
	}
	return n
}

// json is the object that came together. It stays open where it is not whole, as the arguments of any call that may
// have been cut.
func (p *partialCall) json(whole bool) string {
	p.root.isText, p.root.leaf, p.root.list = false, nil, nil
	out := p.root.append(nil, true)
	if !whole || p.lost {
		out = out[:len(out)-1]
	}
	return string(out)
}

// append writes the node. One without anything in it is null.
func (n *node) append(dst []byte, object bool) []byte {
	switch {
	case n.isText:
		return jsonx.AppendQuote(dst, n.text)
	case n.leaf != nil:
		return append(dst, n.leaf...)
	case object || n.members != nil:
		dst = append(dst, '{')
		for i, name := range n.order {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = append(jsonx.AppendQuote(dst, name), ':')
			dst = n.members[name].append(dst, false)
		}
		return append(dst, '}')
	case n.list != nil:
		dst = append(dst, '[')
		for i, e := range n.list {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = e.append(dst, false)
		}
		return append(dst, ']')
	}
	return append(dst, "null"...)
}

// closePartial ends a call that came in pieces and was never closed, but not one that could not be parsed.
func (d *streamDecoder) closePartial() {
	if d.partial != nil && !d.broken {
		args := d.partial.json(false)
		d.partial = nil
		d.endCall(args)
	}
}

// endPartial closes a call that came in pieces.
func (d *streamDecoder) endPartial() {
	args := d.partial.json(true)
	d.partial = nil
	d.endCall(args)
}
