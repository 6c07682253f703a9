package simulate

import (
	"bytes"
	"encoding/json"
	"iter"
	"slices"
	"strconv"
	"strings"
)

// A node is a JSON value with its members in order. The methods take nil for a value that is not there.
type node struct {
	kind  string // object, array, string, number, boolean, null
	text  string // of a string, number or Boolean
	raw   string // as it was sent
	keys  []string
	items []*node // of an array, or the values of keys
}

// parseNode reads a whole JSON text. Duplicate members are all kept; the last one counts.
func parseNode(body []byte) (*node, error) {
	var syntax json.RawMessage
	if err := json.Unmarshal(body, &syntax); err != nil {
		return nil, err
	}
	p := nodeParser{body: body, dec: json.NewDecoder(bytes.NewReader(body))}
	p.dec.UseNumber()
	return p.value(), nil
}

// A nodeParser reads JSON that is known to be sound: its decoder cannot fail.
type nodeParser struct {
	body []byte
	dec  *json.Decoder
}

func (p nodeParser) value() *node {
	token, _ := p.dec.Token()
	switch t := token.(type) {
	case json.Delim:
		return p.composite(t)
	case string:
		return &node{kind: "string", text: t, raw: quote(t)}
	case json.Number:
		return &node{kind: "number", text: t.String(), raw: t.String()}
	case bool:
		text := strconv.FormatBool(t)
		return &node{kind: "boolean", text: text, raw: text}
	}
	return &node{kind: "null", raw: "null"}
}

func (p nodeParser) composite(open json.Delim) *node {
	start := p.dec.InputOffset() - 1
	n := &node{kind: map[json.Delim]string{'{': "object", '[': "array"}[open]}
	for p.dec.More() {
		if open == '{' {
			key, _ := p.dec.Token()
			name, _ := key.(string)
			n.keys = append(n.keys, name)
		}
		n.items = append(n.items, p.value())
	}
	_, _ = p.dec.Token() // the closing bracket
	n.raw = string(p.body[start:p.dec.InputOffset()])
	return n
}

// at follows names down through objects.
func (n *node) at(names ...string) *node {
	for _, name := range names {
		n = n.member(name)
	}
	return n
}

// member returns the member of a name or, where the name is written in camel case, of the same name in snake case.
// Google's servers take either.
func (n *node) member(name string) *node {
	if n == nil {
		return nil
	}
	other := snake(name)
	for i := len(n.keys) - 1; i >= 0; i-- {
		if n.keys[i] == name || n.keys[i] == other {
			return n.items[i]
		}
	}
	return nil
}

// has reports whether a member is there and not null.
func (n *node) has(name string) bool { m := n.member(name); return m != nil && m.kind != "null" }

// is reports whether the value is there and of the kind.
func (n *node) is(kind string) bool { return n != nil && n.kind == kind }

// str returns the text of a string, and nothing of anything else.
func (n *node) str() string {
	if !n.is("string") {
		return ""
	}
	return n.text
}

// isTrue reports whether the value is the word true.
func (n *node) isTrue() bool { return n.is("boolean") && n.text == "true" }

// number returns a number as it was written, and nothing of anything else.
func (n *node) number() string {
	if !n.is("number") {
		return ""
	}
	return n.text
}

// list returns the elements of an array.
func (n *node) list() []*node {
	if !n.is("array") {
		return nil
	}
	return n.items
}

// names returns the names of an object's members, in order.
func (n *node) names() []string {
	if !n.is("object") {
		return nil
	}
	return slices.Clone(n.keys)
}

// values returns the values of an object's members, as an array.
func (n *node) values() *node {
	if !n.is("object") {
		return nil
	}
	return &node{kind: "array", items: n.items}
}

// members returns the members of an object, in order.
func (n *node) members() iter.Seq2[string, *node] {
	return func(yield func(string, *node) bool) {
		if !n.is("object") {
			return
		}
		for i, k := range n.keys {
			if !yield(k, n.items[i]) {
				return
			}
		}
	}
}

// snake returns a name in snake case.
func snake(name string) string {
	var b strings.Builder
	for _, r := range name {
		if r >= 'A' && r <= 'Z' {
			b.WriteByte('_')
			r += 'a' - 'A'
		}
		b.WriteRune(r)
	}
	return b.String()
}
