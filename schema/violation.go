package schema

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Violation is one way in which a document breaks its schema, in the words of the schema.
type Violation struct {
	Path    string // JSON pointer into the document; "" is the whole
	Keyword string // keyword of the schema that is broken; "json" when the text is no JSON
	Want    string // what the schema asks for
	Got     string // what came, shortened
	Message string // one sentence of Path, Want and Got, fit to be shown to a model
}

// String returns the message.
func (v Violation) String() string { return v.Message }

// maxViolations bounds the result of Validate, maxShown the bytes of a value and maxListed the values of a list in a
// message.
const (
	maxViolations = 1000
	maxShown      = 80
	maxListed     = 25
	maxWords      = 5 // schemas in schemas that a message describes
)

func violation(path, keyword, want, got string) Violation {
	return Violation{Path: path, Keyword: keyword, Want: want, Got: got, Message: place(path) + ": want " + want + ", got " + got}
}

// place names a place in the document.
func place(path string) string {
	if path == "" {
		return "the arguments"
	}
	return path
}

// shorten cuts long text at a character.
func shorten(s string) string {
	if len(s) <= maxShown {
		return s
	}
	cut := maxShown
	for cut > 0 && !utf8.RuneStart(s[cut]) {
		cut--
	}
	return s[:cut] + "..."
}

// shortenValue is a shortened copy of a value.
func shortenValue(v []byte) string {
	if len(v) > maxShown+1 {
		v = v[:maxShown+1] // one byte more than is shown, so that it is seen to be cut
	}
	return shorten(string(v))
}

// describe names a value: its kind, and the value itself, shortened.
func describe(v []byte) string {
	k := kindOf(v)
	if k == kindNull {
		return "null"
	}
	name := k.String()
	if k == kindFraction {
		name = "number"
	}
	return name + " " + shortenValue(v)
}

// fail notes a violation at the value at hand. It reports whether to go on.
func (m *machine) fail(keyword, want string, v []byte) bool {
	if m.collecting && !m.full() {
		m.found = append(m.found, violation(string(m.path), keyword, want, describe(v)))
	}
	return m.collecting
}

// failCount is fail for a keyword that bounds a count.
func (m *machine) failCount(keyword, words string, n int, unit string, v []byte) bool {
	if !m.collecting {
		return false
	}
	if n != 1 {
		unit += "s"
	}
	return m.fail(keyword, words+" "+strconv.Itoa(n)+" "+unit, v)
}

func (m *machine) failType(n *node, i, end int) {
	keyword := "type"
	if n.none {
		keyword = "false"
	}
	m.fail(keyword, n.want(), m.doc[i:end])
}

// failExtra notes a member that no schema allows.
func (m *machine) failExtra(r *objectRules, v []byte) {
	want := "no further members"
	if len(r.order) > 0 {
		want = "only the members " + quoteNames(r.order)
	}
	if !m.full() {
		m.found = append(m.found, violation(string(m.path), "additionalProperties", want, "another, with the "+describe(v)))
	}
}

// failRequired notes a member that is missing. It reports whether to go on.
func (m *machine) failRequired(r *objectRules, name string) bool {
	if m.collecting && !m.full() {
		want := "the member " + strconv.Quote(name)
		if p := r.props[name]; p != nil && p.node != nil && !p.node.any {
			want += " (" + p.node.want() + ")"
		}
		m.found = append(m.found, violation(string(m.path), "required", want, "none"))
	}
	return m.collecting
}

// want describes in a few words the values that a schema allows.
func (n *node) want() string { return n.wantUpTo(maxWords) }

func (n *node) wantUpTo(depth int) string {
	switch {
	case n.none:
		return "no value here"
	case n.any || depth <= 0:
		return "a value"
	case n.values != nil:
		return n.values[0].want()
	case n.kinds == kindArray && n.array != nil && n.array.items != nil && !n.array.items.any && !n.array.items.none:
		return "array of " + n.array.items.wantUpTo(depth-1)
	case n.kinds == kindObject && n.object != nil && len(n.object.required) > 0:
		return "object with " + quoteNames(n.object.required)
	case n.kinds == kindString && n.str != nil && n.str.format != nil:
		return formatWant(n.str.formatName)
	case n.kinds != 0:
		return n.kinds.String()
	case n.ref != nil:
		return n.ref.wantUpTo(depth - 1)
	case n.anyOf != nil:
		return wantAnyUpTo(n.anyOf, depth-2)
	case n.oneOf != nil:
		return wantAnyUpTo(n.oneOf, depth-2)
	case len(n.allOf) == 1:
		return n.allOf[0].wantUpTo(depth - 1)
	}
	return "a value that fits " + inSchema(n.at)
}

// inSchema names a place in the schema.
func inSchema(at string) string {
	if at == "" {
		return "the schema"
	}
	return "the schema at " + at
}

func wantAny(branches []*node) string { return wantAnyUpTo(branches, maxWords) }

func wantAnyUpTo(branches []*node, depth int) string {
	most := maxListed
	if depth < maxWords {
		most = 5 // unions in unions
	}
	var out []string
	for _, b := range branches {
		if w := b.wantUpTo(depth); !slices.Contains(out, w) {
			out = append(out, w)
		}
		if len(out) > most {
			out[most] = "..."
			break
		}
	}
	return strings.Join(out, " or ")
}

func (r valueRule) want() string {
	if len(r.list) == 0 {
		return "no value, since none is allowed"
	}
	if len(r.list) == 1 {
		return shorten(string(r.list[0].json))
	}
	var out []string
	for _, l := range r.list {
		out = append(out, shorten(string(l.json)))
	}
	return "one of " + joinLimited(out)
}

// quoteNames writes names in quotes.
func quoteNames(names []string) string {
	out := make([]string, 0, len(names))
	for _, n := range names {
		out = append(out, shorten(strconv.Quote(n)))
	}
	return joinLimited(out)
}

func joinLimited(list []string) string {
	if len(list) > maxListed {
		list = append(slices.Clone(list[:maxListed]), "... ("+strconv.Itoa(len(list))+" in all)")
	}
	return strings.Join(list, ", ")
}
