// Package patchtest generates random documents and patches for property tests.
package patchtest

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf16"

	"github.com/callwright/callwright/internal/jsonpatch"
	"github.com/callwright/callwright/internal/jsonx"
	"pgregory.net/rapid"
)

// Limits are at least as large as the generated documents and patches.
var Limits = jsonpatch.Limits{Document: 1 << 20, Patch: 200_000, Operations: 1000, Depth: 100}

// A Drawer generates documents and patches. Use Plain or Any.
type Drawer struct {
	// Near are pointers that patches use more often than others, together with neighbouring pointers.
	Near []string

	t              *rapid.T
	names, scalars []string
}

var (
	plainNames   = []string{"a", "b", "c", "0", "1", "-", "a/b", "m~n", "é", `q"`}
	plainScalars = []string{`0`, `1`, `true`, `"x"`, `"<é>"`, `9007199254740993`, `1e400`}
)

// Plain returns a Drawer that uses only names and values that all JSON libraries treat in the same way.
func Plain(t *rapid.T) *Drawer { return &Drawer{t: t, names: plainNames, scalars: plainScalars} }

// Any returns a Drawer that also uses the empty name, null, and various forms of one number or string.
func Any(t *rapid.T) *Drawer {
	return &Drawer{t: t, names: append([]string{"", "~1", "01", " "}, plainNames...),
		scalars: append([]string{`null`, `1.0`, `-0`, `10e-1`, `"\u0061"`, `"\ud83d\ude00"`}, plainScalars...)}
}

func (d *Drawer) pick(list []string) string { return rapid.SampledFrom(list).Draw(d.t, "pick") }

func (d *Drawer) number(from, to int) int { return rapid.IntRange(from, to).Draw(d.t, "number") }

// Value generates a document of any type with at most the given depth.
func (d *Drawer) Value(depth int) string {
	if depth == 0 || d.number(0, 2) == 0 {
		return d.pick(d.scalars)
	}
	return d.Container(depth)
}

// Container generates an array or an object.
func (d *Drawer) Container(depth int) string {
	n := d.number(0, 4)
	if d.number(0, 1) == 0 {
		return d.object(n, func(string) string { return d.Value(depth - 1) })
	}
	parts := make([]string, n)
	for i := range parts {
		parts[i] = d.Value(depth - 1)
	}
	return "[" + strings.Join(parts, ",") + "]"
}

// object generates an object with at most n members.
func (d *Drawer) object(n int, value func(name string) string) string {
	var parts, used []string
	for range n {
		if name := d.pick(d.names); !slices.Contains(used, name) {
			used = append(used, name)
			parts = append(parts, d.quoteJSON(name)+":"+value(name))
		}
	}
	return "{" + strings.Join(parts, ",") + "}"
}

// quoteJSON returns a text as a JSON string, sometimes with all characters escaped as \uXXXX.
func (d *Drawer) quoteJSON(s string) string {
	if d.number(0, 7) > 0 {
		return string(jsonx.AppendQuote(nil, s))
	}
	var b strings.Builder
	for _, c := range utf16.Encode([]rune(s)) {
		fmt.Fprintf(&b, `\u%04x`, c)
	}
	return `"` + b.String() + `"`
}

// below returns the children of a value by their pointer tokens, in order.
func below(v []byte) (tokens []string, values map[string][]byte) {
	values = map[string][]byte{}
	for k, m := range jsonx.Members(v) {
		tokens = append(tokens, k.String())
		values[k.String()] = m
	}
	for e := range jsonx.Elements(v) {
		tokens = append(tokens, fmt.Sprint(len(tokens)))
		values[tokens[len(tokens)-1]] = e
	}
	return tokens, values
}

// Pointer generates a pointer into doc, or to an absent child of an existing value.
func (d *Drawer) Pointer(doc string) string {
	if len(d.Near) > 0 && d.number(0, 2) > 0 {
		return d.around(d.pick(d.Near))
	}
	var p jsonpatch.Pointer
	for v := []byte(doc); ; {
		tokens, values := below(v)
		switch step := d.number(0, 9); {
		case step == 0 || len(tokens) == 0 && step < 7:
			return p.String()
		case step < 3 || len(tokens) == 0:
			if jsonx.IsArray(v) {
				return append(p, d.pick([]string{"-", fmt.Sprint(len(tokens)), fmt.Sprint(len(tokens) + 1)})).String()
			}
			return append(p, d.pick(d.names)).String()
		}
		token := d.pick(tokens)
		p, v = append(p, token), values[token]
	}
}

// around returns the pointer, or one above, below or beside it.
func (d *Drawer) around(pointer string) string {
	up := pointer[:max(strings.LastIndexByte(pointer, '/'), 0)]
	switch d.number(0, 6) {
	case 0, 1:
		return pointer
	case 2, 3:
		return up
	case 4:
		return up + "/0"
	case 5:
		return pointer + (jsonpatch.Pointer{d.pick(d.names)}).String()
	}
	return up + (jsonpatch.Pointer{d.pick(d.names)}).String()
}

// Patch generates a JSON Patch for doc. Some operations depend on earlier ones.
func (d *Drawer) Patch(doc string) string {
	var ops []string
	for range d.number(1, 5) {
		op := d.operation(doc)
		ops = append(ops, op)
		if made, ok := applyPatch(doc, "["+op+"]"); ok && d.number(0, 3) > 0 {
			doc = made
		}
	}
	return "[" + strings.Join(ops, ",") + "]"
}

func (d *Drawer) operation(doc string) string {
	verb := d.pick([]string{"add", "add", "remove", "replace", "move", "copy", "test"})
	path := d.Pointer(doc)
	op := fmt.Sprintf(`{"op":%s,"path":%s`, d.quoteJSON(verb), d.quoteJSON(path))
	switch verb {
	case "move", "copy":
		return op + `,"from":` + d.quoteJSON(d.Pointer(doc)) + "}"
	case "remove":
		return op + "}"
	}
	value := d.Value(2)
	if there, ok := find(doc, path); ok && d.number(0, 1) == 0 {
		value = there
	}
	return op + `,"value":` + value + "}"
}

// Merge generates a merge patch for doc, an object.
func (d *Drawer) Merge(doc string) string {
	return d.merge([]byte(doc), 3)
}

func (d *Drawer) merge(v []byte, depth int) string {
	tokens, values := below(v)
	if !jsonx.IsObject(v) {
		tokens = nil
	}
	of := *d
	of.names = append(slices.Clone(tokens), d.names...)
	return of.object(d.number(0, 4), func(name string) string {
		switch is := values[name]; {
		case d.number(0, 3) == 0:
			return "null"
		case jsonx.IsObject(is) && depth > 0 && d.number(0, 3) > 0:
			return d.merge(is, depth-1)
		case len(is) > 0 && d.number(0, 2) == 0:
			return string(is)
		}
		return d.Value(2)
	})
}

// applyPatch returns the document with a patch applied. It returns false if the patch cannot be applied.
func applyPatch(doc, patch string) (string, bool) {
	d, err := jsonpatch.Parse([]byte(doc), Limits)
	if err != nil {
		return "", false
	}
	p, err := jsonpatch.ParsePatch([]byte(patch), Limits)
	if err != nil {
		return "", false
	}
	made, err := p.Apply(d, nil)
	if err != nil {
		return "", false
	}
	return string(made.Text()), true
}

func find(doc, pointer string) (string, bool) {
	d, err := jsonpatch.Parse([]byte(doc), Limits)
	if err != nil {
		return "", false
	}
	p, err := jsonpatch.ParsePointer(pointer)
	if err != nil {
		return "", false
	}
	v, err := d.Find(p)
	return string(v), err == nil
}
