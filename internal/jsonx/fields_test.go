package jsonx_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/callwright/callwright/internal/jsonx"
	"pgregory.net/rapid"
)

func TestFields(t *testing.T) {
	many := []string{`"a":0`}
	for i := range 40 {
		many = append(many, fmt.Sprintf(`"m%d":%d`, i, i))
	}
	for _, obj := range []string{"", "null", "[1]", "{}", `{"a":1}`, ` {"b" : "x","a":[1,2], "a":2}`, `{"\u0061":{}}`, "{" + strings.Join(many, ",") + "}"} {
		f := jsonx.FieldsOf([]byte(obj))
		names := []string{}
		for k := range jsonx.Members([]byte(obj)) {
			names = append(names, k.String())
		}
		for _, key := range append(names, "a", "b", "none") {
			want, _ := jsonx.Find([]byte(obj), key)
			if got := f.Get(key); string(got) != string(want) || (got == nil) != (want == nil) {
				t.Errorf("%.40s: %s is %s, expected %s", obj, key, got, want)
			}
		}
		var all []string
		for k := range f.All() {
			all = append(all, k.String())
		}
		if !slices.Equal(all, append([]string(nil), names...)) {
			t.Errorf("%.40s: All gives %q, expected %q", obj, all, names)
		}
		if string(f.Object()) != obj {
			t.Errorf("%.40s: the object is %s", obj, f.Object())
		}
		if few := len(names) < 12; f.Only(names...) != few {
			t.Errorf("%.40s: Only is %v for all names", obj, !few)
		}
		if len(names) > 0 && f.Only(names[1:]...) && names[0] != names[len(names)-1] {
			t.Errorf("%.40s: Only is true without the first name", obj)
		}
	}
}

// What was checked and found in one pass is what Valid, FieldsOf and a look down the path say of it.
func TestCheckedFields(t *testing.T) {
	piece := rapid.SampledFrom([]string{`{`, `}`, `[`, `]`, `,`, `:`, ` `, `"a"`, `"b":`, `1`, `null`, `"x`, `\n"`, `"\u00e9"`, "\xff", `{"c":[1,{"d":2}]}`, `"e":5,`, `"\u0062":`, `[{"b":`, `{"b":`, `}]`,
		strings.Repeat(`"m":1,`, 13)})
	rapid.Check(t, func(t *rapid.T) {
		text := []byte(strings.Join(rapid.SliceOfN(piece, 0, 12).Draw(t, "pieces"), ""))
		if rapid.Bool().Draw(t, "whole") {
			text = []byte(`{"a":` + string(text) + `}`)
		}
		path := rapid.SampledFrom([][]string{nil, {"a"}, {"a", "0"}, {"a", "b"}, {"a", "0", "b"}, {"a", "b", "0", "b"}}).Draw(t, "path")
		into := make([]jsonx.Fields, 4)
		err := jsonx.CheckedFields(text, into, path...)
		if want := jsonx.Valid(text); fmt.Sprint(err) != fmt.Sprint(want) {
			t.Fatalf("%q: error %v, expected %v", text, err, want)
		}
		want := make([]jsonx.Fields, 4)
		if v := jsonx.Trim(text); err == nil && jsonx.IsObject(v) {
			want[0] = jsonx.FieldsOf(v)
			for level, step := range path {
				if step == "0" {
					v = jsonx.First(v)
				} else {
					v, _ = jsonx.Find(v, step)
				}
				if list := level+1 < len(path) && path[level+1] == "0"; list || !jsonx.IsObject(v) {
					continue
				}
				for i := range want {
					if want[i].Object() == nil {
						want[i] = jsonx.FieldsOf(v)
						break
					}
				}
			}
		}
		for i := range want {
			if !reflect.DeepEqual(into[i], want[i]) {
				t.Fatalf("%q, %q: level %d is %v, expected %v", text, path, i, into[i], want[i])
			}
		}
	})
}

// A name is what its escapes make of it.
func TestKeyIs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", `\u0061`, `\n`, `\\`, `\ud800`, "é", `\"`}), 0, 4)
		k := jsonx.Key(`"` + strings.Join(name.Draw(t, "key"), "") + `"`)
		other := rapid.OneOf(rapid.Just(k.String()), rapid.Just(string(k)), rapid.StringOf(rapid.SampledFrom([]rune{'a', 'b', '\\', '\n', 'é'}))).Draw(t, "name")
		if got := k.Is(other); got != (k.String() == other) {
			t.Fatalf("%s is %q: %v", k, other, got)
		}
	})
}
