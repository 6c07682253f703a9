package adapter

import (
	"slices"

	"github.com/callwright/callwright/internal/jsonx"
)

// union translates a schema with anyOf or oneOf.
func (t *translator) union(f *value) (*value, *step) {
	at := slices.IndexFunc(f.members, func(m member) bool { return m.key == "anyOf" || m.key == "oneOf" })
	if two := slices.IndexFunc(f.members, func(m member) bool { return m.key == "oneOf" }); !f.has("anyOf") && two >= 0 {
		at = two
	}
	union := f.members[at]
	rest := *f
	rest.parsed = false
	rest.members = slices.Delete(slices.Clone(f.members), at, at+1)
	if union.key == "oneOf" && !t.apart(union.value.items) {
		t.lose(union.value, "oneOf", "the target supports only anyOf, so more than one alternative may match")
	}
	if t.rules.beside && !rest.has("anyOf") && !rest.has("oneOf") {
		return t.besides(&rest, union.value)
	}
	notes, limits := t.splitAnnotations(&rest)
	var list []*value
	for _, b := range union.value.items {
		if b = t.both(limits, b); !b.is("false") {
			list = append(list, b)
		}
	}
	before := len(t.losses)
	out, undo := t.alternatives(notes, list, union)
	if union.key == "oneOf" && slices.ContainsFunc(t.losses[before:], func(l loss) bool { return telling.has(l.keyword) }) {
		t.lose(union.value, "oneOf", "more than one alternative may match, because some of their keywords were dropped")
	}
	return out, undo
}

// telling are the keywords by which alternatives are distinguished.
var telling = words("type enum const properties required false $ref")

// splitAnnotations returns the annotations of a schema, and its other keywords.
func (t *translator) splitAnnotations(f *value) (notes, limits *value) {
	notes, limits = newObject().as(f), newObject().as(f)
	for _, m := range f.members {
		if _, known := forms[m.key]; known {
			limits.members = append(limits.members, m)
		} else {
			notes.members = append(notes.members, m)
		}
	}
	return notes, limits
}

// alternatives translates a list of complete alternatives. union is the original member. It omits alternatives that no
// value satisfies.
func (t *translator) alternatives(notes *value, list []*value, union member) (*value, *step) {
	null := false
	if t.rules.single && slices.ContainsFunc(list, func(v *value) bool { return !onlyNull(v) }) {
		list = slices.DeleteFunc(list, func(v *value) bool {
			is := onlyNull(v)
			null = null || is
			return is
		})
	}
	switch len(list) {
	case 0:
		t.drop(union.key, union.value, unsatisfied)
		return t.anything(notes, notes)
	case 1:
		out, undo := t.again(t.both(notes, list[0]))
		if null {
			out = t.nullable(out)
		}
		return out, undo
	}
	any := newList()
	var undo []*step
	needed := false
	seen := map[string]bool{}
	for _, b := range list {
		if t.rules.single && len(any.items) == 0 {
			b = t.both(notes, b)
		}
		t.depth += 2
		out, s := t.again(b)
		t.depth -= 2
		if text := string(out.json()); s == nil && seen[text] {
			continue
		} else if s == nil {
			seen[text] = true
		}
		any.items = append(any.items, out)
		undo = append(undo, s)
		needed = needed || s != nil
	}
	if null {
		any.items[0] = t.nullable(any.items[0])
	}
	var back *step
	if needed {
		back = t.choices(any.items, undo)
	}
	if len(any.items) == 1 {
		return any.items[0], back
	}
	out := newObject()
	if !t.rules.single {
		t.annotate(out, notes)
	}
	t.said = nil
	out.add("anyOf", any)
	return out, back
}

// choices returns the step that chooses among alternatives.
func (t *translator) choices(written []*value, undo []*step) *step {
	back := &step{}
	for i, out := range written {
		back.choices = append(back.choices, &choice{written: out, defs: &t.defs, undo: undo[i]})
	}
	return back
}

// again translates a schema that was created by merging others.
func (t *translator) again(v *value) (*value, *step) {
	mark, said, root := len(t.stack), t.said, t.atRoot
	t.said, t.atRoot = nil, false
	defer func() { t.stack, t.said, t.atRoot = t.stack[:mark], said, root }()
	if t.left--; t.left < 0 {
		t.lose(v, "type", tooLarge)
		return t.anything(newObject(), v)
	}
	return t.writeSchema(t.flat(v))
}

// nullable returns a translated schema that also accepts null, by the keyword nullable.
func (t *translator) nullable(out *value) *value {
	if any := out.get("anyOf"); any != nil {
		return out.with("anyOf", newList(append([]*value{t.nullable(any.items[0])}, any.items[1:]...)...))
	}
	return out.with("nullable", newBool(true))
}

// onlyNull reports whether null is the only value that satisfies a schema.
func onlyNull(v *value) bool {
	if !v.isObject() || slices.ContainsFunc(beside, v.has) {
		return false
	}
	names, values := typesOf(v.get("type")), allowedValues(v)
	isNull := func(e *value) bool { return e.kind == jsonx.Null }
	if names != nil && !slices.Contains(names, "null") || values != nil && !slices.ContainsFunc(values.items, isNull) {
		return false
	}
	return len(names) == 1 || values != nil && len(values.items) == 1
}

// besides translates anyOf with the keywords beside it, for a target that accepts both.
func (t *translator) besides(rest, union *value) (*value, *step) {
	any := newList()
	for _, b := range union.items {
		if b.is("false") {
			continue
		}
		out, _ := t.down(b, 2)
		any.items = append(any.items, out)
	}
	out, undo := t.plain(rest)
	if len(any.items) == 0 {
		t.lose(union, "anyOf", unsatisfied)
		return out, undo
	}
	out.add("anyOf", any)
	return out, undo
}

// apart reports whether no value satisfies two of the schemas, as far as their types, values, or a required member show
// it.
func (t *translator) apart(list []*value) bool {
	if len(list) > 64 {
		return false
	}
	for i, a := range list {
		for _, b := range list[:i] {
			if !disjoint(a, b) && !t.hasDiscriminator(a, b) {
				return false
			}
		}
	}
	return true
}

// disjoint reports whether the types or the permitted values of two schemas have no common element.
func disjoint(a, b *value) bool {
	if a.is("false") || b.is("false") {
		return true
	}
	ta, tb := typesOf(a.get("type")), typesOf(b.get("type"))
	if ta != nil && tb != nil && len(commonTypes(ta, tb)) == 0 {
		return true
	}
	va, vb := allowedValues(a), allowedValues(b)
	return va != nil && vb != nil && len(common(va, vb).items) == 0
}

// allowedValues returns the values of const or enum as a list, or nil.
func allowedValues(v *value) *value {
	if c := v.get("const"); c != nil {
		return newList(c)
	}
	return v.get("enum")
}

// hasDiscriminator reports whether two object schemas have a required member with disjoint values.
func (t *translator) hasDiscriminator(a, b *value) bool {
	if a.get("type").text() != "object" || b.get("type").text() != "object" {
		return false
	}
	for _, name := range a.get("required").names() {
		x, y := a.get("properties").get(name), b.get("properties").get(name)
		if x != nil && y != nil && slices.Contains(b.get("required").names(), name) && disjoint(x, y) {
			return true
		}
	}
	return false
}
