package adapter

import (
	"bytes"
	"slices"
	"strconv"

	"github.com/callwright/callwright/internal/jsonx"
)

// isRoot reports whether the present schema is the root.
func (t *translator) isRoot() bool { return t.depth == 0 && t.atRoot }

// objects translates the keywords of objects. done reports that an object is translated to an array: out is then the
// complete schema, and undo converts an array back. Otherwise both are nil.
func (w *schemaWriter) objects() (out *value, undo *step, done bool) {
	t, f := w.t, w.f
	rest := f.get("additionalProperties")
	props := w.collectProperties(rest)
	if len(props) == 0 && !t.isRoot() && slices.Equal(w.bare, []string{"object"}) {
		if t.rules.objects.needsProperties && rest.is("false") {
			return w.noEntries()
		}
		if (t.rules.objects.closed || t.rules.objects.needsProperties) && !rest.is("false") {
			return w.entries(rest)
		}
	}
	w.properties(props)
	switch {
	case t.rules.objects.closed:
		w.put("additionalProperties", newBool(false))
		if rest != nil && !rest.is("false") {
			t.drop("additionalProperties", rest, "the target accepts only closed objects, so only declared properties are allowed")
		}
	case rest != nil && t.rules.keywords.has("additionalProperties"):
		w.rest(rest)
	}
	return nil, nil, false
}

// A declaration is a property of an object schema.
type declaration struct {
	name     string
	schema   *value
	required bool
}

// collectProperties returns the declared properties, followed by required names without a property, whose schema is the
// value of additionalProperties in rest.
func (w *schemaWriter) collectProperties(rest *value) []declaration {
	required := map[string]bool{}
	for _, name := range w.f.get("required").names() {
		required[name] = true
	}
	props := w.f.get("properties")
	var out []declaration
	if props != nil {
		out = make([]declaration, 0, len(props.members))
		for _, p := range props.members {
			d := declaration{p.key, p.value, required[p.key]}
			if delete(required, p.key); d.schema.is("false") && !d.required {
				if !w.t.rules.objects.closed && !(rest.is("false") && w.t.rules.keywords.has("additionalProperties")) {
					w.t.lose(d.schema, "false", "the target cannot forbid a member")
				}
				continue
			}
			out = append(out, d)
		}
	}
	if list := w.f.get("required"); len(required) > 0 {
		for _, name := range list.names() {
			if !required[name] {
				continue
			}
			delete(required, name)
			s := rest
			if rest.is("false") {
				w.t.lose(list, "required", unsatisfied)
				s = nil
			}
			if s == nil {
				s = newBool(true).as(list)
			}
			out = append(out, declaration{name, s, true})
		}
	}
	return out
}

// properties translates the declared properties and the list of required ones.
func (w *schemaWriter) properties(list []declaration) {
	t := w.t
	props, required := newObject(), newList()
	for _, d := range list {
		out, undo := t.down(d.schema, 2)
		sent := t.propertyName(d.name)
		if sent != d.name {
			t.nameProperty(out, d.name)
		}
		optional := !d.required
		if t.rules.objects.filled && optional {
			if optional = false; !nullFits(out) {
				out, undo = withNull(out), undo.orStripped()
			}
		}
		if !optional {
			required.items = append(required.items, newText(sent))
		}
		props.members = append(props.members, member{sent, out})
		if undo != nil {
			if w.undo == nil {
				w.undo = &step{}
			}
			w.undo.property(sent, undo)
		}
	}
	if len(list) > 0 || w.f.has("properties") && !t.rules.objects.needsProperties || t.rules.objects.closed {
		w.put("properties", props)
	}
	w.skip = append(w.skip, "properties", "required")
	if len(required.items) > 0 || t.rules.objects.closed || w.f.has("required") && len(w.f.get("required").items) == 0 &&
		!t.rules.objects.needsProperties {
		w.put("required", required)
	}
}

// nameProperty adds the original name of a renamed property to the description in its translated schema out.
func (t *translator) nameProperty(out *value, name string) {
	if t.rules.single && out.has("anyOf") {
		return
	}
	said := t.said
	t.said = []describedKeyword{{"name", newText(name)}}
	t.describe(out)
	t.said = said
}

// rest translates additionalProperties.
func (w *schemaWriter) rest(rest *value) {
	w.skip = append(w.skip, "additionalProperties")
	if rest.kind == jsonx.Bool {
		w.put("additionalProperties", rest)
		return
	}
	out, undo := w.t.down(rest, 1)
	w.put("additionalProperties", out)
	if undo != nil {
		if w.undo == nil {
			w.undo = &step{}
		}
		w.undo.rest = undo
	}
}

// entries translates an object with arbitrary members to an array of {"name", "value"} objects, for targets that accept
// only declared members. Its results are those of objects.
func (w *schemaWriter) entries(rest *value) (*value, *step, bool) {
	t := w.t
	if rest == nil {
		rest = newBool(true).as(w.f)
	}
	of, undo := t.down(rest, 3)
	entry := newObject(member{"type", t.typeName("object")},
		member{"properties", newObject(member{"name", newObject(member{"type", t.typeName("string")})}, member{"value", of})},
		member{"required", newNames([]string{"name", "value"})})
	if t.rules.objects.closed {
		entry.add("additionalProperties", newBool(false))
	}
	return w.asList(entry, &step{entries: true, value: undo}), w.undo, true
}

// noEntries translates an object without members to an empty array, for targets that require members in an object. Its
// results are those of objects.
func (w *schemaWriter) noEntries() (*value, *step, bool) {
	out := w.asList(newObject(member{"type", w.t.typeName("string")}), &step{entries: true})
	if w.t.rules.keywords.has("maxItems") {
		out.set("maxItems", newCount(0))
	}
	return out, w.undo, true
}

// asList returns the schema of an array with the given element schema in place of the object. undo converts an array
// back.
func (w *schemaWriter) asList(element *value, undo *step) *value {
	t := w.t
	w.undo = undo
	for _, m := range w.f.members {
		_, known := forms[m.key]
		switch {
		case m.key == "additionalProperties" || m.key == "properties" || m.key == "required" || m.key == "type":
		case known && !slices.Contains(quiet, m.key) && !w.idle(m.key):
			t.drop(m.key, m.value, notTaken)
		}
	}
	w.out.add("type", t.typeName("array"))
	if !t.rules.single && w.nullAllowed() {
		w.out.set("type", newNames([]string{"array", "null"}))
	}
	notes, _ := t.splitAnnotations(w.f)
	t.annotate(w.out, notes)
	w.out.add("items", element)
	if w.nullable {
		w.out.add("nullable", newBool(true))
	}
	return w.out
}

func (w *schemaWriter) nullAllowed() bool { return slices.Contains(w.types, "null") }

// arrays translates the keywords of arrays.
func (w *schemaWriter) arrays() {
	t, f := w.t, w.f
	w.skip = append(w.skip, "items", "prefixItems")
	prefix, items := f.get("prefixItems").elements(), f.get("items")
	switch {
	case len(prefix) > 0 && t.rules.keywords.has("prefixItems"):
		w.tuple(prefix, items)
	case len(prefix) > 0:
		w.writeElementAlternatives(prefix, items)
	case items.is("false"):
		w.put("items", t.someItems(items))
		w.most(0)
	case items != nil:
		w.elements(items)
	case t.rules.listed:
		w.put("items", t.someItems(f))
	}
}

// whole are the rules for schemas of array elements if the target has the rule whole. They accept every keyword.
var whole = rules{keywords: everything, notes: everything, formats: everything, beside: true, names: nameRules{properties: anyName}}

// inside sets the rules for schemas below items. back restores the previous rules.
func (t *translator) inside() (back func()) {
	was := t.rules
	if was.whole {
		t.rules = &whole
	}
	return func() { t.rules = was }
}

// someItems returns the schema for array elements without a schema.
func (t *translator) someItems(from *value) *value {
	said := t.said
	t.said = nil
	out, _ := t.anything(newObject(), from)
	t.said = said
	return out
}

// elements translates the schema items for all elements.
func (w *schemaWriter) elements(items *value) {
	back := w.t.inside()
	out, undo := w.t.down(items, 1)
	back()
	w.put("items", out)
	if undo != nil {
		w.undo = &step{items: undo, props: w.undo.properties(), rest: w.undo.others()}
	}
}

// tuple translates prefixItems to the same keyword.
func (w *schemaWriter) tuple(prefix []*value, items *value) {
	list := newList()
	var undo []*step
	needed := false
	for _, e := range prefix {
		out, s := w.t.down(e, 2)
		list.items = append(list.items, out)
		undo = append(undo, s)
		needed = needed || s != nil
	}
	w.skip = slices.DeleteFunc(w.skip, func(k string) bool { return k == "prefixItems" })
	w.put("prefixItems", list)
	var rest *step
	if items.is("false") {
		w.most(len(prefix))
	} else if items != nil {
		out, s := w.t.down(items, 1)
		w.put("items", out)
		rest, needed = s, needed || s != nil
	}
	if needed {
		w.undo = &step{items: rest, prefix: undo, props: w.undo.properties(), rest: w.undo.others()}
	}
}

// writeElementAlternatives translates prefixItems for targets without the keyword: every element may satisfy any of the
// schemas.
func (w *schemaWriter) writeElementAlternatives(prefix []*value, items *value) {
	t := w.t
	at := w.f.get("prefixItems")
	all := slices.Clone(prefix)
	if items != nil && !items.is("false") {
		all = append(all, items)
	}
	different := distinct(all)
	if items.is("false") {
		w.most(len(prefix))
	}
	if len(different) == 1 {
		w.elements(different[0])
		return
	}
	t.drop("prefixItems", at, "the target supports only one schema for all elements; the description contains their order")
	if items != nil && !items.is("false") {
		t.lose(items, "items", "the target supports only one schema for all elements")
	}
	w.elements(newObject(member{"anyOf", newList(different...).as(at)}).as(at))
}

// most sets maxItems to n if the target accepts the keyword and the schema has no smaller value of it.
func (w *schemaWriter) most(n int) {
	was := w.f.get("maxItems")
	at := w.f.get("items")
	if !w.t.rules.keywords.has("maxItems") {
		w.t.lose(at, "items", notTaken)
		return
	}
	if was != nil {
		if order, ok := compareNumbers(was.raw, strconv.AppendInt(nil, int64(n), 10)); ok && order < 0 {
			return
		}
	}
	w.put("maxItems", newCount(n))
}

// nullFits reports whether null satisfies a translated schema.
func nullFits(out *value) bool {
	if out.get("nullable").is("true") {
		return true
	}
	if c := out.get("const"); c != nil && c.kind != jsonx.Null {
		return false
	}
	if e := out.get("enum"); e != nil && !slices.ContainsFunc(e.items, func(v *value) bool { return v.kind == jsonx.Null }) {
		return false
	}
	if names := typesOf(out.get("type")); names != nil && !slices.Contains(names, "null") {
		return false
	}
	if any := out.get("anyOf"); any != nil && !slices.ContainsFunc(any.items, nullFits) {
		return false
	}
	return !out.has("$ref")
}

// withNull returns a translated schema that also accepts null.
func withNull(out *value) *value {
	null := newObject(member{"type", newText("null")})
	if any := out.get("anyOf"); any != nil && !out.has("type") {
		return out.with("anyOf", newList(append(slices.Clone(any.items), null)...))
	}
	names := typesOf(out.get("type"))
	if names == nil || out.has("$ref") || out.has("const") {
		return newObject(member{"anyOf", newList(out, null)})
	}
	if !slices.Contains(names, "null") {
		out = out.with("type", newNames(append(slices.Clone(names), "null")))
	}
	if e := out.get("enum"); e != nil && !slices.ContainsFunc(e.items, func(v *value) bool { return bytes.Equal(v.raw, nullValue.raw) }) {
		out = out.with("enum", newList(append(slices.Clone(e.items), nullValue)...))
	}
	return out
}
