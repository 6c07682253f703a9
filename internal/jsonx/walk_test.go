package jsonx_test

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/callwright/callwright/internal/jsonx"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestKindOf(t *testing.T) {
	for text, want := range map[string]struct {
		kind jsonx.Kind
		name string
	}{
		`null`: {jsonx.Null, "null"}, `true`: {jsonx.Bool, "boolean"}, `false`: {jsonx.Bool, "boolean"}, `-1`: {jsonx.Number, "number"},
		`9`: {jsonx.Number, "number"}, `"x"`: {jsonx.Text, "string"}, `[]`: {jsonx.Array, "array"}, " \n{}": {jsonx.Object, "object"},
		``: {jsonx.Invalid, "invalid"}, ` `: {jsonx.Invalid, "invalid"}, `x`: {jsonx.Invalid, "invalid"}, "+1": {jsonx.Invalid, "invalid"},
	} {
		if got := jsonx.KindOf([]byte(text)); got != want.kind || got.String() != want.name {
			t.Errorf("%q: got %v, want %v", text, got, want.name)
		}
	}
	if got := jsonx.Kind(200).String(); got != "invalid" {
		t.Errorf("a kind that does not exist: got %q", got)
	}
}

func TestTrim(t *testing.T) {
	for text, want := range map[string]string{"": "", " \t\r\n": "", " 1 ": "1", "[ ]\n": "[ ]", "\u00a01": "\u00a01"} {
		if got := string(jsonx.Trim([]byte(text))); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

// Every value ends where Skip says, whatever follows it.
func TestSkip(t *testing.T) {
	for _, v := range values {
		for _, tail := range []string{"", ",1]", "]", "}", " ", "\n:"} {
			text := "[" + v + tail
			want := 1 + len(strings.TrimRight(v, " \t\r\n"))
			if got := jsonx.Skip([]byte(text), 1); got != want {
				t.Errorf("%q: got %d, want %d", text, got, want)
			}
		}
	}
	for _, c := range []struct {
		text    string
		i, want int
	}{{"", 0, 0}, {"1", 1, 1}, {"  ", 0, 2}, {`"abc`, 0, 4}, {`"abc\`, 0, 5}, {`[[1]`, 0, 4}, {`[12345678,"x`, 0, 12}} {
		if got := jsonx.Skip([]byte(c.text), c.i); got != c.want {
			t.Errorf("%q from %d: got %d, want %d", c.text, c.i, got, c.want)
		}
	}
}

type pair struct{ Key, Value string }

func members(obj string) (list []pair) {
	for k, v := range jsonx.Members([]byte(obj)) {
		list = append(list, pair{string(k), string(v)})
	}
	return list
}

func TestMembers(t *testing.T) {
	for _, c := range []struct {
		obj  string
		want []pair
	}{
		{`{}`, nil},
		{` { } `, nil},
		{`{"a":1}`, []pair{{`"a"`, `1`}}},
		{"{ \"a\" : [1, 2] ,\n\"b\":{\"c\":\"}\"} , \"a\" : null }", []pair{{`"a"`, `[1, 2]`}, {`"b"`, `{"c":"}"}`}, {`"a"`, `null`}}},
		{`{"a\"b":"\\","":true}`, []pair{{`"a\"b"`, `"\\"`}, {`""`, `true`}}},
		{`[1]`, nil},
		{`"x"`, nil},
		{``, nil},
		{`{"a":1,"b`, []pair{{`"a"`, `1`}}},
		{`{"a":1 "b":2}`, []pair{{`"a"`, `1`}}},
		{`{"a":,"b":2}`, nil},
		{`{"a"`, nil},
	} {
		if diff := cmp.Diff(c.want, members(c.obj)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.obj, diff)
		}
	}
}

func TestElements(t *testing.T) {
	for arr, want := range map[string][]string{
		`[]`: nil, `[ ]`: nil, `[1]`: {`1`}, `[ "a,b" , [2,3],{"x":[]} ,null]`: {`"a,b"`, `[2,3]`, `{"x":[]}`, `null`},
		`{"a":1}`: nil, `7`: nil, ``: nil, `[`: nil, `[1,`: {`1`}, `[1 2]`: {`1`}, `[,1]`: nil,
	} {
		var got []string
		for e := range jsonx.Elements([]byte(arr)) {
			got = append(got, string(e))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", arr, diff)
		}
		if first := jsonx.First([]byte(arr)); len(want) == 0 && first != nil || len(want) > 0 && string(first) != want[0] {
			t.Errorf("%s: the first element is %s", arr, first)
		}
	}
}

func TestWalkingStops(t *testing.T) {
	n := 0
	for range jsonx.Members([]byte(`{"a":1,"b":2}`)) {
		n++
		break
	}
	for range jsonx.Elements([]byte(`[1,2]`)) {
		n++
		break
	}
	if n != 2 {
		t.Errorf("got %d steps, want 2", n)
	}
}

// What is returned cannot be appended to at the cost of what follows it.
func TestValuesAreClipped(t *testing.T) {
	obj := []byte(`{"a":[1],"b":2}`)
	v, _ := jsonx.Find(obj, "a")
	_ = append(v, "XXXX"...)
	for e := range jsonx.Elements(v) {
		_ = append(e, "XXXX"...)
	}
	if string(obj) != `{"a":[1],"b":2}` {
		t.Errorf("the object became %s", obj)
	}
}

func TestKey(t *testing.T) {
	for _, c := range []struct {
		key, name string
		want      bool
	}{
		{`"role"`, "role", true}, {`"role"`, "rule", false}, {`"role"`, "rol", false}, {`"role"`, "roles", false}, {`""`, "", true},
		{`"\u0072ole"`, "role", true}, {`"r\u006Fle"`, "role", true}, {`"\u0072ole"`, "rule", false}, {`"\u0072ole"`, `\u0072ole`, false},
		{`"a\\b"`, `a\b`, true}, {`"a\\b"`, `a\\b`, false}, {`"\"\/\n"`, "\"/\n", true}, {`"é"`, "é", true}, {`"\u00e9"`, "é", true},
		{`"\ud83d\ude00"`, "😀", true}, {`"\ud83d"`, "\uFFFD", true}, {`"\u0061"`, "ab", false}, {`"\u0061b"`, "a", false},
	} {
		if got := jsonx.Key(c.key).Is(c.name); got != c.want {
			t.Errorf("%s is %q: got %v", c.key, c.name, got)
		}
		if got := jsonx.Key(c.key).String() == c.name; got != c.want {
			t.Errorf("text of %s: got %q", c.key, jsonx.Key(c.key).String())
		}
	}
}

func TestFindAndLookup(t *testing.T) {
	doc := ` {"a":{"b":[1],"b":2,"c\u0064":{"":"deep"}},"n":null} `
	for _, c := range []struct {
		path string
		want string
		ok   bool
	}{
		{"", strings.TrimSpace(doc), true}, {"n", "null", true}, {"a/b", "[1]", true}, {"a/cd/", `"deep"`, true},
		{"x", "", false}, {"a/x", "", false}, {"n/x", "", false}, {"a/b/0", "", false},
	} {
		var path []string
		if c.path != "" {
			path = strings.Split(c.path, "/")
		}
		got, ok := jsonx.Lookup([]byte(doc), path...)
		if string(got) != c.want || ok != c.ok {
			t.Errorf("%q: got %s, %v, want %s, %v", c.path, got, ok, c.want, c.ok)
		}
		if len(path) == 1 {
			if found, ok := jsonx.Find([]byte(doc), path[0]); ok != c.ok || !bytes.Equal(found, got) {
				t.Errorf("Find of %q: got %s, %v", path[0], found, ok)
			}
		}
	}
}

func TestWalkingDoesNotAllocate(t *testing.T) {
	text := chat()
	n := testing.AllocsPerRun(5, func() {
		list, _ := jsonx.Lookup(text, "messages")
		for m := range jsonx.Elements(list) {
			for k, v := range jsonx.Members(m) {
				if k.Is("role") && jsonx.KindOf(v) != jsonx.Text {
					t.Error("a role that is no string")
				}
			}
		}
	})
	if n != 0 {
		t.Errorf("got %v allocations, want none", n)
	}
}

func TestKeySpan(t *testing.T) {
	checkKeys(t, []byte(` { "a" : 1,"a":{"a":2}, "b\"":"\"" , "":":" , ":"
		:
		[] } `))
}

// FuzzWalk: no function panics on anything, and on valid text they agree with encoding/json.
func FuzzWalk(f *testing.F) {
	for _, v := range values {
		f.Add([]byte(v), 0)
	}
	for _, c := range broken {
		f.Add([]byte(c.text), 1)
	}
	f.Fuzz(func(t *testing.T, text []byte, at int) {
		at = max(0, min(at, len(text)))
		if end := jsonx.Skip(text, at); end < at || end > len(text) {
			t.Fatalf("%q: skipped from %d to %d", text, at, end)
		}
		walk(text, 0)
		_ = jsonx.Equal(text, text[at:])
		_ = jsonx.Equal(text[:at], text)
		if jsonx.Valid(text) == nil {
			checkValid(t, text)
		}
	})
}

// walk calls everything on everything inside.
func walk(v []byte, depth int) {
	_, _ = jsonx.String(v)
	_ = jsonx.Unquote(nil, v)
	_ = jsonx.Compact(nil, v)
	_, _ = jsonx.ParseObject(v)
	_, _ = jsonx.Find(v, "role")
	if depth > 20 {
		return
	}
	for k, v := range jsonx.Members(v) {
		_ = k.Is("role") || k.Is("\uFFFD")
		_ = k.String()
		walk(v, depth+1)
	}
	for e := range jsonx.Elements(v) {
		walk(e, depth+1)
	}
}

// checkKeys holds that each name of an object stands where KeySpan says.
func checkKeys(t *testing.T, obj []byte) {
	last := -1
	jsonx.WalkMembers(obj, jsonx.Space(obj, 0), func(key jsonx.Key, at int) int {
		start, end := jsonx.KeySpan(obj, key, at)
		if string(obj[start:end]) != string(key) || &obj[start] != &key[0] || start <= last {
			t.Errorf("%q: the name %s stands at %d to %d", obj, key, start, end)
		}
		last = start
		return jsonx.SkipValue(obj, at)
	})
}

func checkValid(t *testing.T, text []byte) {
	trimmed := jsonx.Trim(text)
	start, end := jsonx.Span(text, trimmed)
	if got := jsonx.Skip(text, 0); got != end || jsonx.Skip(text, start) != end {
		t.Errorf("%q: skipped to %d, want %d", text, got, end)
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, text); err != nil || compact.String() != string(jsonx.Compact(nil, text)) {
		t.Errorf("%q: compact is %s, want %s, %v", text, jsonx.Compact(nil, text), &compact, err)
	}
	if !jsonx.Equal(text, compact.Bytes()) || !jsonx.Equal(text, text) {
		t.Errorf("%q: is not equal to itself", text)
	}
	switch jsonx.KindOf(text) {
	case jsonx.Text:
		var want string
		if err := json.Unmarshal(text, &want); err != nil {
			t.Fatal(err)
		}
		if got, ok := jsonx.String(text); got != want || !ok || string(jsonx.Unquote([]byte(">"), text)) != ">"+want {
			t.Errorf("%q: text is %q, want %q", text, got, want)
		}
	case jsonx.Array:
		var want []json.RawMessage
		_ = json.Unmarshal(text, &want)
		i := 0
		for e := range jsonx.Elements(text) {
			if i >= len(want) || string(e) != string(want[i]) {
				t.Fatalf("%q: element %d is %s", text, i, e)
			}
			i++
		}
		if i != len(want) {
			t.Errorf("%q: got %d elements, want %d", text, i, len(want))
		}
	case jsonx.Object:
		checkKeys(t, text)
		checkObject(t, text)
	}
}

func checkObject(t *testing.T, text []byte) {
	var want map[string]json.RawMessage
	if err := json.Unmarshal(text, &want); err != nil {
		t.Fatal(err)
	}
	got := map[string]json.RawMessage{}
	for k, v := range jsonx.Members(text) {
		got[k.String()] = json.RawMessage(v) // the last counts, as there
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%q (-want +got):\n%s", text, diff)
	}
	list, err := jsonx.ParseObject(text)
	if err != nil || !jsonx.Equal(list.Append(nil), text) && !bytes.Contains(text, []byte(`\u`)) {
		t.Errorf("%q: as a list %s, error %v", text, list.Append(nil), err)
	}
}

func TestWalkOnAnyValue(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		checkValid(t, []byte(anyValue(4).Draw(rt, "value")))
	})
}

func TestMentions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		piece := rapid.SampledFrom([]string{`"`, "a_b", "_", "a", "b", "strict", "1", "", `"a_b"`, "Z"})
		doc := strings.Join(rapid.SliceOfN(piece, 0, 12).Draw(t, "doc"), "")
		word := rapid.SampledFrom([]string{"a_b", "_", "a", "strict", "1", "ab", "ZZ"}).Draw(t, "word")
		if got, want := jsonx.Mentions([]byte(doc), word), strings.Contains(doc, `"`+word+`"`); got != want {
			t.Fatalf("%s in %s: %v", word, doc, got)
		}
	})
}

// TestContainsLong: Contains agrees with bytes.Contains on documents that are long enough to be sampled, wherever the text stands.
func TestContainsLong(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.SampledFrom([]string{"callwright.v1.", `"strict"`, "zz", "e"}).Draw(t, "text")
		filler := rapid.SampledFrom([]string{"review the value ", "a.b.c.1", text[:len(text)-1], "\n\"x\": 0, "}).Draw(t, "filler")
		doc := bytes.Repeat([]byte(filler), 20_000/max(1, len(filler))+1)
		if rapid.Bool().Draw(t, "present") {
			at := rapid.IntRange(0, len(doc)).Draw(t, "at")
			doc = slices.Concat(doc[:at], []byte(text), doc[at:])
		}
		if got, want := jsonx.Contains(doc, text), bytes.Contains(doc, []byte(text)); got != want {
			t.Fatalf("%q in %d bytes of %q: %t", text, len(doc), filler, got)
		}
	})
}

// BenchmarkContains searches texts whose rare letters differ: each must be read at the speed of memory.
func BenchmarkContains(b *testing.B) {
	for name, filler := range map[string]string{"english": "review the value whether every view moves ", "numbers": `{"version":"1.1.1","at":11.1}`} {
		doc := bytes.Repeat([]byte(filler), 400_000/len(filler))
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(doc)))
			for b.Loop() {
				if jsonx.Contains(doc, "callwright.v1.") {
					b.Fatal("found a text that is not there")
				}
			}
		})
	}
}

// TestIsBlank: IsBlank agrees with strings.TrimSpace, whatever form white space is written in.
func TestIsBlank(t *testing.T) {
	for _, v := range []string{`""`, `" \n\t\r"`, `"\u0020"`, `"\u00a0"`, "\"\u00a0\"", "\"\u3000\"", `"\f"`, `"\b"`, `"a"`, `" a"`, `"\""`, `"\\n"`, "\"\u200b\"", "\" é\""} {
		s, _ := jsonx.String([]byte(v))
		if got, want := jsonx.IsBlank([]byte(v)), strings.TrimSpace(s) == ""; got != want {
			t.Errorf("%s: got %t, want %t", v, got, want)
		}
	}
}
