package adapter

import (
	"slices"
	"strings"

	"github.com/callwright/callwright/internal/jsonx"
)

// plain translates a schema without references and combinators.
func (t *translator) plain(f *value) (*value, *step) {
	types := typesOf(f.get("type"))
	allowed, listed := t.values(f, types)
	if types == nil && listed {
		types = kindsOf(allowed)
	}
	if types == nil && t.rules.typed != noTypes {
		types = inferTypes(f)
	}
	nullable := slices.Contains(types, "null")
	bare := slices.DeleteFunc(slices.Clone(types), func(n string) bool { return n == "null" })
	switch {
	case listed && len(allowed) == 0:
		return t.plain(t.consistent(f, types))
	case types == nil && t.rules.typed != noTypes:
		return t.anything(f, f)
	case t.rules.single && len(bare) > 1 && !listed:
		return t.perType(f, bare, nullable)
	}
	w := &schemaWriter{t: t, f: f, types: types, bare: bare, nullable: nullable && t.rules.single && len(bare) > 0, out: newObject()}
	if listed {
		w.values(allowed)
	}
	if w.speaksOf("object") {
		if whole, undo, done := w.objects(); done {
			return whole, undo
		}
	}
	if w.speaksOf("array") {
		w.arrays()
	}
	return w.finish()
}

// perType translates a schema of several types to anyOf with one type each.
func (t *translator) perType(f *value, types []string, nullable bool) (*value, *step) {
	list := newList()
	for _, name := range types {
		list.items = append(list.items, only(f, name))
	}
	if nullable {
		list.items = append(list.items, newObject(member{"type", newText("null")}))
	}
	notes := newObject().as(f)
	for _, m := range f.members {
		if _, known := forms[m.key]; !known {
			notes.members = append(notes.members, m)
		}
	}
	return t.union(notes.with("anyOf", list.as(f.get("type"))))
}

// A schemaWriter is the state of the translation of one schema.
type schemaWriter struct {
	t           *translator
	f           *value
	types, bare []string // bare are the types without null
	nullable    bool
	out         *value
	ready       map[string]*value // members that were translated in advance
	skip        set               // keywords that were handled
	undo        *step
}

// speaksOf reports whether values of a type may satisfy the schema. Without types, it reports whether the schema has
// keywords of the type.
func (w *schemaWriter) speaksOf(name string) bool {
	if w.types != nil {
		return slices.Contains(w.types, name)
	}
	return slices.ContainsFunc(keysOf(w.f), func(k string) bool { return typeWords[name].has(k) })
}

// put sets a member of the translated schema in advance.
func (w *schemaWriter) put(key string, v *value) {
	if w.ready == nil {
		w.ready = map[string]*value{}
	}
	w.ready[key] = v
}

// late are the members that are written last, in this order, if the original does not have them.
var late = []string{"enum", "properties", "required", "additionalProperties", "items", "minItems", "maxItems"}

// finish writes the members of the translated schema in the order of the original.
func (w *schemaWriter) finish() (*value, *step) {
	if w.f.has("type") || w.types == nil {
		for _, m := range w.f.members {
			w.member(m)
		}
	} else {
		w.member(member{"type", typeValue(w.types)})
		for _, m := range w.f.members {
			w.member(m)
		}
	}
	for _, key := range late {
		if v := w.ready[key]; v != nil && !w.out.has(key) {
			w.out.add(key, v)
		}
	}
	if w.nullable {
		w.out.set("nullable", newBool(true))
	}
	w.t.describe(w.out)
	return w.out, w.undo
}

// quiet are keywords without a constraint, whose removal is not a loss.
var quiet = words("$schema $id $anchor $comment $defs definitions $dynamicAnchor $vocabulary id")

func (w *schemaWriter) member(m member) {
	t := w.t
	_, known := forms[m.key]
	switch {
	case w.ready[m.key] != nil:
		if !w.out.has(m.key) {
			w.out.add(m.key, w.ready[m.key])
		}
	case slices.Contains(quiet, m.key) || w.skip.has(m.key) || m.key == "then" && !w.f.has("if") || m.key == "else" && !w.f.has("if"):
	case !known && t.rules.notes.has(m.key):
		if m.value.kind != jsonx.Null || m.key == "default" {
			w.out.set(m.key, m.value)
		}
	case !known:
		if m.key == "default" || m.key == "examples" || m.key == "example" {
			t.drop(m.key, m.value, notTaken)
		}
	case m.key == "type":
		w.writeType()
	case w.out.has(m.key):
		t.drop(m.key, m.value, "the target supports the keyword only once")
	case w.idle(m.key) || m.key == "additionalProperties" && m.value.is("true"):
		// The keyword only applies to values that the types exclude.
	default:
		w.limit(m)
	}
}

// idle reports whether a keyword applies to none of the schema's types.
func (w *schemaWriter) idle(key string) bool {
	if w.types == nil {
		return false
	}
	owned := false
	for name, of := range typeWords {
		if of.has(key) {
			if slices.Contains(w.types, name) {
				return false
			}
			owned = true
		}
	}
	return owned
}

// writeType writes the keyword type.
func (w *schemaWriter) writeType() {
	names := w.types
	if w.t.rules.single {
		names = w.bare
		if len(names) == 0 {
			names = w.types
		}
	}
	if w.out.has("type") {
		return
	}
	list := newList()
	for _, n := range names {
		list.items = append(list.items, w.t.typeName(n))
	}
	if len(list.items) == 1 {
		w.out.set("type", list.items[0])
		return
	}
	w.out.set("type", list)
}

// limit writes a keyword that limits values if the target accepts it, and drops it otherwise.
func (w *schemaWriter) limit(m member) {
	t := w.t
	why := notTaken
	switch {
	case !t.rules.keywords.has(m.key) && !(t.rules.integers.has(m.key) && slices.Equal(w.bare, []string{"integer"})):
		if w.closest(m) {
			return
		}
	case m.key == "format" && !t.rules.formats.has(m.value.text()) &&
		!(t.rules.single && !slices.Contains(w.types, "string") && numberFormats.has(m.value.text())):
		why = "the target does not support the format; the description contains it"
	case m.key == "pattern" && !t.rules.patterns.take(m.value.text()):
		why = "the target does not support the pattern; the description contains it"
	case m.key == "minItems" && t.rules.minItemsAtMostOne && !m.value.is("0") && !m.value.is("1"):
		w.out.set(m.key, newCount(1))
	case m.key == "maxLength" && t.rules.grammar && len(m.value.raw) > 3:
		why = "the grammar for such a length is too large; the description contains it"
	default:
		w.out.set(m.key, m.value)
		return
	}
	t.drop(m.key, m.value, why)
}

// numberFormats are the formats of numbers in OpenAPI.
var numberFormats = words("int32 int64 float double")

// closest replaces an exclusive limit of integers by the inclusive limit of the next integer. It returns false if that
// is impossible.
func (w *schemaWriter) closest(m member) bool {
	plain := map[string]string{"exclusiveMinimum": "minimum", "exclusiveMaximum": "maximum"}[m.key]
	if plain == "" || w.f.has(plain) || !w.t.rules.keywords.has(plain) && !w.t.rules.integers.has(plain) ||
		!slices.Equal(w.bare, []string{"integer"}) {
		return false
	}
	by := int64(1)
	if plain == "maximum" {
		by = -1
	}
	next, ok := nextInteger(m.value.raw, by)
	if ok {
		w.out.set(plain, &value{kind: jsonx.Number, raw: next})
	}
	return ok
}

// take reports whether the target accepts a pattern.
func (p patternRule) take(expr string) bool {
	refused := []string{"(?=", "(?!", "(?<", `\b`, `\B`, `\1`, `\2`, `\k`}
	switch p {
	case allPatterns:
		refused = nil
	case straightPatterns:
		refused = []string{"(?=", "(?!", "(?<=", "(?<!"}
	}
	if slices.ContainsFunc(refused, func(part string) bool { return strings.Contains(expr, part) }) {
		return false
	}
	if p != anchoredPatterns {
		return true
	}
	if !strings.HasPrefix(expr, "^") || !strings.HasSuffix(expr, "$") || strings.HasSuffix(expr, `\$`) || strings.Contains(expr, "(?") {
		return false
	}
	for i := 0; i+1 < len(expr); i++ {
		if expr[i] == '\\' {
			if i++; isWordByte(expr[i]) {
				return false // \d, \w, \p{...}
			}
		}
	}
	return true
}

func isWordByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}
