package jsonx_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/callwright/callwright/internal/jsonx"
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
