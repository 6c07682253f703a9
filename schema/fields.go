package schema

import (
	"reflect"
	"slices"
	"strings"
	"unicode"
)

// A field is a member of the object that a struct is in JSON.
type field struct {
	name     string
	of       reflect.Type // no pointer, where the field is one
	tag      reflect.StructTag
	optional bool
	quoted   bool // a number or a truth value that is written as a string
	named    bool // by its tag
	depth    int  // of the embedded struct that it is in
}

// fieldsOf returns the fields of a struct that encoding/json reads, in their order. Of several by one name the least
// deep one counts, of those the one that is named by its tag, and none where there are two.
func fieldsOf(t reflect.Type) []field {
	var all []field
	gather(&all, t, 0, false, map[reflect.Type]bool{})
	var out []field
	for i := range all {
		if !beaten(all, i) {
			out = append(out, all[i])
		}
	}
	return out
}

// beaten reports whether another field of the same name counts in place of one, or neither does.
func beaten(all []field, i int) bool {
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

// gather adds the fields of a struct and of those embedded in it.
func gather(all *[]field, t reflect.Type, depth int, optional bool, within map[reflect.Type]bool) {
	if within[t] {
		return // deeper than itself, where nothing counts
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
			continue // encoding/json cannot set what an embedded pointer to a type that is not exported leads to
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

// isName reports whether encoding/json takes a text in a tag as a name.
func isName(s string) bool {
	for _, c := range s {
		if !strings.ContainsRune("!#$%&()*+-./:;<=>?@[]^_{|}~ ", c) && !unicode.IsLetter(c) && !unicode.IsDigit(c) {
			return false
		}
	}
	return s != ""
}

// isQuotable reports whether the option string changes how a kind is written.
func isQuotable(k reflect.Kind) bool {
	return k == reflect.Bool || k >= reflect.Int && k <= reflect.Float64
}
