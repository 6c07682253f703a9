package jsonpatch_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/callwright/callwright/internal/jsonpatch"
	"github.com/callwright/callwright/internal/jsonpatch/patchtest"
	"github.com/callwright/callwright/internal/jsonx"
)

var limits = patchtest.Limits

// A patchCase is a row of a file in testdata: what a patch makes of a document, by meaning or byte for byte, or the error.
type patchCase struct {
	Name       string
	Doc, Patch json.RawMessage
	Want       json.RawMessage
	Text       string

	Error    jsonpatch.Code
	At, Path string
	Says     string // the message, where it matters
}

// readCases reads a file of cases. Its lines are cases.
func readCases(t *testing.T, name string) (cases []patchCase) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name))
	if err == nil {
		err = json.Unmarshal(text, &cases)
	}
	if err != nil {
		t.Fatal(err)
	}
	return cases
}

// apply applies a patch of either form.
func apply(doc, patch []byte, l jsonpatch.Limits) ([]byte, error) {
	d, err := jsonpatch.Parse(doc, l)
	if err != nil {
		return nil, err
	}
	p, err := jsonpatch.ParsePatch(patch, l)
	if err != nil {
		return nil, err
	}
	made, err := p.Apply(d, nil)
	if err != nil {
		return nil, err
	}
	return made.Text(), nil
}

// merge applies a merge patch.
func merge(doc, patch []byte, l jsonpatch.Limits) ([]byte, error) {
	d, err := jsonpatch.Parse(doc, l)
	if err != nil {
		return nil, err
	}
	made, err := jsonpatch.Merge(d, patch)
	if err != nil {
		return nil, err
	}
	return made.Text(), nil
}

// expect holds what came of a case against it.
func (c *patchCase) expect(t *testing.T, got []byte, err error) {
	t.Helper()
	if c.Error != "" {
		e, ok := errors.AsType[*jsonpatch.Error](err)
		switch {
		case !ok || e.Code != c.Error || e.At != c.At || e.Path != c.Path:
			t.Errorf("expected %s at %q about %q, got %s and %#v", c.Error, c.At, c.Path, got, err)
		case c.Says != "" && e.Message != c.Says:
			t.Errorf("expected the message\n%s\ngot\n%s", c.Says, e.Message)
		}
		return
	}
	switch {
	case err != nil:
		t.Errorf("expected %s%s, got %v", c.Want, c.Text, err)
	case c.Text != "" && c.Text != string(got), c.Text == "" && !jsonx.Equal(c.Want, got):
		t.Errorf("expected %s%s, got %s", c.Want, c.Text, got)
	}
}

func TestJSONPatch(t *testing.T) {
	for _, file := range []string{"rfc6902.json", "cases.json"} {
		for _, c := range readCases(t, file) {
			t.Run(file+"/"+c.Name, func(t *testing.T) {
				got, err := apply(c.Doc, c.Patch, limits)
				c.expect(t, got, err)
			})
		}
	}
}

func TestMergePatch(t *testing.T) {
	for _, c := range readCases(t, "rfc7386.json") {
		t.Run(c.Name, func(t *testing.T) {
			got, err := merge(c.Doc, c.Patch, limits)
			if c.At != "" {
				_, err = apply(c.Doc, c.Patch, limits)
			}
			c.expect(t, got, err)
			if c.Error == "" && jsonx.IsObject(c.Patch) {
				got, err = apply(c.Doc, c.Patch, limits)
				c.expect(t, got, err)
			}
		})
	}
}

func nested(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }

// What is too large is refused before it is made.
func TestLimits(t *testing.T) {
	small := jsonpatch.Limits{Document: 100, Patch: 300, Operations: 4, Depth: 10}
	fill := strings.Repeat("x", 60)
	for _, c := range []struct{ name, doc, patch, code, at string }{
		{"a document", `"` + fill + fill + `"`, `[]`, "TOO_LARGE", ""},
		{"a deep document", nested(11), `[]`, "TOO_DEEP", ""},
		{"a patch", `{}`, `[{"op":"add","path":"/a","value":"` + strings.Repeat(fill, 5) + `"}]`, "TOO_LARGE", ""},
		{"operations", `{}`, `[` + strings.Repeat(`{"op":"test","path":"","value":{}},`, 4) + `{"op":"test","path":"","value":{}}]`, "TOO_LARGE", ""},
		{"an addition", `{"a":"` + fill + `"}`, `[{"op":"add","path":"/b","value":"` + fill + `"}]`, "TOO_LARGE", "/0"},
		{"copies", `{"a":"` + fill + `"}`, `[{"op":"copy","from":"","path":"/b"}]`, "TOO_LARGE", "/0"},
		{"a merge", `{"a":"` + fill + `"}`, `{"b":"` + fill + `"}`, "TOO_LARGE", ""},
		{"a deep value", `{}`, `[{"op":"add","path":"/a","value":` + nested(10) + `}]`, "TOO_DEEP", "/0/value"},
		{"a deep copy", nested(6), `[{"op":"copy","from":"","path":"/0/0/0/0/0/0"}]`, "TOO_DEEP", "/0/path"},
		{"a deep merge", `{}`, `{"a":` + nested(10) + `}`, "TOO_DEEP", ""},
		{"a very deep patch", `{}`, `[` + nested(12) + `]`, "TOO_DEEP", ""},
	} {
		_, err := apply([]byte(c.doc), []byte(c.patch), small)
		if e, ok := errors.AsType[*jsonpatch.Error](err); !ok || string(e.Code) != c.code || e.At != c.at {
			t.Errorf("%s: expected %s at %q, got %#v", c.name, c.code, c.at, err)
		}
	}
	for _, c := range []struct{ name, doc, patch string }{
		{"a document as deep as may be", nested(10), `[]`},
		{"a value as deep as may be", `{}`, `[{"op":"add","path":"/a","value":` + nested(9) + `}]`},
		{"a merge as deep as may be", `{}`, `{"a":` + nested(9) + `}`},
		{"space does not count", `[` + strings.Repeat(" ", 200) + `]`, `[]`},
		{"what was taken out does not count", `{"a":"` + fill + `"}`, `[{"op":"remove","path":"/a"},{"op":"add","path":"/b","value":"` + fill + `"}]`},
	} {
		if _, err := apply([]byte(c.doc), []byte(c.patch), small); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// Operations that double a document a thousand times cost nothing but the refusal.
func TestCopiesThatDouble(t *testing.T) {
	op := `{"op":"copy","from":"","path":"/-"}`
	patch := "[" + strings.Repeat(op+",", 999) + op + "]"
	_, err := apply([]byte(`["`+strings.Repeat("x", 1000)+`"]`), []byte(patch), limits)
	e, ok := errors.AsType[*jsonpatch.Error](err)
	if !ok || e.Code != jsonpatch.CodeSize || e.At != "/10" {
		t.Fatalf("expected a refusal of operation 10, got %#v", err)
	}
	deep := strings.ReplaceAll(patch, "/-", "/0")
	if _, err = apply([]byte(`[]`), []byte(deep), limits); err == nil {
		t.Fatal("expected a refusal")
	}
}

// Operations that each go over a large array are taken as long as they are few.
func TestWork(t *testing.T) {
	doc := []byte("[" + strings.Repeat("0,", 99_999) + "0]")
	op := `{"op":"add","path":"/0","value":1},{"op":"remove","path":"/0"}`
	if got, err := apply(doc, []byte("["+strings.Repeat(op+",", 40)+op+"]"), limits); err != nil || len(got) != len(doc) {
		t.Fatalf("got %d bytes, %v", len(got), err)
	}
	_, err := apply(doc, []byte("["+strings.Repeat(op+",", 41)+op+"]"), limits)
	e, ok := errors.AsType[*jsonpatch.Error](err)
	if !ok || e.Code != jsonpatch.CodeSize || e.At != "/83/path" {
		t.Fatalf("expected a refusal of operation 83, got %#v", err)
	}
}

// However often members of an object are looked for, the same ones are found, by names with escapes too, and none that went before.
func TestManyLookups(t *testing.T) {
	doc := `{"a/b":1,"\u0063":2,"":3,"~":4,"d":{"e":5}}`
	tests := `{"op":"test","path":"/a~1b","value":1},{"op":"test","path":"/c","value":2},{"op":"test","path":"/","value":3},` +
		`{"op":"test","path":"/~0","value":4},{"op":"test","path":"/d/e","value":5},`
	for _, c := range []struct{ last, want, code string }{
		{`{"op":"replace","path":"/c","value":0}`, `{"a/b":1,"\u0063":0,"":3,"~":4,"d":{"e":5}}`, ""},
		{`{"op":"remove","path":"/c"},{"op":"test","path":"/~0","value":4}`, `{"a/b":1,"":3,"~":4,"d":{"e":5}}`, ""},
		{`{"op":"remove","path":"/c"},{"op":"remove","path":"/c"}`, "", "PATH_NOT_FOUND"},
		{`{"op":"remove","path":"/\\u0063"}`, "", "PATH_NOT_FOUND"},
	} {
		for _, times := range []int{0, 1, 20} {
			got, err := apply([]byte(doc), []byte("["+strings.Repeat(tests, times)+c.last+"]"), limits)
			var code jsonpatch.Code
			if e, ok := errors.AsType[*jsonpatch.Error](err); ok {
				code = e.Code
			}
			if string(got) != c.want || string(code) != c.code {
				t.Errorf("%s behind %d: expected %s %s, got %s, %v", c.last, times, c.want, c.code, got, err)
			}
		}
	}
}

// A document does not change when a patch makes another one of it.
func TestDocumentsStay(t *testing.T) {
	text := []byte(`{"a":{"b":[1,2,{"c":3}]},"d":null}`)
	d, err := jsonpatch.Parse(text, limits)
	if err != nil {
		t.Fatal(err)
	}
	was := string(text)
	p, err := jsonpatch.ParsePatch([]byte(`[{"op":"copy","from":"/a","path":"/e"},{"op":"add","path":"/a/b/0","value":0},{"op":"remove","path":"/e/b/2/c"},{"op":"move","from":"/d","path":"/a/b/-"}]`), limits)
	if err != nil {
		t.Fatal(err)
	}
	var steps []string
	made, err := p.Apply(d, func(n int, d jsonpatch.Doc) {
		steps = append(steps, fmt.Sprint(n, " ", p.Describe(n), ": ", string(d.Text())))
	})
	if err != nil || string(d.Text()) != was || string(text) != was {
		t.Fatalf("the document became %s, its text %s, %v", d.Text(), text, err)
	}
	want := []string{
		`0 copy "/a" to "/e": {"a":{"b":[1,2,{"c":3}]},"d":null,"e":{"b":[1,2,{"c":3}]}}`,
		`1 add "/a/b/0": {"a":{"b":[0,1,2,{"c":3}]},"d":null,"e":{"b":[1,2,{"c":3}]}}`,
		`2 remove "/e/b/2/c": {"a":{"b":[0,1,2,{"c":3}]},"d":null,"e":{"b":[1,2,{}]}}`,
		`3 move "/d" to "/a/b/-": {"a":{"b":[0,1,2,{"c":3},null]},"e":{"b":[1,2,{}]}}`,
	}
	if strings.Join(steps, "\n") != strings.Join(want, "\n") {
		t.Errorf("expected\n%s\ngot\n%s", strings.Join(want, "\n"), strings.Join(steps, "\n"))
	}
	for path, same := range map[string]bool{"/a": false, "/a/b": false, "/a/b/0": false, "/e": false, "/d": false, "/x": true, "/a/x": true, "/a/b/4": false, "": false} {
		pointer, err := jsonpatch.ParsePointer(path)
		if err != nil || d.Same(made, pointer) != same {
			t.Errorf("%q: expected %v, %v", path, same, err)
		}
	}
}

func TestPointers(t *testing.T) {
	for _, c := range []struct {
		text   string
		tokens []string
	}{
		{"", nil}, {"/", []string{""}}, {"//", []string{"", ""}}, {"/a~1b/m~0n/~01", []string{"a/b", "m~n", "~1"}}, {"/é/0", []string{"é", "0"}},
	} {
		p, err := jsonpatch.ParsePointer(c.text)
		if err != nil || fmt.Sprintf("%q", p) != fmt.Sprintf("%q", jsonpatch.Pointer(c.tokens)) || p.String() != c.text {
			t.Errorf("%q: got %q, written %q, %v", c.text, p, p.String(), err)
		}
	}
	for _, text := range []string{"a", "a/b", "#/a", "/~", "/~2", "/a~/b", "/~~0", " /a"} {
		if p, err := jsonpatch.ParsePointer(text); err == nil {
			t.Errorf("%q: expected an error, got %q", text, p)
		}
	}
}
