package adapter

import (
	"math/big"
	"slices"
	"strconv"

	"github.com/callwright/callwright/internal/jsonx"
)

// values returns the values that enum and const permit and that have one of the types. listed is false if f has neither
// keyword.
func (t *translator) values(f *value, types []string) (allowed []*value, listed bool) {
	first := true
	for _, m := range f.members {
		var now *value
		switch m.key {
		case "enum":
			now = m.value
		case "const":
			now = newList(m.value)
		default:
			continue
		}
		if first {
			allowed, first = now.items, false
		} else {
			allowed = common(newList(allowed...), now).items
		}
	}
	if first {
		return nil, false
	}
	if types == nil {
		return allowed, true
	}
	var fit []*value
	for _, v := range allowed {
		if k := kindOf(v); slices.Contains(types, k) || k == "integer" && slices.Contains(types, "number") {
			fit = append(fit, v)
		}
	}
	return fit, true
}

// consistent changes a schema that no value satisfies, because no value of its enum has the type of the schema. If the
// type is array or object, it drops the enum or const, which was probably written for the elements. Otherwise it drops
// the type.
func (t *translator) consistent(f *value, types []string) *value {
	drop := []string{"enum", "const"}
	if all, _ := t.values(f, nil); len(all) > 0 && !slices.Contains(types, "array") && !slices.Contains(types, "object") {
		drop = []string{"type"}
	}
	for _, m := range f.members {
		if slices.Contains(drop, m.key) {
			t.drop(m.key, m.value, unsatisfied)
		}
	}
	return f.without(drop...)
}

// kindOf returns the JSON Schema type of a value, "integer" for a whole number.
func kindOf(v *value) string {
	if v.kind == jsonx.Number {
		if r, ok := rational(v.raw); ok && r.IsInt() {
			return "integer"
		}
		return "number"
	}
	return v.kind.String()
}

// kindsOf returns the types of values, in the order of their first occurrence.
func kindsOf(list []*value) []string {
	var out []string
	for _, v := range list {
		k := kindOf(v)
		if !slices.Contains(out, k) {
			out = append(out, k)
		}
	}
	if slices.Contains(out, "number") {
		out = slices.DeleteFunc(out, func(k string) bool { return k == "integer" })
	}
	return out
}

// values translates enum and const: unchanged if the target accepts the values, else to strings that represent them.
func (w *schemaWriter) values(allowed []*value) {
	t := w.t
	w.skip = append(w.skip, "enum", "const")
	at := w.f.get("enum")
	if at == nil {
		at = w.f.get("const")
	}
	if t.rules.single {
		some := slices.DeleteFunc(slices.Clone(allowed), func(v *value) bool { return v.kind == jsonx.Null })
		if w.nullable = len(some) < len(allowed) && len(some) > 0; len(some) == 0 {
			w.types, w.bare = []string{"null"}, nil
			return
		}
		allowed = some
	}
	if w.t.rules.most > 0 && len(allowed) > w.t.rules.most {
		t.drop("enum", at, "the target does not accept a list with so many values")
		return
	}
	if booleans(allowed) && t.rules.values >= mostKinds {
		w.types, w.bare = []string{"boolean"}, []string{"boolean"}
		if slices.ContainsFunc(allowed, func(v *value) bool { return v.kind == jsonx.Null }) {
			w.types = append(w.types, "null")
		}
		return // the type implies it
	}
	if slices.ContainsFunc(allowed, func(v *value) bool { return !t.rules.values.take(v) }) {
		w.texts(allowed, at)
		return
	}
	is := newList(allowed...)
	if t.rules.single {
		is = t.notEmpty(is, at)
	}
	switch one := w.f.get("const"); {
	case one != nil && t.rules.keywords.has("const") && !w.f.has("enum"):
		w.place("const", one)
	case len(is.items) > 0:
		w.place("enum", is)
	}
	w.types = narrowTypes(w.types, allowed)
}

// place sets the translated values at the position of enum or const in the original.
func (w *schemaWriter) place(key string, is *value) {
	w.put(key, is)
	w.skip = slices.DeleteFunc(w.skip, func(k string) bool { return k == key })
	if key == "enum" && !w.f.has("enum") {
		w.f = renameMember(w.f, "const", "enum")
	}
}

// renameMember returns a copy of a schema with a member renamed.
func renameMember(v *value, from, to string) *value {
	out := *v
	out.parsed = false
	out.members = slices.Clone(v.members)
	for i := range out.members {
		if out.members[i].key == from {
			out.members[i].key = to
		}
	}
	return &out
}

// narrowTypes removes the types that no permitted value has. It keeps number for integers.
func narrowTypes(types []string, allowed []*value) []string {
	kinds := kindsOf(allowed)
	return slices.DeleteFunc(slices.Clone(types), func(n string) bool {
		return n != "null" && !slices.Contains(kinds, n) && !(n == "number" && slices.Contains(kinds, "integer"))
	})
}

// take reports whether the target accepts a value in an enum.
func (k kinds) take(v *value) bool {
	switch k {
	case scalarKinds:
		return v.kind != jsonx.Array && v.kind != jsonx.Object
	case mostKinds:
		return v.kind == jsonx.Text || v.kind == jsonx.Number || v.kind == jsonx.Null
	case textKinds:
		return v.kind == jsonx.Text
	}
	return true
}

// booleans reports whether the values are both Booleans, with or without null.
func booleans(list []*value) bool {
	var yes, no bool
	for _, v := range list {
		switch {
		case v.is("true"):
			yes = true
		case v.is("false"):
			no = true
		case v.kind != jsonx.Null:
			return false
		}
	}
	return yes && no
}

// notEmpty returns an enum without the empty string, which Google's API refuses.
func (t *translator) notEmpty(list, at *value) *value {
	out := newList()
	for _, v := range list.items {
		if v.text() == "" {
			t.lose(at, "enum", "the target does not accept an empty string as a value")
			continue
		}
		out.items = append(out.items, v)
	}
	return out
}

// texts translates values to strings, which Undo converts back. It drops an empty string, and a value whose string an
// earlier value has.
func (w *schemaWriter) texts(allowed []*value, at *value) {
	list := newList()
	byText := make(map[string][]byte, len(allowed))
	for _, v := range allowed {
		text := v.text()
		if v.kind != jsonx.Text {
			text = string(v.json())
		}
		if _, taken := byText[text]; taken || text == "" {
			w.t.lose(at, "enum", "the target accepts only strings; the string of this value is empty or equals that of another value")
			continue
		}
		byText[text] = v.json()
		list.items = append(list.items, newText(text))
	}
	w.types = []string{"string"}
	w.bare = w.types
	w.undo = &step{values: byText}
	for _, m := range w.f.members {
		if _, known := forms[m.key]; known && m.key != "type" && m.key != "enum" && m.key != "const" && !slices.Contains(quiet, m.key) {
			w.t.drop(m.key, m.value, "the target accepts only strings in place of the values")
			w.skip = append(w.skip, m.key)
		}
	}
	if len(list.items) > 0 {
		w.place("enum", list)
	}
}

// nextInteger returns the sum of the whole number n and by, with exact arithmetic. It returns false if n is not a whole
// number, or is too long.
func nextInteger(n []byte, by int64) ([]byte, bool) {
	if _, err := strconv.Atoi(string(n)); err != nil && len(n) > 64 {
		return nil, false
	}
	x, ok := new(big.Int).SetString(string(n), 10)
	if !ok {
		return nil, false
	}
	return x.Add(x, big.NewInt(by)).Append(nil, 10), true
}
