package adapter

import (
	"bytes"
	"math/big"
	"slices"
	"strings"

	"github.com/callwright/callwright/internal/jsonx"
)

// flat returns a schema without $ref and allOf: the schemas of both are merged with the keywords beside them. It keeps
// a schema that is only a reference, if the target accepts it. Members that cannot be merged occur twice in the result,
// and both apply. The target of the reference remains on t.stack until the caller removes it.
func (t *translator) flat(v *value) *value {
	if v.kind != jsonx.Object || !v.has("$ref") && !v.has("allOf") {
		return v
	}
	if t.rules.refs && !t.atRoot && t.bareRef(v) {
		return v
	}
	return t.spread(v)
}

// spread is flat for a schema that is merged with others. It resolves all references.
func (t *translator) spread(v *value) *value {
	if v.kind != jsonx.Object || !v.has("$ref") && !v.has("allOf") {
		return v
	}
	out := v.without("$ref", "allOf")
	if ref := v.get("$ref"); ref != nil {
		to := t.follow(ref)
		if t.reader.old && to != nil {
			out = v.without(slices.DeleteFunc(keysOf(v), func(k string) bool { return forms[k] == anyForm && k != "const" })...)
		}
		if to != nil {
			out = t.both(out, to)
		}
	}
	if all := v.get("allOf"); all != nil && !(t.reader.old && v.has("$ref")) {
		for _, part := range all.items {
			out = t.both(out, part)
		}
	}
	return out
}

func keysOf(v *value) []string {
	keys := make([]string, len(v.members))
	for i := range v.members {
		keys[i] = v.members[i].key
	}
	return keys
}

// bareRef reports whether a schema is a valid reference, ignoring annotations.
func (t *translator) bareRef(v *value) bool {
	for i := range v.members {
		if _, known := forms[v.members[i].key]; known && v.members[i].key != "$ref" {
			return false
		}
	}
	ref := v.get("$ref")
	return ref != nil && t.reader.target(ref.text()) != nil
}

// Limits of references.
const (
	maxTwice = 3  // how often a schema is expanded within itself
	maxStack = 64 // maximum depth of nested references
)

// follow returns the schema to which a reference leads and pushes it on t.stack. It returns nil if the reference is
// invalid or is not expanded.
func (t *translator) follow(ref *value) *value {
	to := t.reader.target(ref.text())
	why := ""
	again := 0
	for _, on := range t.stack {
		if on == to {
			again++
		}
	}
	switch {
	case to == nil:
		why = "the reference has no target in the schema"
	case again >= maxTwice || len(t.stack) >= maxStack:
		why = "the recursion was cut, because the target does not support it"
	case t.left < 0:
		why = tooLarge
	}
	if why != "" {
		t.lose(ref, "$ref", why)
		t.said = append(t.said, describedKeyword{"$ref", ref})
		return nil
	}
	t.stack = append(t.stack, to)
	return to
}

// both returns the conjunction of two schemas.
func (t *translator) both(a, b *value) *value {
	if a = t.spread(a); a.is("false") {
		return a
	}
	if len(a.members) == 0 {
		return t.flat(b)
	}
	b = t.spread(b)
	if b.kind == jsonx.Bool {
		if b.is("false") {
			return b
		}
		return a
	}
	if t.left -= len(b.members); t.left < 0 {
		t.loseAll(b)
		return a
	}
	out := *a
	out.parsed = false
	out.members = slices.Clone(a.members)
	m := merger{t: t, a: a, b: b, out: &out}
	return m.merge()
}

// A merger merges the members of two schemas.
type merger struct {
	t       *translator
	a, b    *value
	out     *value
	nothing bool // whether no value satisfies both
}

// groups are sets of keywords that depend on one another.
var groups = [...]set{{"if", "then", "else"}, {"contains", "minContains", "maxContains"}, {"patternProperties"}}

func (m *merger) merge() *value {
	skip := m.objects()
	skip = append(skip, m.arrays()...)
	for _, g := range groups {
		if m.a.has(g[0]) && m.b.has(g[0]) {
			for _, key := range g {
				if v := m.b.get(key); v != nil {
					m.t.lose(v, key, "it cannot be merged with another value of the keyword")
				}
			}
			skip = append(skip, g...)
		}
	}
	for _, one := range m.b.members {
		if !slices.Contains(skip, one.key) {
			m.member(one)
		}
	}
	if m.nothing {
		return newBool(false).as(m.a)
	}
	return m.out
}

// lower are minimum keywords, of which the higher value applies. higher are maximum keywords, of which the lower value
// applies.
var (
	lower  = words("minimum exclusiveMinimum minLength minItems minProperties")
	higher = words("maximum exclusiveMaximum maxLength maxItems maxProperties")
)

func (m *merger) member(b member) {
	was := m.out.get(b.key)
	f, known := forms[b.key]
	switch {
	case was == nil:
		m.out.add(b.key, b.value)
	case !known || b.key == "$defs" || b.key == "definitions":
		// The annotation of the outer schema applies.
	case b.key == "type":
		names := commonTypes(typesOf(was), typesOf(b.value))
		m.nothing = m.nothing || len(names) == 0
		m.out.set("type", typeValue(names).joinPlaces(was, b.value))
	case b.key == "enum":
		m.out.set("enum", common(was, b.value).joinPlaces(was, b.value))
	case b.key == "required":
		names := was.names()
		seen := make(map[string]bool, len(names))
		for _, n := range names {
			seen[n] = true
		}
		joined := newList(was.items...).joinPlaces(was, b.value)
		for _, e := range b.value.items {
			if !seen[e.text()] {
				joined.items = append(joined.items, e)
			}
		}
		m.out.set("required", joined)
	case slices.Contains(lower, b.key) || slices.Contains(higher, b.key):
		m.limit(b, was)
	case f == flag:
		one := newBool(was.is("true") || b.value.is("true"))
		m.out.set(b.key, one.joinPlaces(was, b.value))
	case b.key == "propertyNames":
		m.out.set(b.key, allOf(was, b.value))
	case same(was, b.value):
	default:
		m.out.add(b.key, b.value) // it also applies
	}
}

func (m *merger) limit(b member, was *value) {
	order, ok := compareNumbers(was.raw, b.value.raw)
	switch {
	case !ok:
		m.out.add(b.key, b.value)
	case order < 0 == slices.Contains(lower, b.key) && order != 0:
		m.out.set(b.key, (&value{kind: jsonx.Number, raw: b.value.raw}).joinPlaces(was, b.value))
	default:
		m.out.set(b.key, (&value{kind: jsonx.Number, raw: was.raw}).joinPlaces(was, b.value))
	}
}

// joinPlaces sets the positions of a created value to those of the two original values that it merges.
func (v *value) joinPlaces(a, b *value) *value {
	v.as(a)
	v.also = append(append(slices.Clone(a.also), b), b.also...)
	v.also = v.also[:min(len(v.also), maxPlaces)]
	return v
}

// compareNumbers compares two JSON numbers exactly: order is negative if a < b, 0 if they are equal. If a number is too
// large, ok reports whether the texts are equal.
func compareNumbers(a, b []byte) (order int, ok bool) {
	x, xok := rational(a)
	y, yok := rational(b)
	if !xok || !yok {
		return 0, bytes.Equal(a, b)
	}
	return x.Cmp(y), true
}

func rational(n []byte) (*big.Rat, bool) {
	if len(n) > 64 {
		return nil, false
	}
	if at := bytes.IndexAny(n, "eE"); at >= 0 && len(n)-at > 5 {
		return nil, false
	}
	return new(big.Rat).SetString(string(n))
}

// allOf returns a schema of values that satisfy both a and b. Nil means no schema.
func allOf(a, b *value) *value {
	switch {
	case b == nil:
		return a
	case a == nil || a.is("true"):
		return b
	case a.is("false") || b.is("false"):
		never := newBool(false).as(a) // both are lost if the target cannot express it
		never.also = append(slices.Clone(a.also), b)
		return never
	case b.is("true") || same(a, b):
		return a
	}
	return newObject(member{"allOf", newList(a, b).as(a)}).joinPlaces(a, b)
}

func commonTypes(a, b []string) []string {
	var out []string
	add := func(name string) {
		if !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	for _, name := range a {
		switch {
		case slices.Contains(b, name):
			add(name)
		case name == "integer" && slices.Contains(b, "number"):
			add(name)
		case name == "number" && slices.Contains(b, "integer"):
			add("integer")
		}
	}
	return out
}

// common returns the values that occur in both lists.
func common(a, b *value) *value {
	out := newList()
	has := make(map[string]bool, len(b.items))
	for _, e := range b.items {
		has[string(jsonx.Canonical(nil, e.json()))] = true
	}
	for _, e := range a.items {
		if has[string(jsonx.Canonical(nil, e.json()))] {
			out.items = append(out.items, e)
		}
	}
	return out
}

// objects merges properties, additionalProperties and patternProperties. It returns the keywords that it has merged.
func (m *merger) objects() []string {
	a, b := m.a, m.b
	of := []string{"properties", "additionalProperties", "patternProperties"}
	if !slices.ContainsFunc(of, a.has) || !slices.ContainsFunc(of, b.has) {
		return nil
	}
	restA, restB := a.get("additionalProperties"), b.get("additionalProperties")
	patterns := m.t.rules.keywords.has("patternProperties") // with patternProperties they would accept values that the other schema forbids
	if patterns && restA != nil && b.has("patternProperties") && !restA.is("true") {
		m.t.lose(restA, "additionalProperties", "it cannot be merged with patternProperties")
		restA = nil
	}
	if patterns && restB != nil && a.has("patternProperties") && !restB.is("true") {
		m.t.lose(restB, "additionalProperties", "it cannot be merged with patternProperties")
		restB = nil
	}
	// The names that a pattern matches are unknown here. So the additionalProperties of a schema with patternProperties
	// are not applied to the properties of the other schema.
	overA, overB := restB, restA
	if b.has("patternProperties") && overA != nil {
		m.t.lose(overA, "additionalProperties", "it cannot be merged with patternProperties")
		overA = nil
	}
	if a.has("patternProperties") && overB != nil {
		m.t.lose(overB, "additionalProperties", "it cannot be merged with patternProperties")
		overB = nil
	}
	props := m.properties(overA, overB)
	m.out.members = m.out.without("additionalProperties").members
	if len(props.members) > 0 || m.out.has("properties") {
		m.out.set("properties", props)
	}
	if rest := allOf(restA, restB); rest != nil {
		m.out.add("additionalProperties", rest)
	}
	return of[:2]
}

// properties merges the properties of two schemas. overA applies to properties that only a has, overB to those that
// only b has.
func (m *merger) properties(overA, overB *value) *value {
	pa, pb := m.a.get("properties"), m.b.get("properties")
	props := newObject()
	if pa == nil {
		pa = newObject()
	} else {
		props.as(pa)
	}
	if pb == nil {
		pb = newObject()
	} else if props.parent == nil {
		props.as(pb)
	} else {
		props.joinPlaces(pa, pb)
	}
	m.t.left -= len(pa.members) + len(pb.members)
	inB := make(map[string]*value, len(pb.members))
	for _, p := range pb.members {
		inB[p.key] = p.value
	}
	inA := make(map[string]bool, len(pa.members))
	for _, p := range pa.members {
		inA[p.key] = true
		if also := inB[p.key]; also != nil {
			props.add(p.key, allOf(p.value, also))
		} else {
			props.add(p.key, allOf(p.value, overA))
		}
	}
	for _, p := range pb.members {
		if !inA[p.key] {
			props.add(p.key, allOf(p.value, overB))
		}
	}
	return props
}

// arrays merges items and prefixItems. It returns the keywords that it has merged.
func (m *merger) arrays() []string {
	a, b := m.a, m.b
	if !b.has("items") && !b.has("prefixItems") || !a.has("items") && !a.has("prefixItems") {
		return nil
	}
	var prefix []*value
	for i := range max(len(a.get("prefixItems").elements()), len(b.get("prefixItems").elements())) {
		if e := allOf(elementOf(a, i), elementOf(b, i)); e != nil {
			prefix = append(prefix, e)
		} else {
			prefix = append(prefix, newBool(true))
		}
	}
	m.out.members = m.out.without("items", "prefixItems").members
	if prefix != nil {
		tuple := newList(prefix...)
		for _, from := range []*value{a.get("prefixItems"), b.get("prefixItems"), a.get("items"), b.get("items")} {
			switch {
			case from == nil:
			case tuple.parent == nil:
				tuple.as(from)
			default:
				tuple.also = append(tuple.also, from)
			}
		}
		m.out.add("prefixItems", tuple)
	}
	if rest := allOf(a.get("items"), b.get("items")); rest != nil {
		m.out.add("items", rest)
	}
	return []string{"items", "prefixItems"}
}

// elements returns the elements of a list, or nil if v is nil.
func (v *value) elements() []*value {
	if v == nil {
		return nil
	}
	return v.items
}

// elementOf returns the schema of array element i, or nil for none.
func elementOf(v *value, i int) *value {
	if prefix := v.get("prefixItems").elements(); i < len(prefix) {
		return prefix[i]
	}
	return v.get("items")
}

// typeWords are the keywords that apply only to values of one type.
var typeWords = map[string]set{
	"string":  words("minLength maxLength pattern format"),
	"number":  words("minimum maximum exclusiveMinimum exclusiveMaximum multipleOf format"),
	"integer": words("minimum maximum exclusiveMinimum exclusiveMaximum multipleOf format"),
	"array":   words("items prefixItems contains minContains maxContains minItems maxItems uniqueItems unevaluatedItems"),
	"object": words("properties required additionalProperties patternProperties propertyNames minProperties maxProperties " +
		"dependentRequired dependentSchemas unevaluatedProperties"),
}

// only returns a schema for the values of one type, without the keywords of other types.
func only(v *value, name string) *value {
	out := v.without(slices.DeleteFunc(keysOf(v), func(k string) bool {
		if typeWords[name].has(k) {
			return true
		}
		for _, others := range typeWords {
			if others.has(k) {
				return false
			}
		}
		return true
	})...)
	return out.with("type", newText(name).as(v.get("type")))
}

// inferTypes returns the types to which the keywords of a schema without type apply, or nil if it has no such keywords.
func inferTypes(v *value) []string {
	var out []string
	for _, name := range [...]string{"object", "array", "string", "number"} {
		if slices.ContainsFunc(keysOf(v), func(k string) bool { return k != "format" && typeWords[name].has(k) }) {
			out = append(out, name)
		}
	}
	if out == nil && v.has("format") {
		if strings.HasPrefix(v.get("format").text(), "int") {
			return []string{"integer"}
		}
		return []string{"string"}
	}
	return out
}
