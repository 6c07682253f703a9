package adapter

import (
	"slices"
)

// keepSchema translates a schema for a target that accepts every keyword. It returns the original, except for invalid
// references, names that the target refuses, and arrays without a schema of their elements.
func (t *translator) keepSchema(v *value) *value {
	if ref := v.get("$ref"); ref != nil && (!t.rules.refs || t.reader.target(ref.text()) == nil || t.reader.old) {
		if t.rules.refs && t.reader.target(ref.text()) != nil {
			v = t.dropSiblings(v)
		} else {
			v = t.flat(v)
		}
	}
	if !v.isObject() {
		return v
	}
	out := newObject()
	out.members = make([]member, 0, len(v.members)+1)
	kept := v
	if t.renames(v) {
		for _, key := range [...]string{"propertyNames", "patternProperties", "dependentRequired", "dependentSchemas"} {
			if was := kept.get(key); was != nil {
				t.drop(key, was, "properties are renamed")
				kept = kept.without(key)
			}
		}
	}
	for _, m := range kept.members {
		t.keepMember(out, m)
	}
	if t.rules.listed && out.get("type").text() == "array" && !out.has("items") && !out.has("prefixItems") {
		out.add("items", newObject())
	}
	t.describe(out)
	return out
}

// dropSiblings returns a reference without the keywords beside it, which draft 7 and older drafts ignore.
func (t *translator) dropSiblings(v *value) *value {
	return v.without(slices.DeleteFunc(keysOf(v), func(k string) bool { _, known := forms[k]; return !known || k == "$ref" })...)
}

func (t *translator) keepMember(out *value, m member) {
	switch {
	case slices.Contains(quiet, m.key):
		return
	case m.key == "$dynamicRef" || m.key == "$recursiveRef":
		t.lose(m.value, m.key, "a dynamic reference cannot be resolved")
		return
	case m.key == "pattern" && !t.rules.patterns.take(m.value.text()):
		t.lose(m.value, m.key, "the target does not support lookaround in a pattern; the description contains the pattern")
		t.said = append(t.said, describedKeyword{"regular expression", m.value})
		return
	case out.has(m.key) && forms[m.key] != anyForm:
		t.drop(m.key, m.value, "it cannot be merged with another value of the keyword")
		return
	case m.key == "$ref":
		m.value = newText(t.defs.name(t, t.reader.target(m.value.text())))
	case m.key == "properties":
		m.value = t.keepProperties(m.value)
	case m.key == "required":
		m.value = t.keepNames(m.value)
	default:
		m.value = t.keepBelow(m)
	}
	out.members = append(out.members, m)
}

// keepBelow translates the schemas under a keyword.
func (t *translator) keepBelow(m member) *value {
	switch forms[m.key] {
	case oneSchema:
		out, _ := t.schema(m.value)
		return out
	case schemaList:
		out := newList()
		for _, e := range m.value.items {
			one, _ := t.schema(e)
			out.items = append(out.items, one)
		}
		return out
	case schemaMap:
		out := newObject()
		for _, p := range m.value.members {
			one, _ := t.schema(p.value)
			out.members = append(out.members, member{p.key, one})
		}
		return out
	}
	return m.value
}

func (t *translator) keepProperties(v *value) *value {
	out := newObject()
	out.members = make([]member, 0, len(v.members))
	for _, p := range v.members {
		one, _ := t.schema(p.value)
		sent := t.propertyName(p.key)
		if sent != p.key && one.isObject() {
			t.nameProperty(one, p.key)
		}
		out.members = append(out.members, member{sent, one})
	}
	return out
}

func (t *translator) keepNames(v *value) *value {
	if t.rules.names.properties.Free {
		return v
	}
	out := newList()
	for _, e := range v.items {
		if sent := t.propertyName(e.text()); sent != e.text() {
			e = newText(sent)
		}
		out.items = append(out.items, e)
	}
	return out
}

// renames reports whether the target refuses the name of a property of a schema.
func (t *translator) renames(v *value) bool {
	if t.rules.names.properties.Free {
		return false
	}
	for _, p := range v.get("properties").pairs() {
		if !t.rules.names.properties.Takes(p.key) {
			return true
		}
	}
	return false
}

func (v *value) pairs() []member {
	if v == nil {
		return nil
	}
	return v.members
}
