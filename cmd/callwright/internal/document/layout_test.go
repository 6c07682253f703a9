package document_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/callwright/callwright/cmd/callwright/internal/document"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestLayout(t *testing.T) {
	for _, c := range []struct{ about, text, now, want string }{
		{"no text", "", `{"a":{"b":[]},"c":[1,"x"]}`, "{\n  \"a\": {\n    \"b\": []\n  },\n  \"c\": [\n    1,\n    \"x\"\n  ]\n}\n"},
		{"a value", "{\n  \"a\": 1,\n  \"b\": [1, 2]\n}\n", `{"a":2,"b":[1,2]}`, "{\n  \"a\": 2,\n  \"b\": [1, 2]\n}\n"},
		{"tabs", "{\n\t\"a\": 1\n}", `{"a":1,"b":{"c":2}}`, "{\n\t\"a\": 1,\n\t\"b\": {\n\t\t\"c\": 2\n\t}\n}"},
		{"line ends of Windows", "{\r\n    \"a\": 1\r\n}\r\n", `{"a":1,"b":{"c":2}}`, "{\r\n    \"a\": 1,\r\n    \"b\": {\r\n        \"c\": 2\r\n    }\r\n}\r\n"},
		{"one line", `{"a": 1, "b": [1, 2]}`, `{"a":1,"b":[1,2,{"c":[3,4]}]}`, `{"a": 1, "b": [1, 2, {"c": [3, 4]}]}`},
		{"one line without blanks", `{"a":1,"b":[1]}`, `{"a":1,"b":[1,{"c":3,"d":4}]}`, `{"a":1,"b":[1,{"c":3,"d":4}]}`},
		{"an array on one line", "{\n  \"a\": [1, 2, 3]\n}\n", `{"a":[1,3]}`, "{\n  \"a\": [1, 3]\n}\n"},
		{"one on one line with blanks inside", "{\n  \"a\": { \"b\": 1 }\n}\n", `{"a":{"b":1,"c":2}}`, "{\n  \"a\": { \"b\": 1, \"c\": 2 }\n}\n"},
		{"an element in front", "[\n  {\"a\": 1},\n  {\"b\":   2}\n]\n", `[0,{"a":1},{"b":2}]`, "[\n  0,\n  {\"a\": 1},\n  {\"b\":   2}\n]\n"},
		{"an element is gone", "[\n  {\"a\": 1},\n  {\"b\":   2}\n]\n", `[{"b":2}]`, "[\n  {\"b\":   2}\n]\n"},
		{"what was empty", "{\n  \"a\": []\n}\n", `{"a":[1]}`, "{\n  \"a\": [\n    1\n  ]\n}\n"},
		{"what is empty", "{\n  \"a\": [\n    1\n  ]\n}\n", `{"a":[]}`, "{\n  \"a\": []\n}\n"},
		{"an empty text of nothing", "{}\n", `{"a":1}`, "{\n  \"a\": 1\n}\n"},
		{"another kind", "\n[1]\n\n", `{"a":1}`, "\n{\"a\": 1}\n\n"},
		{"the order of members stays", "{\n  \"b\": 1,\n  \"a\": 2\n}\n", `{"a":2,"b":1}`, "{\n  \"b\": 1,\n  \"a\": 2\n}\n"},
		{"how it is written stays", `{"a": 1.0, "b": "\u00e9"}`, `{"a":1.0,"b":"é","c":1}`, `{"a": 1.0, "b": "\u00e9", "c": 1}`},
		{"no indentation", "{\n\"a\": 1\n}\n", `{"a":1,"b":2}`, "{\n\"a\": 1,\n\"b\": 2\n}\n"},
		{"a margin", "  {\n    \"a\": 1\n  }\n", `{"a":[2]}`, "  {\n    \"a\": [\n      2\n    ]\n  }\n"},
		{"a brace with its member", "{\"a\": 1,\n \"b\": 2}\n", `{"a":1,"b":3}`, "{\n  \"a\": 1,\n  \"b\": 3\n}\n"},
	} {
		t.Run(c.about, func(t *testing.T) {
			if d := cmp.Diff(c.want, string(document.Layout([]byte(c.text), []byte(c.now)))); d != "" {
				t.Error(d)
			}
		})
	}
}

// Whatever the layout, the document is the one that was to be written, and one that has not changed keeps each byte.
func TestLayoutKeepsTheDocument(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		was, now := documents().Draw(t, "was"), documents().Draw(t, "now")
		var text bytes.Buffer
		text.WriteString(rapid.SampledFrom([]string{"", "\n", " "}).Draw(t, "before"))
		if indent := rapid.SampledFrom([]string{"", "  ", "\t", "one line"}).Draw(t, "indent"); indent == "one line" {
			text.WriteString(was)
		} else if err := json.Indent(&text, []byte(was), "", indent); err != nil {
			t.Fatal(err)
		}
		text.WriteString(rapid.SampledFrom([]string{"", "\n", "\r\n"}).Draw(t, "after"))
		if got := document.Layout(text.Bytes(), []byte(was)); !bytes.Equal(got, text.Bytes()) {
			t.Errorf("%q became %q", &text, got)
		}
		got := document.Layout(text.Bytes(), []byte(now))
		if jsonx.Valid(got) != nil || !jsonx.Equal(got, []byte(now)) {
			t.Errorf("%s became %q", now, got)
		}
		if again := document.Layout(got, []byte(now)); !bytes.Equal(again, got) {
			t.Errorf("%q became %q", got, again)
		}
	})
}

func TestPlace(t *testing.T) {
	text := "{\n  \"é\": x\n}"
	for offset, want := range map[int][2]int{-1: {1, 1}, 0: {1, 1}, 2: {2, 1}, strings.Index(text, "x"): {2, 8}, len(text): {3, 2}, 1000: {3, 2}} {
		if line, column := document.Place([]byte(text), offset); [2]int{line, column} != want {
			t.Errorf("%d: got %d:%d", offset, line, column)
		}
	}
}
