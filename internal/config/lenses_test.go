package config_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/adapter"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/schema"
	"github.com/callwright/callwright/simulate"
)

// lensReceivers are providers of every target, as strict as the real ones.
var lensReceivers = []struct {
	model, wire, profile, strict string
	target                       adapter.Target
	choice                       callwright.ChoiceMode
}{
	{"openai/gpt-4o", "openai", "openai", "off", adapter.OpenAI, ""},
	{"openai/gpt-4o", "openai", "openai", "on", adapter.OpenAI, ""},
	{"openai-responses/gpt-4o", "responses", "openai", "off", adapter.OpenAI, ""},
	{"openai-responses/gpt-4o", "responses", "openai", "on", adapter.OpenAI, ""},
	{"anthropic/claude-sonnet-4-5", "anthropic", "anthropic-4.5", "off", adapter.Anthropic, ""},
	{"anthropic/claude-sonnet-4-5", "anthropic", "anthropic-4.5", "on", adapter.Anthropic, ""},
	{"gemini/gemini-2.5-pro", "gemini", "gemini-2.5", "on", adapter.GeminiJSON, ""},
	{"gemini/gemini-2.5-pro", "gemini", "gemini-2.5", "gemini", adapter.Gemini, ""},
	{"groq/llama-3.3-70b-versatile", "openai", "groq", "on", adapter.Groq, ""},
	{"mistral/mistral-large-latest", "openai", "mistral", "on", adapter.Mistral, ""},
	{"moonshot/kimi-k2", "openai", "moonshot", "on", adapter.Moonshot, ""},
	{"ollama/qwen3", "ollama", "ollama", "on", adapter.Ollama, ""},
	{"llamacpp/m", "openai", "llama.cpp", "on", adapter.LlamaCPP, ""},
	{"vllm/m", "openai", "vllm", "on", adapter.VLLM, callwright.ChoiceRequired}, // it has no parser for a free choice
}

// A sentTool is a tool as a provider gets it.
type sentTool struct {
	schema []byte
	strict bool
}

// sentTools reads the tools of a body, of any wire.
func sentTools(body []byte) map[string]sentTool {
	out := map[string]sentTool{}
	list, _ := jsonx.Find(body, "tools")
	add := func(f []byte) {
		name, _ := jsonx.Find(f, "name")
		var t sentTool
		for _, key := range []string{"parameters", "parametersJsonSchema", "input_schema"} {
			if v, ok := jsonx.Find(f, key); ok {
				t.schema = v
			}
		}
		strict, _ := jsonx.Find(f, "strict")
		t.strict = jsonx.IsTrue(strict)
		out[jsonx.TextOf(name)] = t
	}
	for v := range jsonx.Elements(list) {
		if f, ok := jsonx.Find(v, "function"); ok {
			add(f)
			continue
		}
		if all, ok := jsonx.Find(v, "functionDeclarations"); ok {
			for f := range jsonx.Elements(all) {
				add(f)
			}
			continue
		}
		add(v)
	}
	return out
}

// An inventor makes documents for schemas, most of which satisfy them.
type inventor struct {
	*rand.Rand
	root any
	left int
}

func (in *inventor) value(v any) any {
	s, _ := v.(map[string]any)
	if in.left--; in.left < 0 || s == nil {
		return "x"
	}
	if ref, ok := s["$ref"].(string); ok {
		at := in.root
		for _, step := range strings.Split(strings.TrimPrefix(ref, "#/"), "/") {
			m, _ := at.(map[string]any)
			at = m[strings.NewReplacer("~1", "/", "~0", "~").Replace(step)]
		}
		return in.value(at)
	}
	if c, ok := s["const"]; ok {
		return c
	}
	for _, key := range []string{"enum", "anyOf", "oneOf"} {
		if list, ok := s[key].([]any); ok && len(list) > 0 {
			one := list[in.IntN(len(list))]
			if key == "enum" {
				return one
			}
			return in.value(one)
		}
	}
	kind := s["type"]
	if list, ok := kind.([]any); ok && len(list) > 0 {
		kind = list[in.IntN(len(list))]
	}
	return in.typed(s, strings.ToLower(fmt.Sprint(kind)))
}

func (in *inventor) typed(s map[string]any, kind string) any {
	switch kind {
	case "object":
		out := map[string]any{}
		required, _ := s["required"].([]any)
		props, _ := s["properties"].(map[string]any)
		for name, p := range props {
			if slices.Contains(required, any(name)) || in.IntN(2) == 0 {
				out[name] = in.value(p)
			}
		}
		return out
	case "array":
		out := []any{}
		for range 1 + in.IntN(2) {
			out = append(out, in.value(s["items"]))
		}
		return out
	case "integer", "number":
		for _, key := range []string{"minimum", "maximum"} {
			if n, ok := s[key]; ok {
				return n
			}
		}
		return json.Number(fmt.Sprint(in.IntN(9)))
	case "boolean":
		return in.IntN(2) == 0
	case "null":
		return nil
	}
	return "ab"
}

// invented is a document that satisfies a schema, nil where none was found.
func invented(t *testing.T, raw []byte, seed uint64) []byte {
	t.Helper()
	if raw == nil {
		return []byte("{}")
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var root any
	if err := d.Decode(&root); err != nil {
		t.Fatal(err)
	}
	is, err := schema.Compile(raw)
	if err != nil {
		t.Fatalf("%v: %s", err, raw)
	}
	in := inventor{Rand: rand.New(rand.NewPCG(seed, 3)), root: root}
	for range 20 {
		in.left = 100
		doc, _ := json.Marshal(in.value(root))
		if is.Validate(doc) == nil && jsonx.KindOf(doc) == jsonx.Object {
			return doc
		}
	}
	return nil
}

// lensTools are real tools and drawn ones, in groups.
func lensTools(t *testing.T) [][]callwright.Tool {
	t.Helper()
	var out [][]callwright.Tool
	var group []callwright.Tool
	for _, name := range []string{"tools.jsonl", "drawn.jsonl"} {
		raw, err := os.ReadFile("../adapter/testdata/" + name)
		if err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(bytes.NewReader(raw))
		lines.Buffer(nil, 1<<20)
		for n := 0; lines.Scan(); n++ {
			v := lines.Bytes()
			if f, ok := jsonx.Find(v, "function"); ok {
				v = f
			}
			schemaOf, _ := jsonx.Find(v, "parameters")
			if _, err := schema.Compile(schemaOf); err != nil || schemaOf == nil {
				continue
			}
			group = append(group, callwright.Tool{Name: fmt.Sprintf("%c.%d", name[0], n), Schema: bytes.Clone(schemaOf)})
			if len(group) == 8 {
				out, group = append(out, group), nil
			}
		}
	}
	return out
}

// A caller is a model that calls all tools with arguments which their schemas allow, as they were sent.
type caller struct {
	t      *testing.T
	seed   uint64
	made   map[string]string // arguments by the names of tools as they were sent
	strict int               // tools that were sent strict
}

func (v *caller) turn(s simulate.Seen) (turn simulate.Turn) {
	clear(v.made)
	sent := sentTools(s.Body)
	for _, name := range s.Tools {
		if sent[name].strict {
			v.strict++
		}
		if doc := invented(v.t, sent[name].schema, v.seed); doc != nil {
			v.made[name] = string(doc)
			turn.Calls = append(turn.Calls, simulate.Call{Name: name, Arguments: string(doc)})
		}
	}
	if turn.Calls == nil {
		turn.Text = "Nothing fits."
	}
	return turn
}

// What satisfies the schema that a provider was sent satisfies the client's own when it arrives, at every target, whole and streamed; the
// provider refuses none of them.
func TestTranslatedToolsComeBack(t *testing.T) {
	groups := lensTools(t)
	for _, r := range lensReceivers {
		t.Run(r.model+"/"+r.wire+"/"+r.strict, func(t *testing.T) {
			caller := &caller{t: t, made: map[string]string{}}
			llm := simulate.New(caller.turn, simulate.Strict(r.profile))
			srv := httptest.NewServer(llm)
			t.Cleanup(srv.Close)
			provider, _ := callwright.ModelID(r.model).Split()
			setting := "strict_tools: " + r.strict
			if r.strict == string(adapter.Gemini) {
				setting = "caps: {schema_target: gemini}"
			}
			client, err := registry(t, parse(t, "providers: {"+provider+": {base_url: "+baseOf(callwright.WireName(r.wire), srv.URL)+", api_key: x, max_corrections: 0, retry_other_mode: false, "+setting+"}}")).Resolve(r.model)
			if err != nil {
				t.Fatal(err)
			}
			arrived := 0
			for i, tools := range groups {
				caller.seed = uint64(i)
				req := weather(r.model)
				req.Tools, req.Params.Choice.Mode = tools, r.choice
				req.Params.Stream = i%2 == 1
				var calls []callwright.Call
				if req.Params.Stream {
					calls = streamedCalls(t, client, req)
				} else {
					resp, err := client.Generate(t.Context(), req)
					if callwright.KindOf(err) == callwright.KindUnsupported || callwright.KindOf(err) == callwright.KindInvalid || callwright.KindOf(err) == callwright.KindSchema {
						t.Fatal(err)
					}
					if resp != nil {
						calls = resp.Calls()
					}
				}
				arrived += heldAgainst(t, r.target, tools, caller.made, sentTools(llm.Requests()[len(llm.Requests())-1].Body), calls)
			}
			t.Logf("%d calls arrived, %d tools were strict", arrived, caller.strict)
			if arrived < len(groups)*3 {
				t.Errorf("%d calls arrived", arrived)
			}
			if to, _ := r.target.Strict(); (to != "" && r.strict == "on") != (caller.strict > 0) {
				t.Errorf("%d tools were strict", caller.strict)
			}
		})
	}
}

// streamedCalls asks for a stream, and holds what comes in pieces against the calls that end it.
func streamedCalls(t *testing.T, client callwright.Model, req *callwright.Request) []callwright.Call {
	t.Helper()
	var out []callwright.Call
	pieces := map[int]string{}
	for ev, err := range client.Stream(t.Context(), req) {
		switch callwright.KindOf(err) {
		case callwright.KindUnsupported, callwright.KindInvalid, callwright.KindSchema:
			t.Fatal(err)
		}
		switch ev := ev.(type) {
		case callwright.CallDelta:
			pieces[ev.Index] += ev.Text
		case callwright.CallEnd:
			if string(ev.Call.Arguments) != pieces[ev.Index] {
				t.Errorf("the pieces %s are the call %s", pieces[ev.Index], ev.Call.Arguments)
			}
			out = append(out, *ev.Call)
		}
	}
	return out
}

// heldAgainst holds the calls that arrived against the client's schemas, and against what the model made. It returns how many there are.
func heldAgainst(t *testing.T, target adapter.Target, tools []callwright.Tool, made map[string]string, sent map[string]sentTool, calls []callwright.Call) int {
	t.Helper()
	rule := target.ToolNames()
	if target == adapter.Ollama {
		rule = adapter.NameRule{Extra: "-", Max: 64} // by its wire
	}
	var names []string
	for _, tool := range tools {
		names = append(names, tool.Name)
	}
	given := adapter.NewNames(rule, names)
	for _, tool := range tools {
		to, is := target, sent[given.SentName(tool.Name)]
		if is.strict {
			to, _ = target.Strict()
		}
		original, _ := schema.Compile(tool.Schema)
		tr, err := adapter.Translate(to, tool.Schema)
		if err != nil {
			t.Fatal(err)
		}
		if is.strict && len(tr.Lost) > 0 {
			t.Errorf("%s is strict and lost %v", tool.Schema, tr.Lost)
		}
		i := slices.IndexFunc(calls, func(c callwright.Call) bool { return c.Name == tool.Name })
		doc, called := made[given.SentName(tool.Name)]
		if i < 0 {
			if back := tr.Undo([]byte(doc)); called && original.Validate(back) == nil {
				t.Errorf("%s\nbecame %s\n%s did not arrive, which is %s", tool.Schema, is.schema, doc, back)
			}
			continue
		}
		if v := original.Validate(calls[i].Arguments); v != nil {
			t.Errorf("%s: %s arrived: %v", tool.Schema, calls[i].Arguments, v)
		}
		if back := tr.Undo([]byte(doc)); original.Validate(back) == nil && !jsonx.Equal(calls[i].Arguments, back) {
			t.Errorf("%s arrived, want %s", calls[i].Arguments, back)
		}
	}
	return len(calls)
}
