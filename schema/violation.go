package schema

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Violation is one violation of a schema by a document.
type Violation struct {
	Path    string // JSON pointer into the document; "" is the whole document
	Keyword string // the violated keyword; "json" if the text is not JSON
	Want    string // the expected value, in words
	Got     string // the actual value, shortened
	Message string // one sentence with Path, Want and Got, for people and models
}

// String returns v.Message.
func (v Violation) String() string { return v.Message }

// maxViolations is the maximum number of violations that Validate returns. maxShown is the maximum size of a value in
// a message in bytes. maxListed is the maximum number of listed values.
const (
	maxViolations = 1000
	maxShown      = 80
	maxListed     = 25
	maxWords      = 5 // maximum nesting depth of schemas described in a message
)

func violation(path, keyword, want, got string) Violation {
	return Violation{Path: path, Keyword: keyword, Want: want, Got: got, Message: place(path) + ": want " + want + ", got " + got}
}

// place returns the path for a message, "the arguments" for "".
func place(path string) string {
	if path == "" {
		return "the arguments"
	}
	return path
}

// shorten cuts s to 80 bytes at a rune boundary and appends "..." if it was cut.
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

// shortenValue returns a shortened copy of a value.
func shortenValue(v []byte) string {
	if len(v) > maxShown+1 {
		v = v[:maxShown+1] // one byte more than shown, so that shorten appends the ellipsis
	}
	return shorten(string(v))
}

// describe returns the type and the shortened value for a message, such as "string \"x\"".
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

// fail records a violation at the current path. It returns whether to continue.
func (m *machine) fail(keyword, want string, v []byte) bool {
	if m.collecting && !m.full() {
		m.found = append(m.found, violation(string(m.path), keyword, want, describe(v)))
	}
	return m.collecting
}

// failCount records a violation of a keyword that limits a count, such as maxItems. It returns whether to continue.
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

// failExtra records a violation for a member that additionalProperties forbids.
func (m *machine) failExtra(r *objectRules, v []byte) {
	want := "no further members"
	if len(r.order) > 0 {
		want = "only the members " + quoteNames(r.order)
	}
	if !m.full() {
		m.found = append(m.found, violation(string(m.path), "additionalProperties", want, "another, with the "+describe(v)))
	}
}

// failRequired records a violation for a missing member. It returns whether to continue.
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

// want describes the allowed values of a schema in a few words.
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

// inSchema describes a position in the schema for a message.
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
		most = 5 // nested unions list fewer branches
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

// quoteNames returns the names in quotes, as a list with a limited length.
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
