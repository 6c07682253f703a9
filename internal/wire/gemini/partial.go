package gemini

import (
	"strconv"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
)

// partialCall is a call whose arguments are streamed as values at JSON paths, as Vertex AI does on request.
// https://cloud.google.com/vertex-ai/generative-ai/docs/multimodal/function-calling#streaming-fc
type partialCall struct {
	name string
	id   string // the provider's id, "" if missing
	root node   // the arguments so far
	size int    // approximate memory in bytes
	lost bool   // a value had an invalid path or exceeded the limits
}

// isContinuedBy reports whether c continues this call. partial reports that c has partialArgs.
func (p *partialCall) isContinuedBy(c *callwright.Call, partial bool) bool {
	return c.Name == "" || partial && c.Name == p.name && (c.ID == "" || p.id == "" || c.ID == p.id)
}

// Limits of a partialCall.
const (
	maxSteps     = 64       // steps of a path
	maxIndex     = 1 << 16  // elements of a list
	maxPartial   = 32 << 20 // bytes of memory
	costOfMember = 64       // bytes counted for each value besides its JSON
)

// node is a value of the arguments: a leaf, an object or a list.
type node struct {
	leaf    []byte // JSON of a number, true, false or null
	text    []byte // a string, from one or more deltas
	isText  bool   // text is the value
	members map[string]*node
	order   []string // names of the members
	list    []*node  // elements of a list
}

// add adds the values of a JSON list of partialArgs.
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

// set sets a leaf to the value of an element of partialArgs, or appends a string delta to it.
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

// step is a step of a JSON path: a member, or the element at index if name is "".
type step struct {
	name  string
	index int
}

// steps parses a JSON path such as $.a.b[0]['c d']. It returns nil if the path is invalid.
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

// reach returns the node at a path and creates missing nodes. It adds their memory to size. It returns nil for an empty
// path, or if the limit is exceeded.
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

// json returns the arguments as a JSON object. If whole is false or a value was lost, the closing brace is missing, so
// that the arguments count as incomplete.
func (p *partialCall) json(whole bool) string {
	p.root.isText, p.root.leaf, p.root.list = false, nil, nil
	out := p.root.append(nil, true)
	if !whole || p.lost {
		out = out[:len(out)-1]
	}
	return string(out)
}

// append appends the node as JSON. A node without a value is null, or {} if object is true.
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

// closePartial ends a partial call that the provider did not end, with incomplete arguments. It does nothing if the
// call could not be parsed.
func (d *streamDecoder) closePartial() {
	if d.partial != nil && !d.broken {
		args := d.partial.json(false)
		d.partial = nil
		d.endCall(args)
	}
}

// endPartial ends a partial call whose arguments are complete.
func (d *streamDecoder) endPartial() {
	args := d.partial.json(true)
	d.partial = nil
	d.endCall(args)
}
