package transform_test

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/transformset"
	"github.com/callwright/callwright/transform"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// set is the Set of built-in transforms under the default policy.
func set(t *testing.T, names ...string) *transformset.Set {
	t.Helper()
	list, err := transform.ByName(names...)
	if err != nil {
		t.Fatal(err)
	}
	return transformset.New(list, "", nil)
}

// The members of an envelope that say nothing are left out; every other byte of the others stays, and so does every other text.
func TestCompactEnvelope(t *testing.T) {
	for was, want := range map[string]string{
		`{"ok":true,"data":{},"warnings":[],"errors":[]}`:       `{"ok":true}`,
		` {"errors": [ ], "n": 1.50, "warnings":["old"]} `:      `{"n":1.50,"warnings":["old"]}`,
		`{"ok":false,"errors":["no"],"data":{}}`:                `{"ok":false,"errors":["no"]}`,
		`{"data":{"id":9223372036854775807},"errors":[]}`:       `{"data":{"id":9223372036854775807}}`,
		`{"ok":true,"data":[],"warnings":{},"errors":null}`:     ``,
		`{"ok":true,"inner":{"errors":[]}}`:                     ``,
		`{"data":{},"data":{"x":1}}`:                            `{"data":{"x":1}}`,
		`{"errors":[]`:                                          ``,
		`{"errors":[]} and more`:                                ``,
		`[{"errors":[]}]`:                                       ``,
		`plain text with "errors":[]`:                           ``,
		``:                                                      ``,
		`{}`:                                                    ``,
		`{"data":{}}`:                                           `{}`,
		`{"\u0065rrors":[],"a":"\u00e9"}`:                       `{"a":"\u00e9"}`,
		`{"ok":true,"Errors":[],"errors ":[]}`:                  ``,
		`{"ok":true,"errors":[` + strings.Repeat(" ", 9) + `]}`: `{"ok":true}`,
	} {
		if want == "" {
			want = was
		}
		msgs := []callwright.Message{{Role: callwright.RoleTool, Parts: []callwright.Part{callwright.Result{CallID: "c", Parts: []callwright.Part{callwright.Text{Text: was}, callwright.Image{URL: "x"}}}}}}
		notes := 0
		out, err := set(t, "tool_result_compact_envelope").History(msgs, func(int, callwright.Note) { notes++ })
		if err != nil {
			t.Fatal(err)
		}
		if got := out[0].Parts[0].(callwright.Result).Text(); got != want || (notes == 1) != (got != was) {
			t.Errorf("%s became %s, not %s, with %d notes", was, got, want, notes)
		}
	}
}

// Every built-in transform is described, belongs to a point, is noted by rules that there are, and says facts that there are.
func TestBuiltins(t *testing.T) {
	names := transform.Names("")
	for _, b := range transform.Builtins() {
		if b.Doc == "" || b.Check() != nil || len(b.Rules) == 0 || !slices.Contains(transform.Names(b.Point), b.Name) {
			t.Errorf("%+v", b)
		}
		for _, r := range b.Rules {
			if callwright.RuleOf(r).ID == "" {
				t.Errorf("%s: rule %s has no row", b.Name, r)
			}
		}
		for _, f := range b.Facts {
			if _, err := (caps.Caps{}).With(f); err != nil {
				t.Errorf("%s: %v", b.Name, err)
			}
		}
		if slices.Index(names, b.Name) != len(names)-1-slices.Index(reversed(names), b.Name) {
			t.Errorf("%s is there twice", b.Name)
		}
	}
	for _, p := range transform.Presets() {
		list, err := transform.ByName(p.Name)
		if err != nil || len(list) != len(p.Transforms) {
			t.Errorf("%s: %v, %v", p.Name, list, err)
		}
		for at := range map[transform.Point]bool{transform.Messages: true, transform.ToolCalls: true} {
			if !slices.Contains(transform.Names(at), p.Name) || transform.CheckPoint(p.Name, at) != nil {
				t.Errorf("%s may not stand at %s", p.Name, at)
			}
		}
	}
}

func reversed(names []string) []string {
	out := slices.Clone(names)
	slices.Reverse(out)
	return out
}

func TestByName(t *testing.T) {
	list, err := transform.ByName("assistant_tool_calls_arguments_blank_to_empty_object", "openai_compatible_reliability", "openai_compatible_reliability")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, tr := range list {
		got = append(got, tr.Name)
	}
	want := []string{"assistant_tool_calls_arguments_blank_to_empty_object", "assistant_function_call_to_tool_calls", "assistant_tool_calls_object_to_array", "assistant_tool_calls_arguments_json_string_if_hash"}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if _, err := transform.ByName("shout"); err == nil || !strings.Contains(err.Error(), "tool_result_compact_envelope") || !strings.Contains(err.Error(), "gemini_openrouter_compat") {
		t.Errorf("got %v", err)
	}
}

// scribble writes over bytes.
func scribble(b []byte) {
	for i := range b {
		b[i] = 'x'
	}
}

// spoil writes over all that parts have.
func spoil(parts []callwright.Part) {
	for i, p := range parts {
		switch p := p.(type) {
		case callwright.Call:
			scribble(p.Arguments)
			scribble(p.Extra.JSON)
		case callwright.Result:
			spoil(p.Parts)
			scribble(p.Extra.JSON)
		case callwright.Text:
			scribble(p.Extra.JSON)
		case callwright.Reasoning:
			scribble(p.Extra.JSON)
		case callwright.Image:
			scribble(p.Extra.JSON)
		case callwright.File:
			scribble(p.Extra.JSON)
		case callwright.Opaque:
			scribble(p.Extra.JSON)
		}
		parts[i] = nil
	}
}

// What a function does to what it was given does not reach the client's own request, at any depth.
func TestFunctionsGetCopies(t *testing.T) {
	s := transformset.New([]transform.Transform{
		transform.OnToolResult("r", func(r callwright.Result) (callwright.Result, error) {
			spoil(r.Parts)
			scribble(r.Extra.JSON)
			r.Parts = nil
			return r, nil
		}),
		transform.OnMessage("m", func(m callwright.Message) (callwright.Message, error) {
			spoil(m.Parts)
			scribble(m.Extra.JSON)
			m.Parts = nil
			return m, nil
		}),
		transform.OnTool("t", func(t callwright.Tool) (callwright.Tool, error) {
			scribble(t.Schema)
			scribble(t.Extra.JSON)
			t.Schema = nil
			return t, nil
		}),
	}, "", nil)
	rapid.Check(t, func(t *rapid.T) {
		msgs, tools := conversation(t), []callwright.Tool{{Name: "f", Schema: []byte(`{"a":1}`), Extra: extra(t)}}
		before, _ := json.Marshal([]any{msgs, tools})
		out, err := s.History(msgs, func(int, callwright.Note) {})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Tools(tools, func(callwright.Note) {}); err != nil {
			t.Fatal(err)
		}
		if after, _ := json.Marshal([]any{msgs, tools}); !bytes.Equal(before, after) {
			t.Fatalf("%s became %s", before, after)
		}
		for _, m := range out {
			if len(m.Parts) > 0 {
				t.Fatalf("%+v was not changed", m)
			}
		}
	})
}

func extra(t *rapid.T) callwright.Extra {
	return callwright.Extra{Wire: callwright.WireOpenAI, JSON: rapid.SampledFrom([]json.RawMessage{nil, []byte(`{"k":1}`), []byte(`{"k":[2,3]}`)}).Draw(t, "extra")}
}

func conversation(t *rapid.T) (msgs []callwright.Message) {
	part := func() callwright.Part {
		switch rapid.IntRange(0, 6).Draw(t, "part") {
		case 0:
			return callwright.Call{ID: "c", Arguments: []byte(`{"a":1}`), Extra: extra(t)}
		case 1:
			return callwright.Result{CallID: "c", Parts: []callwright.Part{callwright.Text{Text: "r", Extra: extra(t)}, callwright.Image{URL: "u", Extra: extra(t)}}, Extra: extra(t)}
		case 2:
			return callwright.Reasoning{Text: "hm", Extra: extra(t)}
		case 3:
			return callwright.Image{URL: "u", Extra: extra(t)}
		case 4:
			return callwright.File{Name: "n", Extra: extra(t)}
		case 5:
			return callwright.Opaque{Extra: extra(t)}
		}
		return callwright.Text{Text: "t", Extra: extra(t)}
	}
	for range rapid.IntRange(0, 4).Draw(t, "messages") {
		m := callwright.Message{Role: callwright.RoleUser, Extra: extra(t)}
		for range rapid.IntRange(1, 4).Draw(t, "parts") {
			m.Parts = append(m.Parts, part())
		}
		msgs = append(msgs, m)
	}
	return msgs
}

// Messages that a function leaves without a role are left out; the list itself comes back where nothing changes.
func TestMessagesLeftOut(t *testing.T) {
	s := transformset.New([]transform.Transform{transform.OnMessage("quiet", func(m callwright.Message) (callwright.Message, error) {
		if callwright.TextOf(m.Parts) == "secret" {
			return callwright.Message{}, nil
		}
		return m, nil
	})}, "", nil)
	msgs := []callwright.Message{callwright.UserText("a"), callwright.UserText("secret"), callwright.UserText("b")}
	out, err := s.History(msgs, func(i int, n callwright.Note) {
		if i != 1 || n.Rule != "transform.quiet" || n.Was != "secret" {
			t.Errorf("%d: %+v", i, n)
		}
	})
	if err != nil || len(out) != 2 || callwright.TextOf(out[1].Parts) != "b" {
		t.Errorf("%+v, %v", out, err)
	}
	same, err := s.History(msgs[:1], func(int, callwright.Note) { t.Error("noted") })
	if err != nil || &same[0] != &msgs[0] {
		t.Errorf("%+v, %v", same, err)
	}
}

// Without transforms nothing is made and nothing costs anything.
func TestNoTransformsCostNothing(t *testing.T) {
	var none *transformset.Set
	msgs, tools := []callwright.Message{callwright.UserText("a")}, []callwright.Tool{{Name: "f"}}
	note, noteAt := func(callwright.Note) {}, func(int, callwright.Note) {}
	var m callwright.Model
	allocs := testing.AllocsPerRun(100, func() {
		if none.Has(transform.Messages, transform.ToolCalls) || none.Calls() != nil || none.Around(m, note) != m || none.Then(nil) != nil || none.Facts() != nil || none.Rules(nil) != nil {
			t.Fatal("there are some")
		}
		if out, err := none.History(msgs, noteAt); err != nil || &out[0] != &msgs[0] {
			t.Fatal(out, err)
		}
		if out, err := none.Tools(tools, note); err != nil || &out[0] != &tools[0] {
			t.Fatal(out, err)
		}
	})
	if allocs != 0 {
		t.Errorf("%v allocations", allocs)
	}
	if s := transformset.New(nil, "", nil); s != nil {
		t.Errorf("got %v", s)
	}
}

// A Set that holds other names of rules alone has no function to call.
func TestOtherNamesHaveNoFunctions(t *testing.T) {
	s := set(t, "openai_compatible_reliability", "gemini_openrouter_compat")
	if s.Has(transform.Messages, transform.Responses, transform.ToolCalls) || s.Calls() != nil {
		t.Error("there are functions")
	}
	if got := s.Rules(map[string]bool{"json.empty": false}); got["json.empty"] || !got["wire.single_call"] {
		t.Errorf("got %v", got)
	}
	if got := s.Facts(); len(got) != 1 || got[0].Key != "signed_calls" {
		t.Errorf("got %v", got)
	}
}
