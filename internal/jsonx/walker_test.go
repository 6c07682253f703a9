package jsonx_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/callwright/callwright/internal/jsonx"
)

// walkAll walks the value at i, into objects and arrays down to the depth, and returns its end.
func walkAll(w *jsonx.Walker, text []byte, i, depth int) int {
	if depth > 0 {
		switch text[i] {
		case '{':
			return w.Members(i, func(_ jsonx.Key, at int) int { return walkAll(w, text, at, depth-1) })
		case '[':
			return w.Elements(i, func(_, at int) int { return walkAll(w, text, at, depth-1) })
		}
	}
	return w.Value(i)
}

// checkWalker: however deep it is walked into, a text is sound for a Walker when it is valid, and its end is the same.
func checkWalker(t *testing.T, text []byte) {
	t.Helper()
	start := jsonx.Space(text, 0)
	if start == len(text) {
		return
	}
	valid := jsonx.Valid(text) == nil
	for _, depth := range []int{0, 1, 2, 3, jsonx.MaxDepth + 1} {
		w := jsonx.NewWalker(text)
		end := walkAll(w, text, start, depth)
		if end < start || end > len(text) {
			t.Fatalf("%.200q: walked from %d to %d, %d levels deep", text, start, end, depth)
		}
		if sound := w.Sound() && jsonx.Space(text, end) == len(text); sound != valid {
			t.Errorf("%.200q: valid is %v, and %v when walked %d levels deep", text, valid, sound, depth)
		}
		if valid && end != jsonx.Skip(text, 0) {
			t.Errorf("%.200q: ends at %d, and at %d when walked %d levels deep", text, jsonx.Skip(text, 0), end, depth)
		}
	}
}

func TestWalkerIsAsStrictAsValid(t *testing.T) {
	for _, v := range values {
		checkWalker(t, []byte(v))
	}
	for _, c := range broken {
		checkWalker(t, []byte(c.text))
	}
	for _, n := range []int{jsonx.MaxDepth - 1, jsonx.MaxDepth, jsonx.MaxDepth + 1} {
		for _, in := range []string{"", "1", "[]", "{}"} {
			checkWalker(t, []byte(strings.Repeat("[", n)+in+strings.Repeat("]", n)))
			checkWalker(t, []byte(strings.Repeat(`{"a":`, n)+in+strings.Repeat("}", n)))
			checkWalker(t, []byte(strings.Repeat(`{"a":`, n)+`{"a":`+in+"}"+strings.Repeat("}", n)))
		}
	}
	rapid.Check(t, func(rt *rapid.T) {
		text := []byte(anyValue(4).Draw(rt, "value"))
		checkWalker(t, text)
		if len(text) > 0 {
			at := rapid.IntRange(0, len(text)-1).Draw(rt, "at")
			checkWalker(t, text[:at])
			text[at] = rapid.SampledFrom([]byte("{}[],:\"\\u0e-\x00\xff ")).Draw(rt, "byte")
			checkWalker(t, text)
		}
	})
}

func FuzzWalker(f *testing.F) {
	for _, v := range values {
		f.Add([]byte(v))
	}
	for _, c := range broken {
		f.Add([]byte(c.text))
	}
	f.Fuzz(checkWalker)
}

func BenchmarkWalker(b *testing.B) {
	text := chat()
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		w := jsonx.NewWalker(text)
		sink += walkAll(w, text, 0, 3)
		if !w.Sound() {
			b.Fatal("not sound")
		}
	}
}

func TestLongValues(t *testing.T) {
	long := strings.Repeat("x", 300)
	text := []byte(`{"a":"` + long + `","b":"short","c":["` + long + `\u00e9"],"d":"\n` + long + `","e":"` + long + `\u00e9","f":"\/` + long + `"}`)
	w := jsonx.NewWalker(text)
	w.Members(0, func(_ jsonx.Key, at int) int { return w.Value(at) })
	want := []struct {
		at        string
		rewritten bool
	}{{`"` + long + `"`, false}, {`["`, false}, {`"\n`, false}, {`"` + long + `\u00e9"`, true}, {`"\/`, true}}
	if len(w.Long()) != len(want) {
		t.Fatal(w.Long())
	}
	for i, v := range w.Long() {
		if !strings.HasPrefix(string(text[v.From:]), want[i].at) || v.To != jsonx.Skip(text, v.From) || v.Rewritten != want[i].rewritten {
			t.Errorf("value %d: %+v", i, v)
		}
	}
}
