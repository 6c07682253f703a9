package repair_test

import (
	"errors"
	"testing"

	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/repair"
)

var seeds = []string{
	`{"a":[1,2.5,{"b":null}],"c":"d\n\u00e9"}`, `{'a': 'it's', b: None, /* c */ "d": .5,}`, `{“a”: ‘b’ "c": [1 2]}`,
	`{"say": "he said "yes", and left", "x": {"y": "z"]}`, `{{"a": 1}}}`, `{}{"a": "b"}</s>`, `"{\"a\": [\"b\"]}"`, `{\"a\": \"b\\\"c\"}`,
	`{&quot;a&quot;: &#39;b&#39;}`, "```json\n{\"a\": \"x\ny\"}\n```", `a":1, 'b': """c"d"""}`, `{"a": (1, 2), 'b': {3}, 'c': r'\d' f'x'}`,
	`{"p": "C:\dir\x41\u12"}<|call|>`, `{\n "a": 1\n}`, "{`a`: `b`}", "{\"a\": \"\xff\"}", `[{"a":1 {"b":2`, `(a=1, 'b', c=d e)`, "(\"\"```)",
}

func FuzzJSON(f *testing.F) {
	for _, s := range seeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		r, err := repair.JSON(text)
		if err != nil {
			if !errors.Is(err, repair.ErrTruncated) && !errors.Is(err, repair.ErrUnreadable) && !errors.Is(err, repair.ErrDepth) {
				t.Fatalf("unknown error %v", err)
			}
			return
		}
		if err := jsonx.Valid(r.JSON); err != nil {
			t.Fatalf("%q gives %q: %v", text, r.JSON, err)
		}
		if len(r.JSON) > 6*len(text)+8 {
			t.Fatalf("%d bytes give %d", len(text), len(r.JSON))
		}
		if len(r.Fixes) == 0 && string(r.JSON) != text {
			t.Fatalf("%q became %q without a fix", text, r.JSON)
		}
		if jsonx.Valid([]byte(text)) == nil && len(r.Fixes) > 0 && r.Fixes[0].Rule != "double_encoded" {
			t.Fatalf("valid %q was changed: %v", text, r.Fixes)
		}
		again, err := repair.JSON(string(r.JSON))
		if err != nil || len(again.Fixes) > 0 && again.Fixes[0].Rule != "double_encoded" {
			t.Fatalf("%q is mended again: %v, %v", r.JSON, again.Fixes, err)
		}
	})
}

// A valid document that is cut inside a string is never completed.
func FuzzCut(f *testing.F) {
	for i, s := range seeds {
		f.Add(s, uint(i*7))
	}
	f.Fuzz(func(t *testing.T, text string, at uint) {
		if jsonx.Valid([]byte(text)) != nil || jsonx.KindOf([]byte(text)) == jsonx.Text {
			return
		}
		at %= uint(len(text))
		var c jsonx.Checker
		if c.Feed([]byte(text[:at])) != nil || !c.InString() {
			return
		}
		if r, err := repair.JSON(text[:at]); !errors.Is(err, repair.ErrTruncated) {
			t.Fatalf("%q gives %q, %v", text[:at], r.JSON, err)
		}
	})
}

func FuzzPython(f *testing.F) {
	for _, s := range seeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if r, err := repair.Python(text); err == nil && jsonx.Valid(r.JSON) != nil {
			t.Fatalf("%q gives %q", text, r.JSON)
		}
		args, n, err := repair.PythonArgs(text)
		if err == nil && (n < 1 || n > len(text)) {
			t.Fatalf("%q: read %d of %d bytes", text, n, len(text))
		}
		for _, a := range args {
			if a.JSON != nil && jsonx.Valid(a.JSON) != nil {
				t.Fatalf("%q gives %q", text, a.JSON)
			}
		}
	})
}

// However a text is cut, its end is found in the same place, and never outside of it.
func FuzzFinder(f *testing.F) {
	for i, s := range seeds {
		f.Add(s, uint8(i))
	}
	f.Fuzz(func(t *testing.T, text string, cut uint8) {
		want, wantDone := ends(text, len(text)+1)
		if want > len(text) {
			t.Fatalf("%q ends at %d of %d", text, want, len(text))
		}
		for _, size := range []int{1, 2, 3, int(cut) + 1} {
			if got, done := ends(text, size); got != want || done != wantDone {
				t.Fatalf("%q in pieces of %d ends at %d %v, whole at %d %v", text, size, got, done, want, wantDone)
			}
		}
	})
}

// ends feeds text in pieces of size bytes.
func ends(text string, size int) (end int, done bool) {
	var f repair.Finder
	for len(text) > 0 && !done {
		n := min(size, len(text))
		end, done = f.Feed(text[:n])
		text = text[n:]
	}
	if !done {
		end, done = f.Close()
	}
	return end, done
}
