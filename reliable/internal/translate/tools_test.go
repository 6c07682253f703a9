package translate_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/adapter"
	"github.com/callwright/callwright/reliable/internal/judge"
	"github.com/callwright/callwright/reliable/internal/translate"
	"github.com/callwright/callwright/schema"
)

func toolset(t testing.TB, tools ...callwright.Tool) *judge.Toolset {
	t.Helper()
	s, err := judge.NewToolset(tools, schema.NewCache(64))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func function(name, schema string) callwright.Tool {
	return callwright.Tool{Name: name, Description: "F.", Schema: json.RawMessage(schema)}
}

func rulesOf(notes []callwright.Note) string {
	var out []string
	for _, n := range notes {
		out = append(out, n.Rule)
	}
	return strings.Join(out, " ")
}

// What the cases of TestSchemas are made of.
const unchanged = ""

// schemasCases are those of TestSchemas.
var schemasCases = map[string]struct {
	to          caps.SchemaTarget
	wire        callwright.WireName
	schema      string
	want        string
	description string
	lost, rule  string
}{
	"nothing is known": {schema: `{"anyOf":[{"const":1}]}`, want: unchanged},
	"taken as it is": {to: caps.SchemaAnthropic, schema: `{ "type":"object", "$schema":"x", "additionalProperties":false, "properties":{"a":{"type":["string","null"],"enum":["x"],"title":"A"}} }`,
		want: unchanged},
	"written for the target": {to: caps.SchemaGeminiJSON, wire: callwright.WireGemini, schema: `{"type":"object","properties":{"a":{"const":1}}}`, want: unchanged},
	"Gemini has no const and no allOf": {to: caps.SchemaGeminiJSON,
		schema: `{"type":"object","properties":{"const":{"const":1},"l":{"items":{"oneOf":[{"const":"x"},{"type":"null"}]}}},"required":["l"],"allOf":[{"properties":{"l":{},"m":{"type":"string"}},"required":["m"]},{"allOf":[{"title":"T"}]},true]}`,
		want:   `{"type":"object","properties":{"const":{"type":"integer","enum":[1]},"l":{"items":{"anyOf":[{"type":"string","enum":["x"]},{"type":"null"}]}},"m":{"type":"string"}},"required":["l","m"],"title":"T"}`, lost: "oneOf", rule: "tools.schema_gemini"},
	"Anthropic takes no combination at the root": {to: caps.SchemaAnthropic, wire: callwright.WireAnthropic,
		schema: `{"oneOf":[{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]},{"type":"object","properties":{"b":{"type":"string"}},"required":["b"]}]}`,
		want:   `{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}},"description":"{oneOf: [{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string\"}},\"required\":[\"a\"]},{\"type\":\"object\",\"properties\":{\"b\":{\"type\":\"string\"}},\"required\":[\"b\"]}]}"}`, lost: "oneOf", rule: "tools.schema_anthropic"},
	"OpenAI wants items": {to: caps.SchemaOpenAI, wire: callwright.WireOpenAI, schema: `{"type":"object","properties":{"a":{"type":"array"}}}`,
		want: `{"type":"object","properties":{"a":{"type":"array","items":{}}}}`, rule: "tools.schema_openai"},
	"Ollama drops bounds": {to: caps.SchemaOllama, schema: `{"type":"object","properties":{"a":{"type":"integer","minimum":0,"maximum":10}}}`,
		want: `{"type":"object","properties":{"a":{"type":"integer","description":"{minimum: 0, maximum: 10}"}}}`, lost: "maximum, minimum", rule: "tools.schema_keywords"},
	"behind a description": {to: caps.SchemaOllama, schema: `{"type":"object","properties":{"a":{"description":"The day.","type":"string","format":"date","default":"today"}}}`,
		want: `{"type":"object","properties":{"a":{"description":"The day. {format: \"date\", default: \"today\"}","type":"string"}}}`, lost: "default, format", rule: "tools.schema_keywords"},
	"below items nothing is dropped": {to: caps.SchemaOllama, schema: `{"type":"object","properties":{"a":{"type":"array","items":{"type":"string","minLength":2}}}}`, want: unchanged},
	"inside objects and choices": {to: caps.SchemaOllama, schema: `{"type":"object","properties":{"a":{"type":"object","properties":{"b":{"anyOf":[{"type":"string","minLength":1},{"type":"null"}]}}}}}`,
		want: `{"type":"object","properties":{"a":{"type":"object","properties":{"b":{"anyOf":[{"type":"string","description":"{minLength: 1}"},{"type":"null"}]}}}}}`, lost: "minLength", rule: "tools.schema_keywords"},
	"const and oneOf": {to: caps.SchemaOllama, schema: `{"type":"object","properties":{"a":{"oneOf":[{"const":1},{"type":"string"}]}}}`,
		want: `{"type":"object","properties":{"a":{"anyOf":[{"type":"integer","enum":[1]},{"type":"string"}]}}}`, lost: "oneOf", rule: "tools.schema_keywords"},
	"a reference": {to: caps.SchemaOllama, schema: `{"type":"object","$defs":{"p":{"type":"object","properties":{"x":{"type":"number"}}}},"properties":{"a":{"$ref":"#/$defs/p","description":"A point."}}}`,
		want: `{"type":"object","properties":{"a":{"description":"A point.","type":"object","properties":{"x":{"type":"number"}}}}}`, rule: "tools.schema_keywords"},
	"what the root says goes to the tool": {to: caps.SchemaOllama, schema: `{"type":"object","minProperties":1,"description":"Of f.","properties":{"a":{"type":"string"}}}`,
		want: `{"type":"object","properties":{"a":{"type":"string"}}}`, description: "F. Of f. {minProperties: 1}", lost: "minProperties", rule: "tools.schema_keywords"},
	"a pattern that no grammar is made of": {to: caps.SchemaLlamaCPP, wire: callwright.WireOpenAI, schema: `{"type":"object","properties":{"a":{"type":"string","pattern":"[A-Z]"}}}`,
		want: `{"type":"object","properties":{"a":{"type":"string","description":"{pattern: \"[A-Z]\"}"}}}`, lost: "pattern", rule: "tools.schema_grammar"},
}

func TestSchemas(t *testing.T) {
	for name, c := range schemasCases {
		t.Run(name, func(t *testing.T) {
			s := toolset(t, function("f", c.schema))
			got := translate.ToolsFor(s, translate.WantFor(caps.Caps{SchemaTarget: c.to}, translate.Asker{Wire: c.wire}), adapter.NewCache(8))
			if c.want == unchanged {
				if got.List != nil || got.Notes != nil {
					t.Errorf("got %+v", got)
				}
				return
			}
			if got.List == nil {
				t.Fatal("the tool stays as it is")
			}
			if string(got.List[0].Schema) != c.want {
				t.Errorf("got\n%s\nwant\n%s", got.List[0].Schema, c.want)
			}
			if c.description == "" {
				c.description = "F."
			}
			if d := got.List[0].Description; d != c.description || rulesOf(got.Notes) != c.rule || got.Notes[0].Was != c.lost {
				t.Errorf("got the description %q and the notes %+v", d, got.Notes)
			}
		})
	}
}

// What was written for a toolset is written once.
func TestOnce(t *testing.T) {
	s := toolset(t, function("f.g", `{"type":"object","properties":{"a":{"type":"array"}}}`))
	known := caps.Caps{SchemaTarget: caps.SchemaOpenAI, NameMax: 64}
	adapters := adapter.NewCache(8)
	first, again := translate.ToolsFor(s, translate.WantFor(known, translate.Asker{}), adapters), translate.ToolsFor(s, translate.WantFor(known, translate.Asker{}), adapters)
	if first != again || &first.List[0] != &again.List[0] {
		t.Error("it was written twice")
	}
	known.LooseTools = "f.g"
	if other := translate.ToolsFor(s, translate.WantFor(known, translate.Asker{}), adapters); other == first {
		t.Error("another receiver got the same")
	}
	allocs := testing.AllocsPerRun(100, func() { translate.ToolsFor(s, translate.WantFor(known, translate.Asker{}), adapters) })
	if allocs > 2 {
		t.Errorf("%g allocations", allocs)
	}
}

// Names have a tail where two tools come to the same, and are put into the choice and the history too.
func TestNames(t *testing.T) {
	s := toolset(t, function("weather.get", `{"type":"object"}`), function("weather_get", `{"type":"object"}`), function("ping", `{"type":"object"}`))
	got := translate.ToolsFor(s, translate.WantFor(caps.Caps{NameMax: 64}, translate.Asker{}), adapter.NewCache(8))
	sent := got.Naming.SentName("weather.get")
	if len(got.Naming.Table()) != 1 || got.Naming.DeclaredName(sent) != "weather.get" || sent == "weather_get" || got.List[0].Name != sent || rulesOf(got.Notes) != "tools.renamed" {
		t.Fatalf("got %+v", got)
	}
	alone := translate.ToolsFor(toolset(t, function("weather.get", `{}`)), translate.WantFor(caps.Caps{NameMax: 64}, translate.Asker{}), adapter.NewCache(8))
	if is := alone.Naming.SentName("weather.get"); is != "weather_get" {
		t.Errorf("without another tool of that name it is sent as %q", is)
	}
	req := &callwright.Request{Messages: []callwright.Message{callwright.UserText("Go."), {Role: callwright.RoleAssistant, Parts: []callwright.Part{callwright.Call{ID: "a", Name: "weather.get"}}}}}
	req.Params.Choice.Names = []string{"weather.get", "ping"}
	was := req.Messages[1]
	if err := got.Naming.Rename(req); err != nil {
		t.Fatal(err)
	}
	if callwright.CallsOf(req.Messages[1].Parts)[0].Name != sent || !slices.Equal(req.Params.Choice.Names, []string{sent, "ping"}) || callwright.CallsOf(was.Parts)[0].Name != "weather.get" {
		t.Errorf("got %+v", req)
	}
}

// What the client says of strict stands within the budget, and what is made strict takes what is left, in the order of the tools.
func TestBudget(t *testing.T) {
	known := caps.Caps{SchemaTarget: caps.SchemaAnthropic, StrictTools: caps.Yes, NeedsHelp: caps.Yes}
	closed := `{"type":"object","properties":{"a":{"type":"string"}},"required":["a"],"additionalProperties":false}`
	roomy := `{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"},"c":{"type":"string"}},"required":[],"additionalProperties":false}`
	count := func(schema string, n int, strict *bool) (out []callwright.Tool) {
		for i := range n {
			one := function(fmt.Sprintf("%s%d", map[bool]string{true: "said", false: "free"}[strict != nil], i), schema)
			one.Strict = strict
			out = append(out, one)
		}
		return out
	}
	for name, c := range map[string]struct {
		tools []callwright.Tool
		wire  callwright.WireName
		want  string // how many go strict, and the first and the last of them
		rules string
	}{
		"all":                           {count(closed, 3, nil), "", "3 free0 free2", "tools.strict_added"},
		"too many tools":                {count(closed, 30, nil), "", "20 free0 free19", "tools.strict_added"},
		"too many optional members":     {count(roomy, 10, nil), "", "8 free0 free7", "tools.strict_added"},
		"what the client says is first": {append(count(closed, 5, nil), count(closed, 18, new(true))...), "", "20 free0 said17", "tools.strict_added"},
		"the client says too much":      {count(closed, 22, new(true)), "", "20 said0 said19", "tools.strict tools.strict"},
		"to its own API":                {count(closed, 22, new(true)), callwright.WireAnthropic, "22 said0 said21", ""},
	} {
		t.Run(name, func(t *testing.T) {
			got := translate.ToolsFor(toolset(t, c.tools...), translate.WantFor(known, translate.Asker{Wire: c.wire}), adapter.NewCache(64))
			list := got.List
			if list == nil {
				list = c.tools
			}
			var strict []string
			for _, one := range list {
				if one.Strict != nil && *one.Strict {
					strict = append(strict, one.Name)
				}
			}
			if is := fmt.Sprint(len(strict), " ", strict[0], " ", strict[len(strict)-1]); is != c.want {
				t.Errorf("got %s, want %s", is, c.want)
			}
			if rules := rulesOf(got.Notes); rules != c.rules {
				t.Errorf("notes %s", rules)
			}
		})
	}
}
