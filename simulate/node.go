package simulate

import (
	"bytes"
	"encoding/json"
	"iter"
	"slices"
	"strconv"
	"strings"
)

// A node is a JSON value that keeps the order of members. Methods accept a nil node, which means a missing value.
type node struct {
	kind  string // object, array, string, number, boolean or null
	text  string // value of a string (decoded), number or Boolean
	raw   string // the JSON text
	keys  []string
	items []*node // elements of an array, or values of keys
}

// parseNode parses a JSON document. It keeps duplicate members; lookups return the last one.
func parseNode(body []byte) (*node, error) {
	var syntax json.RawMessage
	if err := json.Unmarshal(body, &syntax); err != nil {
		return nil, err
	}
	p := nodeParser{body: body, dec: json.NewDecoder(bytes.NewReader(body))}
	p.dec.UseNumber()
	return p.value(), nil
}

// A nodeParser parses JSON that is known to be valid, so that its decoder cannot fail.
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

// at returns the value at a path of member names, nil if it is missing.
func (n *node) at(names ...string) *node {
	for _, name := range names {
		n = n.member(name)
	}
	return n
}

// member returns the member with the given camel-case name or its snake-case equivalent, because Google's servers
// accept both; nil if it is missing.
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

// has reports whether the member exists and is not null.
func (n *node) has(name string) bool { m := n.member(name); return m != nil && m.kind != "null" }

// is reports whether the value exists and has the JSON type kind.
func (n *node) is(kind string) bool { return n != nil && n.kind == kind }

// str returns the content of a string, "" for other values.
func (n *node) str() string {
	if !n.is("string") {
		return ""
	}
	return n.text
}

// isTrue reports whether the value is true.
func (n *node) isTrue() bool { return n.is("boolean") && n.text == "true" }

// number returns the literal of a number, "" for other values.
func (n *node) number() string {
	if !n.is("number") {
		return ""
	}
	return n.text
}

// list returns the elements of an array, nil for other values.
func (n *node) list() []*node {
	if !n.is("array") {
		return nil
	}
	return n.items
}

// names returns the member names of an object in order, nil for other values.
func (n *node) names() []string {
	if !n.is("object") {
		return nil
	}
	return slices.Clone(n.keys)
}

// values returns the member values of an object as an array node, nil for other values.
func (n *node) values() *node {
	if !n.is("object") {
		return nil
	}
	return &node{kind: "array", items: n.items}
}

// members returns an iterator over the members of an object in order.
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

// snake converts a camel-case name to snake case.
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
