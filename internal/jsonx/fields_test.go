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

// What was checked and found in one pass is what Valid and FieldsOf say of it.
func TestCheckedFields(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pieces := rapid.SliceOfN(rapid.SampledFrom([]string{`{`, `}`, `[`, `]`, `,`, `:`, ` `, `"a"`, `"b":`, `1`, `null`, `"x`, `\n"`, `"\u00e9"`, "\xff", `{"c":[1,{"d":2}]}`, `"e":5,`}), 0, 12).Draw(t, "pieces")
		text := []byte(strings.Join(pieces, ""))
		if rapid.Bool().Draw(t, "whole") {
			text = []byte(`{"a":` + string(text) + `}`)
		}
		f, err := jsonx.CheckedFieldsOf(text)
		if want := jsonx.Valid(text); fmt.Sprint(err) != fmt.Sprint(want) {
			t.Fatalf("%q: error %v, expected %v", text, err, want)
		}
		if err != nil || jsonx.KindOf(text) != jsonx.Object {
			if f.Object() != nil {
				t.Fatalf("%q: got the object %q", text, f.Object())
			}
			return
		}
		if want := jsonx.FieldsOf(jsonx.Trim(text)); !reflect.DeepEqual(f, want) {
			t.Fatalf("%q: got %v, expected %v", text, f, want)
		}
	})
}
