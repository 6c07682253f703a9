package schema

import (
	"reflect"
	"slices"
	"strings"
	"unicode"
)

// A field is a struct field as a member of the JSON object.
type field struct {
	name     string
	of       reflect.Type // type of the field, without the pointer if it is one
	tag      reflect.StructTag
	optional bool
	quoted   bool // the tag has the option "string": a number or boolean is encoded as a string
	named    bool // the tag sets the name
	depth    int  // nesting depth of the embedded struct, 0 for the struct itself
}

// fieldsOf returns the fields of a struct that encoding/json decodes, in order. Fields with equal names are resolved
// as in encoding/json: the least nested field wins, then the field named by a tag; otherwise none is used.
func fieldsOf(t reflect.Type) []field {
	var all []field
	gather(&all, t, 0, false, map[reflect.Type]bool{})
	var out []field
	for i := range all {
		if !isHidden(all, i) {
			out = append(out, all[i])
		}
	}
	return out
}

// isHidden reports whether the field all[i] is hidden by another field of the same name.
func isHidden(all []field, i int) bool {
	f := &all[i]
	for j := range all {
		o := &all[j]
		switch {
		case i == j || o.name != f.name || o.depth > f.depth:
		case o.depth < f.depth || o.named || !f.named:
			return true
		}
	}
	return false
}

// gather appends the fields of struct type t and of its embedded structs to all. within has the enclosing struct
// types.
func gather(all *[]field, t reflect.Type, depth int, optional bool, within map[reflect.Type]bool) {
	if within[t] {
		return // a recursive embedding adds only hidden fields
	}
	within[t] = true
	defer delete(within, t)
	for i := range t.NumField() {
		sf := t.Field(i)
		tag := sf.Tag.Get("json")
		name, rest, _ := strings.Cut(tag, ",")
		options := strings.Split(rest, ",")
		of, pointer := sf.Type, sf.Type.Kind() == reflect.Pointer && sf.Type.Name() == ""
		if pointer {
			of = of.Elem()
		}
		embedded := sf.Anonymous && of.Kind() == reflect.Struct
		if tag == "-" || !sf.IsExported() && (!embedded || pointer) {
			continue // encoding/json cannot set fields of an embedded pointer to an unexported type
		}
		if !isName(name) {
			name = ""
		}
		if embedded && name == "" {
			gather(all, of, depth+1, optional || pointer, within)
			continue
		}
		f := field{name: name, of: of, tag: sf.Tag, named: name != "", depth: depth}
		if name == "" {
			f.name = sf.Name
		}
		f.optional = optional || pointer || slices.Contains(options, "omitempty") || slices.Contains(options, "omitzero")
		f.quoted = slices.Contains(options, "string") && isQuotable(of.Kind())
		*all = append(*all, f)
	}
}

// isName reports whether encoding/json accepts s as a name in a tag.
func isName(s string) bool {
	for _, c := range s {
		if !strings.ContainsRune("!#$%&()*+-./:;<=>?@[]^_{|}~ ", c) && !unicode.IsLetter(c) && !unicode.IsDigit(c) {
			return false
		}
	}
	return s != ""
}

// isQuotable reports whether the tag option "string" has an effect on kind k.
func isQuotable(k reflect.Kind) bool {
	return k == reflect.Bool || k >= reflect.Int && k <= reflect.Float64
}
