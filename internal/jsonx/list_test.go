package jsonx_test

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/callwright/callwright/internal/jsonx"
)

func TestList(t *testing.T) {
	obj := []byte(`{ "a" : 1, "unknown":{"x":[ 9007199254740993 ]}, "b\n":"t", "a":2 }`)
	for _, c := range []struct {
		name   string
		change func(l *jsonx.List)
		want   string
	}{
		{"as it was", func(*jsonx.List) {}, `{"a":1,"unknown":{"x":[ 9007199254740993 ]},"b\n":"t","a":2}`},
		{"set in place", func(l *jsonx.List) { l.Set("a", []byte(`true`)) },
			`{"a":true,"unknown":{"x":[ 9007199254740993 ]},"b\n":"t","a":2}`},
		{"set at the end", func(l *jsonx.List) { l.Set("c", []byte(`[]`)) },
			`{"a":1,"unknown":{"x":[ 9007199254740993 ]},"b\n":"t","a":2,"c":[]}`},
		{"set to nothing", func(l *jsonx.List) { l.Set("b\n", nil) },
			`{"a":1,"unknown":{"x":[ 9007199254740993 ]},"b\n":null,"a":2}`},
		{"delete duplicates", func(l *jsonx.List) { l.Delete("a") }, `{"unknown":{"x":[ 9007199254740993 ]},"b\n":"t"}`},
		{"delete all", func(l *jsonx.List) { l.Delete("a"); l.Delete("unknown"); l.Delete("b\n") }, `{}`},
		{"delete what is not there", func(l *jsonx.List) {
			if l.Delete("A") {
				t.Error("Delete found a name in another case")
			}
		}, `{"a":1,"unknown":{"x":[ 9007199254740993 ]},"b\n":"t","a":2}`},
	} {
		l, err := jsonx.ParseObject(obj)
		if err != nil {
			t.Fatal(err)
		}
		c.change(&l)
		if got := string(l.Append([]byte("> "))); got != "> "+c.want {
			t.Errorf("%s: got %s, want %s", c.name, got, c.want)
		}
	}
}

func TestListGet(t *testing.T) {
	l, _ := jsonx.ParseObject([]byte(`{"a":1,"b":null,"a":2}`))
	for _, c := range []struct {
		key, want string
		ok        bool
	}{{"a", "1", true}, {"b", "null", true}, {"c", "", false}} {
		if got, ok := l.Get(c.key); string(got) != c.want || ok != c.ok {
			t.Errorf("%s: got %s, %v, want %s, %v", c.key, got, ok, c.want, c.ok)
		}
	}
	var none jsonx.List
	if _, ok := none.Get("a"); ok || string(none.Append(nil)) != "{}" {
		t.Errorf("the zero list: got %s", none.Append(nil))
	}
	none.Set("a", []byte("1"))
	if string(none.Append(nil)) != `{"a":1}` {
		t.Errorf("the zero list after Set: got %s", none.Append(nil))
	}
}

func TestParseObjectRefuses(t *testing.T) {
	for text, want := range map[string]string{
		`[1]`:           "json: expected an object, got array",
		`null`:          "json: expected an object, got null",
		``:              "json: expected an object, got invalid",
		`{"a":1 "b":2}`: "json: expected a member or the end of the object after 1 members, got something else",
		`{"a":1`:        "json: expected a member or the end of the object after 1 members, got something else",
		`{"a":1,}`:      "json: expected a member or the end of the object after 1 members, got something else",
		`{`:             "json: expected a member or the end of the object after 0 members, got something else",
	} {
		if l, err := jsonx.ParseObject([]byte(text)); err == nil || err.Error() != want {
			t.Errorf("%s: got %v, error %v, want error %s", text, l, err, want)
		}
	}
}

// TestSetAllIsSet: SetAll is Set for each member in turn.
func TestSetAllIsSet(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		names := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "c", ""}), 0, 6)
		object := func(label string) []byte {
			w := jsonx.List{}
			for i, name := range names.Draw(t, label) {
				w = append(w, jsonx.Member{Key: name, Value: fmt.Appendf(nil, "%q", fmt.Sprint(label, i))})
			}
			return w.Append(nil)
		}
		first, later := object("first"), object("later")
		all, _ := jsonx.ParseObject(first)
		all.SetAll(later)
		each, _ := jsonx.ParseObject(first)
		for k, v := range jsonx.Members(later) {
			each.Set(k.String(), v)
		}
		if got, want := string(all.Append(nil)), string(each.Append(nil)); got != want {
			t.Fatalf("%s and %s: got %s, want %s", first, later, got, want)
		}
	})
}
