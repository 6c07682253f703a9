package reliable_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/reliable"
)

// strictOnes is what is known of a model with strict tools.
var strictOnes = caps.Caps{SchemaTarget: caps.SchemaOpenAI, StrictTools: caps.Yes, ToolCallReliable: caps.Yes, JSONSchema: caps.Yes}

func allRules(rep *callwright.Report) []string {
	var out []string
	for _, n := range rep.Notes {
		out = append(out, n.Rule)
	}
	return out
}

// Arguments of a strict tool come back in the form of its own schema, whole and streamed: no piece of another form leaves. That the form
// was ours is no fault of the model.
func TestStrictCallsComeBack(t *testing.T) {
	pieces := []callwright.Event{
		callwright.Begin{}, callwright.CallBegin{ID: "c1", Name: "get_weather"}, pause{}, callwright.CallDelta{Text: `{"city":"Oslo"`}, pause{},
		callwright.CallDelta{Text: `,"days":null}`}, pause{}, callwright.CallEnd{}, callwright.End{Finish: callwright.FinishCalls},
	}
	for way, deliver := range deliveries {
		t.Run(way, func(t *testing.T) {
			m := &scripted{name: "lab/m", caps: strictOnes, answers: []any{pieces}}
			capsStore := caps.NewMemory(nil)
			resp, err := deliver(reliable.New(m, reliable.WithCapsStore(capsStore), reliable.WithStrictTools(callwright.StrictOn), reliable.WithStreamCalls(callwright.StreamFlowing)), ask(callwright.Choice{}))
			if err != nil {
				t.Fatal(err)
			}
			sent := m.asked[0].Tools[0]
			if sent.Strict == nil || !*sent.Strict || !strings.Contains(string(sent.Schema), `"required":["city","days"]`) {
				t.Errorf("sent %s", sent.Schema)
			}
			if calls := resp.Calls(); len(calls) != 1 || string(calls[0].Arguments) != oslo {
				t.Errorf("got %+v", calls)
			}
			if rules := allRules(resp.Report); !slices.Contains(rules, "tools.strict_added") || !slices.Contains(rules, "schema.undone") {
				t.Errorf("notes %v", rules)
			}
			facts, _ := capsStore.Facts(t.Context(), "lab/m")
			if len(facts) != 1 || facts[0].Key != "clean_calls" || facts[0].Value != "1" {
				t.Errorf("learned %+v", facts)
			}
			if weather[0].Strict != nil {
				t.Error("the client's own tool was changed")
			}
		})
	}
	var seen []string
	for ev := range reliable.New(&scripted{name: "lab/m", caps: strictOnes, answers: []any{pieces}}, reliable.WithStrictTools(callwright.StrictOn), reliable.WithStreamCalls(callwright.StreamFlowing)).Stream(t.Context(), ask(callwright.Choice{})) {
		if d, ok := ev.(callwright.CallDelta); ok {
			seen = append(seen, d.Text)
		}
	}
	if len(seen) != 1 || seen[0] != oslo {
		t.Errorf("the pieces are %q", seen)
	}
}

// What the cases of TestStrictInAuto are made of.
var closed = []callwright.Tool{{Name: "get_weather", Schema: []byte(`{"type":"object","properties":{"city":{"type":"string"}},"required":["city"],"additionalProperties":false}`)}}

// strictInAutoCases are those of TestStrictInAuto.
var strictInAutoCases = map[string]struct {
	tools  []callwright.Tool
	change func(*caps.Caps)
	opts   []reliable.Option
	strict bool
}{
	"calls flow, and need no undoing":        {closed, nil, nil, true},
	"calls flow, and would need undoing":     {weather, nil, nil, false},
	"calls of the model have not flowed yet": {weather, func(c *caps.Caps) { c.ToolCallReliable = caps.Unknown }, nil, false},
	"the model is known to err":              {weather, func(c *caps.Caps) { c.ToolCallReliable = caps.No }, nil, true},
	"calls are held anyway":                  {weather, nil, []reliable.Option{reliable.WithStreamCalls(callwright.StreamHeld)}, true},
	"the model needs help":                   {weather, func(c *caps.Caps) { c.NeedsHelp = caps.Yes }, nil, true},
	"nothing is known of strict tools":       {weather, func(c *caps.Caps) { c.StrictTools, c.NeedsHelp = caps.Unknown, caps.Yes }, nil, false},
	"nothing is known of the target":         {weather, func(c *caps.Caps) { c.SchemaTarget, c.NeedsHelp = "", caps.Yes }, nil, false},
	"off":                                    {closed, func(c *caps.Caps) { c.NeedsHelp = caps.Yes }, []reliable.Option{reliable.WithStrictTools(callwright.StrictOff)}, false},
	"schemas may not be written":             {closed, nil, []reliable.Option{reliable.WithRules(map[string]bool{"tools.schema_keywords": false})}, false},
	"the policy changes nothing":             {closed, nil, []reliable.Option{reliable.WithPolicy(callwright.PolicyObserve)}, false},
	"the policy strict is no reason":         {closed, nil, []reliable.Option{reliable.WithPolicy(callwright.PolicyStrict)}, true},
	"the client says that it is not":         {func() []callwright.Tool { t := slices.Clone(closed); t[0].Strict = new(false); return t }(), nil, []reliable.Option{reliable.WithStrictTools(callwright.StrictOn)}, false},
	"a schema that strict ones cannot say":   {[]callwright.Tool{{Name: "get_weather", Schema: []byte(`{"type":"object","properties":{"city":{"type":"string","minLength":1}},"required":["city"]}`)}}, nil, []reliable.Option{reliable.WithStrictTools(callwright.StrictOn)}, false},
}

// A request that can be sent as it came is, and one that is written anyway is made strict as far as calls still flow.
func TestStrictInAuto(t *testing.T) {
	unlisted := callwright.Tool{Name: "list", Schema: []byte(`{"type":"object","properties":{"a":{"type":"array"}}}`)}
	for _, c := range []struct {
		tools []callwright.Tool
		help  caps.Truth
		want  string
	}{
		{closed, caps.Unknown, "as it came"},
		{closed, caps.Yes, "strict"},
		{append(slices.Clone(closed), unlisted), caps.Unknown, "strict"},
		{append(slices.Clone(weather), unlisted), caps.Unknown, "not strict"},
	} {
		known := strictOnes
		known.NeedsHelp = c.help
		m := &scripted{name: "lab/m", caps: known, answers: []any{goodCall}}
		req := ask(callwright.Choice{})
		req.Tools = c.tools
		if _, err := reliable.New(m).Generate(t.Context(), received(req)); err != nil {
			t.Fatal(err)
		}
		got := "as it came"
		if sent := m.asked[0].Tools; sent != nil {
			got = map[bool]string{true: "strict", false: "not strict"}[sent[0].Strict != nil && *sent[0].Strict]
		}
		if got != c.want {
			t.Errorf("over the same API %d tools are sent %s, want %s", len(c.tools), got, c.want)
		}
	}
	for name, c := range strictInAutoCases {
		t.Run(name, func(t *testing.T) {
			known := strictOnes
			if c.change != nil {
				c.change(&known)
			}
			m := &scripted{name: "lab/m", caps: known, answers: []any{goodCall}}
			req := ask(callwright.Choice{})
			req.Tools = c.tools
			if _, err := reliable.New(m, c.opts...).Generate(t.Context(), req); err != nil {
				t.Fatal(err)
			}
			if s := m.asked[0].Tools[0].Strict; (s != nil && *s) != c.strict {
				t.Errorf("strict is %v", s)
			}
		})
	}
}

// The document of mode json_schema is strict where the provider decodes under strict schemas, and is read in the form that it is asked for in
// elsewhere.
func TestStrictDocument(t *testing.T) {
	plain := text(`{"toolCalls":[{"name":"get_weather","arguments":{"city":"Oslo"}}]}`)
	document := text(`{"scratchpad":null,"toolCalls":[{"name":"get_weather","arguments":{"city":"Oslo","days":null}}],"answer":null}`)
	for name, c := range map[string]struct {
		known  caps.Caps
		answer []callwright.Event
		strict bool
	}{
		"strict":       {strictOnes, document, true},
		"not known":    {caps.Caps{JSONSchema: caps.Yes}, plain, false},
		"llama.cpp":    {caps.Caps{JSONSchema: caps.Yes, SchemaTarget: caps.SchemaLlamaCPP}, plain, false},
		"Anthropic":    {caps.Caps{JSONSchema: caps.Yes, SchemaTarget: caps.SchemaAnthropic}, plain, true},
		"an old model": {caps.Caps{JSONSchema: caps.Yes, SchemaTarget: caps.SchemaOpenAI, StrictTools: caps.No}, plain, false},
	} {
		t.Run(name, func(t *testing.T) {
			m := &scripted{name: "lab/m", caps: c.known, answers: []any{c.answer}}
			resp, err := reliable.New(m, reliable.WithModes(caps.JSONSchema)).Generate(t.Context(), ask(callwright.Choice{}))
			if err != nil {
				t.Fatal(err)
			}
			if f := m.asked[0].Params.Format; *f.Strict != c.strict || c.strict == strings.Contains(string(f.Schema), `"anyOf":[{"type":"object","properties":{"toolCalls"`) {
				t.Errorf("asked for %s", f.Schema)
			}
			if calls := resp.Calls(); len(calls) != 1 || string(calls[0].Arguments) != oslo {
				t.Errorf("got %+v", calls)
			}
		})
	}
}

// The schema of an answer is written as the receiver takes it. Where the answer would have to be undone, the prompt says the form: text
// leaves as it comes.
func TestAnswerSchemas(t *testing.T) {
	for name, c := range map[string]struct {
		target       caps.SchemaTarget
		schema, want string // of what is asked for; "" where the prompt says it
		rule         string
		answer       string
	}{
		"nothing is known":       {"", `{"type":"object","properties":{"a":{"const":1}}}`, `{"type":"object","properties":{"a":{"const":1}}}`, "", `{"a":1}`},
		"taken as it is":         {caps.SchemaVLLM, `{"type":"array","items":{"type":"string"}}`, `{"type":"array","items":{"type":"string"}}`, "", `["a"]`},
		"Gemini":                 {caps.SchemaGeminiJSON, `{"type":"object","properties":{"a":{"const":1}}}`, `{"type":"object","properties":{"a":{"type":"integer","enum":[1]}}}`, "format.schema", `{"a":1}`},
		"Ollama makes a grammar": {caps.SchemaOllama, `{"type":"object","properties":{"a":{"type":"string","pattern":"x"},"b":{"const":1}}}`, `{"type":"object","properties":{"a":{"type":"string","description":"{pattern: \"x\"}"},"b":{"type":"integer","const":1}}}`, "format.schema", `{"a":"x","b":1}`},
		"it had to be undone":    {caps.SchemaGeminiJSON, `{"type":"object","properties":{"a":{"const":true}}}`, "", "format.emulated", `{"a":true}`},
	} {
		t.Run(name, func(t *testing.T) {
			m := &scripted{name: "lab/m", caps: caps.Caps{SchemaTarget: c.target}, answers: []any{text(c.answer)}}
			req := ask(callwright.Choice{})
			req.Tools, req.Params.Format = nil, &callwright.AnswerFormat{Name: "a", Schema: []byte(c.schema)}
			resp, err := reliable.New(m).Generate(t.Context(), req)
			if err != nil {
				t.Fatal(err)
			}
			f := m.asked[0].Params.Format
			if got := ""; f != nil {
				got = string(f.Schema)
				if got != c.want {
					t.Errorf("asked for %s", got)
				}
			} else if c.want != "" {
				t.Error("asked for text")
			}
			if rules := allRules(resp.Report); c.rule != "" && !slices.Contains(rules, c.rule) || c.rule == "" && len(rules) > 0 {
				t.Errorf("notes %v", rules)
			}
		})
	}
}
