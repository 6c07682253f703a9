package jsonpatch_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/callwright/callwright/internal/jsonpatch"
	"github.com/callwright/callwright/internal/jsonpatch/patchtest"
	"github.com/callwright/callwright/internal/jsonx"
	oracle "github.com/evanphx/json-patch/v5"
	"pgregory.net/rapid"
)

// An oracleCase is a document and a patch for it.
type oracleCase struct{ doc, patch string }

// oracleCases draws documents and patches about which programs agree.
var oracleCases = rapid.Custom(func(t *rapid.T) oracleCase {
	d := patchtest.Plain(t)
	doc := d.Container(3)
	return oracleCase{doc, d.Patch(doc)}
})

// An outcome is the result of a patch.
type outcome int

// The outcomes.
const (
	outOfScope outcome = iota // the oracle departs from the RFC
	applied
	refused
)

// check compares the result of the patch with that of the oracle.
func (c oracleCase) check(t interface{ Fatalf(string, ...any) }) outcome {
	if strings.Contains(c.patch, `"path":""`) || strings.Contains(c.patch, `"from":""`) { // the whole document may become a scalar
		return outOfScope
	}
	got, err := apply([]byte(c.doc), []byte(c.patch), limits)
	if e, ok := errors.AsType[*jsonpatch.Error](err); ok && e.Code == jsonpatch.CodeMove { // an element is moved into itself
		return outOfScope
	}
	p, wrong := oracle.DecodePatch([]byte(c.patch))
	if wrong != nil {
		t.Fatalf("%s: %v", c.patch, wrong)
	}
	opts := oracle.NewApplyOptions()
	opts.SupportNegativeIndices = false
	want, wrong := p.ApplyWithOptions([]byte(c.doc), opts)
	if (err == nil) != (wrong == nil) || err == nil && !jsonx.Equal(got, want) {
		t.Fatalf("%s\n%s\ngot %s, %v\nexpected %s, %v", c.doc, c.patch, got, err, want, wrong)
	}
	if err != nil {
		return refused
	}
	return applied
}

// TestJSONPatchAsOthersDoIt compares results with those of the library that most Go programs use, where the library follows the RFC.
// Excluded are empty names, null, other forms of a number, other forms of an index, scalar documents, and an element that is moved into
// itself.
func TestJSONPatchAsOthersDoIt(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		if oracleCases.Draw(t, "case").check(t) == outOfScope {
			t.Skip("the oracle departs from the RFC")
		}
	})
}

// TestOracleCases holds that the drawn patches reach both outcomes. The seeds are fixed.
func TestOracleCases(t *testing.T) {
	count := map[outcome]int{}
	for seed := range 100 {
		count[oracleCases.Example(seed).check(t)]++
	}
	if count[applied] < 10 || count[refused] < 10 {
		t.Errorf("of 100 patches %d were applied and %d refused", count[applied], count[refused])
	}
}

// mergePatch is MergePatch as RFC 7386 writes it down, on decoded values.
func mergePatch(target, patch any) any {
	object, ok := patch.(map[string]any)
	if !ok {
		return patch
	}
	out := map[string]any{}
	if was, ok := target.(map[string]any); ok {
		for k, v := range was {
			out[k] = v
		}
	}
	for k, v := range object {
		if v == nil {
			delete(out, k)
			continue
		}
		out[k] = mergePatch(out[k], v)
	}
	return out
}

func decoded(t *rapid.T, text string) (v any) {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		t.Fatal(text, err)
	}
	return v
}

func TestMergePatchAsWrittenDown(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		d := patchtest.Any(rt)
		doc, patch := d.Value(3), d.Value(3)
		got, err := merge([]byte(doc), []byte(patch), limits)
		want, wrong := json.Marshal(mergePatch(decoded(rt, doc), decoded(rt, patch)))
		if err != nil || wrong != nil || !jsonx.Equal(got, want) {
			rt.Fatalf("%s\n%s\ngot %s, %v\nexpected %s, %v", doc, patch, got, err, want, wrong)
		}
	})
}

// sound holds what came of a patch against what always holds.
func sound(t interface{ Fatalf(string, ...any) }, doc, patch, got []byte, err error, l jsonpatch.Limits) {
	if err != nil {
		e, ok := errors.AsType[*jsonpatch.Error](err)
		if !ok || e.Code == "" || e.Message == "" || len(e.Message) > 2000 {
			t.Fatalf("%s\n%s\nan error without a code or a message: %#v", doc, patch, err)
		}
		for _, p := range []string{e.At, e.Path} {
			if _, err := jsonpatch.ParsePointer(p); err != nil {
				t.Fatalf("%s\n%s\n%q is no pointer", doc, patch, p)
			}
		}
		return
	}
	d, err := jsonpatch.Parse(got, l)
	if err != nil {
		t.Fatalf("%s\n%s\nmade %s: %v", doc, patch, got, err)
	}
	if bytes.ContainsAny(got, "\n\r\t") || !bytes.Equal(d.Text(), got) {
		t.Fatalf("%s\n%s\nmade %s, which is not without space", doc, patch, got)
	}
}

// Whatever is drawn, the outcome is a sound document or an error that says where.
func TestSound(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		d := patchtest.Any(rt)
		doc := d.Value(3)
		patch := d.Patch(doc)
		l := jsonpatch.Limits{Document: rapid.IntRange(20, 400).Draw(rt, "bytes"), Patch: 2000, Operations: 10, Depth: rapid.IntRange(2, 8).Draw(rt, "depth")}
		got, err := apply([]byte(doc), []byte(patch), l)
		sound(rt, []byte(doc), []byte(patch), got, err, l)
	})
}

// The limit on a document counts its bytes, neither more nor less.
func TestSizes(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		d := patchtest.Any(rt)
		doc := d.Value(3)
		patch := d.Patch(doc)
		if rapid.Bool().Draw(rt, "merge") {
			patch = d.Merge(doc)
		}
		var sizes []int
		was, err := jsonpatch.Parse([]byte(doc), limits)
		if err != nil {
			rt.Fatal(err)
		}
		p, err := jsonpatch.ParsePatch([]byte(patch), limits)
		if err != nil {
			rt.Fatal(err)
		}
		made, err := p.Apply(was, func(_ int, d jsonpatch.Doc) { sizes = append(sizes, len(d.Text())) })
		if err != nil {
			rt.Skip("it does not apply")
		}
		exact := limits
		exact.Document = max(len(was.Text()), len(made.Text()), slices.Max(append(sizes, 0)))
		if got, err := apply([]byte(doc), []byte(patch), exact); err != nil || !bytes.Equal(got, made.Text()) {
			rt.Fatalf("%s\n%s\nwith %d bytes: %s, %v", doc, patch, exact.Document, got, err)
		}
		exact.Document--
		if got, err := apply([]byte(doc), []byte(patch), exact); err == nil {
			rt.Fatalf("%s\n%s\nwith %d bytes: %s", doc, patch, exact.Document, got)
		}
	})
}

func FuzzApply(f *testing.F) {
	for _, seed := range [][2]string{
		{`{"a":[1,{"b":null}],"":0}`, `[{"op":"copy","from":"","path":"/a/-"},{"op":"move","from":"/a/0","path":"/"},{"op":"test","path":"//","value":1e0}]`},
		{`{"a":{"b":1},"c":[2]}`, `{"a":{"b":null,"d":{"e":null}},"c":{"f":[null]}}`},
		{`{"a/b":{"m~n":"\u00e9"}}`, `[{"op":"replace","path":"/a~1b/m~0n","value":"x"},{"op":"remove","path":"/a~1b"}]`},
		{`[[[]]]`, `[{"op":"add","path":"/0/0/0","value":[[[]]]},{"op":"copy","from":"/0","path":"/0/0/0/0"}]`},
		{`{"a":1,"\u0061":2}`, `[]`},
	} {
		f.Add([]byte(seed[0]), []byte(seed[1]))
	}
	l := jsonpatch.Limits{Document: 4000, Patch: 4000, Operations: 50, Depth: 20}
	f.Fuzz(func(t *testing.T, doc, patch []byte) {
		was := bytes.Clone(doc)
		got, err := apply(doc, patch, l)
		sound(t, doc, patch, got, err, l)
		if !bytes.Equal(doc, was) {
			t.Fatalf("%s\n%s\nthe document was written to", was, patch)
		}
		if got, err = merge(doc, patch, l); err == nil {
			sound(t, doc, patch, got, err, l)
		}
	})
}
