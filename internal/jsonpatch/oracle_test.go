package jsonpatch_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/callwright/callwright/internal/jsonpatch"
	"github.com/callwright/callwright/internal/jsonx"
	oracle "github.com/evanphx/json-patch/v5"
	"pgregory.net/rapid"
)

// drawn makes documents and patches.
type drawn struct {
	*rapid.T
	names, scalars []string
}

var (
	plainNames = []string{"a", "b", "c", "0", "1", "-", "a/b", "m~n", "é", `q"`}
	anyNames   = append([]string{"", "~1", "01", " "}, plainNames...)
	plain      = []string{`0`, `1`, `true`, `"x"`, `"<é>"`, `9007199254740993`, `1e400`}
	anyScalars = append([]string{`null`, `1.0`, `-0`, `10e-1`, `"\u0061"`, `"\ud83d\ude00"`}, plain...)
)

func (d *drawn) pick(list []string) string { return rapid.SampledFrom(list).Draw(d.T, "pick") }

// value is a document of any kind.
func (d *drawn) value(depth int) string {
	kind := rapid.IntRange(0, 5).Draw(d.T, "kind")
	if depth == 0 || kind < 2 {
		return d.pick(d.scalars)
	}
	return d.container(depth)
}

// container is a document that is an array or an object.
func (d *drawn) container(depth int) string {
	n := rapid.IntRange(0, 4).Draw(d.T, "length")
	var parts []string
	if rapid.Bool().Draw(d.T, "array") {
		for range n {
			parts = append(parts, d.value(depth-1))
		}
		return "[" + strings.Join(parts, ",") + "]"
	}
	var used []string
	for range n {
		if name := d.pick(d.names); !slices.Contains(used, name) {
			used = append(used, name)
			parts = append(parts, quoted(name)+":"+d.value(depth-1))
		}
	}
	return "{" + strings.Join(parts, ",") + "}"
}

// pointer leads somewhere into doc, or a step beside it.
func (d *drawn) pointer(doc string) string {
	var p jsonpatch.Pointer
	for v := []byte(doc); ; {
		var tokens []string
		below := map[string][]byte{}
		for k, m := range jsonx.Members(v) {
			tokens = append(tokens, k.String())
			below[k.String()] = m
		}
		for e := range jsonx.Elements(v) {
			token := fmt.Sprint(len(tokens))
			tokens = append(tokens, token)
			below[token] = e
		}
		switch step := rapid.IntRange(0, 9).Draw(d.T, "step"); {
		case step == 0 || len(tokens) == 0 && step < 7:
			return p.String()
		case step < 3 || len(tokens) == 0:
			if jsonx.IsArray(v) {
				return append(p, d.pick([]string{"-", fmt.Sprint(len(tokens)), fmt.Sprint(len(tokens) + 1)})).String()
			}
			return append(p, d.pick(d.names)).String()
		}
		token := d.pick(tokens)
		p, v = append(p, token), below[token]
	}
}

// patch is a JSON Patch for doc.
func (d *drawn) patch(doc string) string {
	var ops []string
	for range rapid.IntRange(1, 5).Draw(d.T, "operations") {
		op := fmt.Sprintf(`{"op":"%s","path":%s`, d.pick([]string{"add", "add", "remove", "replace", "move", "copy", "test"}), quoted(d.pointer(doc)))
		switch {
		case strings.Contains(op, `"move"`), strings.Contains(op, `"copy"`):
			op += `,"from":` + quoted(d.pointer(doc))
		case !strings.Contains(op, `"remove"`):
			op += `,"value":` + d.value(2)
		}
		ops = append(ops, op+"}")
		if made, err := apply([]byte(doc), []byte("["+ops[len(ops)-1]+"]"), limits); err == nil && rapid.IntRange(0, 3).Draw(d.T, "follow") > 0 {
			doc = string(made)
		}
	}
	return "[" + strings.Join(ops, ",") + "]"
}

func quoted(s string) string { return string(jsonx.AppendQuote(nil, s)) }

// What a patch makes is what the library makes of it that most programs in Go use, where that does what the RFC says: not with empty names, null, other
// forms of a number, indices in other forms, a document that is a scalar, or an element that is moved into itself.
func TestJSONPatchAsOthersDoIt(t *testing.T) {
	agreed, failed := 0, 0
	rapid.Check(t, func(rt *rapid.T) {
		d := &drawn{rt, plainNames, plain}
		doc := d.container(3)
		patch := d.patch(doc)
		if strings.Contains(patch, `"path":""`) || strings.Contains(patch, `"from":""`) {
			rt.Skip("the whole document may become a scalar")
		}
		got, err := apply([]byte(doc), []byte(patch), limits)
		if e, ok := errors.AsType[*jsonpatch.Error](err); ok && e.Code == jsonpatch.CodeMove {
			rt.Skip("an element that is moved into itself")
		}
		p, wrong := oracle.DecodePatch([]byte(patch))
		if wrong != nil {
			rt.Fatalf("%s: %v", patch, wrong)
		}
		opts := oracle.NewApplyOptions()
		opts.SupportNegativeIndices = false
		want, wrong := p.ApplyWithOptions([]byte(doc), opts)
		switch {
		case (err == nil) != (wrong == nil), err == nil && !jsonx.Equal(got, want):
			rt.Fatalf("%s\n%s\ngot %s, %v\nexpected %s, %v", doc, patch, got, err, want, wrong)
		case err == nil:
			agreed++
		default:
			failed++
		}
	})
	if agreed == 0 || failed == 0 {
		t.Errorf("%d patches were applied and %d refused", agreed, failed)
	}
}

// merged is MergePatch as RFC 7386 writes it down, on decoded values.
func merged(target, patch any) any {
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
		out[k] = merged(out[k], v)
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
		d := &drawn{rt, anyNames, anyScalars}
		doc, patch := d.value(3), d.value(3)
		got, err := merge([]byte(doc), []byte(patch), limits)
		want, wrong := json.Marshal(merged(decoded(rt, doc), decoded(rt, patch)))
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
		d := &drawn{rt, anyNames, anyScalars}
		doc := d.value(3)
		patch := d.patch(doc)
		l := jsonpatch.Limits{Document: rapid.IntRange(20, 400).Draw(rt, "bytes"), Patch: 2000, Operations: 10, Depth: rapid.IntRange(2, 8).Draw(rt, "depth")}
		got, err := apply([]byte(doc), []byte(patch), l)
		sound(rt, []byte(doc), []byte(patch), got, err, l)
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
