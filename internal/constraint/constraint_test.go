package constraint_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/callwright/callwright/dialect"
	"github.com/callwright/callwright/internal/constraint"
)

const weather = `{"type":"object","properties":{"city":{"type":"string"},"unit":{"enum":["c","f"]},"days":{"type":"integer","minimum":1,"maximum":14}},"required":["city"]}`

var tools = []constraint.Tool{{Name: "get_weather", Schema: []byte(weather)}, {Name: "get_time", Schema: nil}}

func formOf(t testing.TB, name string) constraint.Form {
	t.Helper()
	d, _ := dialect.Lookup(name)
	f, ok := constraint.FormOf(d)
	if !ok {
		t.Fatalf("%s has no form", name)
	}
	return f
}

// TestAnswers: which answers a grammar takes.
func TestAnswers(t *testing.T) {
	const call = `{"name": "get_weather", "arguments": {"city": "Paris"}}`
	tagged := func(calls ...string) string {
		return "<tool_call>\n" + strings.Join(calls, "\n</tool_call>\n<tool_call>\n") + "\n</tool_call>"
	}
	for _, c := range []struct {
		about, format string
		how           constraint.Conditions
		answer        string
		ok            bool
	}{
		{"text alone", "hermes", constraint.Conditions{}, "The weather is < fine > {\"name\": \"Bob\"} \u00e9 \U0001f600.", true},
		{"the empty text", "hermes", constraint.Conditions{}, "", true},
		{"a call", "hermes", constraint.Conditions{}, tagged(call), true},
		{"a call behind text", "hermes", constraint.Conditions{}, "I look. <too <<tool_cal " + tagged(call), true},
		{"a call without white space", "hermes", constraint.Conditions{}, `<tool_call>{"name":"get_weather","arguments":{"city":"Paris"}}</tool_call>`, true},
		{"two calls", "hermes", constraint.Conditions{}, tagged(call, call), true},
		{"two calls where one is asked for", "hermes", constraint.Conditions{Single: true}, tagged(call, call), false},
		{"text behind a call", "hermes", constraint.Conditions{}, tagged(call) + " done", false},
		{"a call that does not end", "hermes", constraint.Conditions{}, "<tool_call>\n" + call, false},
		{"an undeclared tool", "hermes", constraint.Conditions{}, tagged(`{"name": "get_news", "arguments": {}}`), false},
		{"a tool without a schema", "hermes", constraint.Conditions{}, tagged(`{"name": "get_time", "arguments": {"zone": [1, {"a": null}]}}`), true},
		{"white space in a name", "hermes", constraint.Conditions{}, tagged(`{"name": " get_weather", "arguments": {"city": "Paris"}}`), false},
		{"a missing argument", "hermes", constraint.Conditions{}, tagged(`{"name": "get_weather", "arguments": {"days": 3}}`), false},
		{"arguments in another order", "hermes", constraint.Conditions{}, tagged(`{"name": "get_weather", "arguments": {"days": 3, "city": "Paris", "unit": "f"}}`), true},
		{"a value outside of an enum", "hermes", constraint.Conditions{}, tagged(`{"name": "get_weather", "arguments": {"city": "Paris", "unit": "k"}}`), false},
		{"a number outside of its bounds", "hermes", constraint.Conditions{}, tagged(`{"name": "get_weather", "arguments": {"city": "Paris", "days": 15}}`), false},
		{"an undeclared argument", "hermes", constraint.Conditions{}, tagged(`{"name": "get_weather", "arguments": {"city": "Paris", "place": "x"}}`), false},
		{"a line break in a string", "hermes", constraint.Conditions{}, tagged("{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Pa\nris\"}}"), false},
		{"a call in a fence", "hermes", constraint.Conditions{}, "```json\n" + call + "\n```\nDone.", true},
		{"a bad call in a fence", "hermes", constraint.Conditions{}, "```json\n{\n  \"name\": \"get_weather\",\n  \"arguments\": {\"town\": \"Paris\"}\n}\n```", false},
		{"a definition of a tool", "hermes", constraint.Conditions{}, `{"name": "get_weather", "description": "x", "parameters": {"type": "object"}}`, true},
		{"an undeclared tool in a fence is text", "hermes", constraint.Conditions{}, "```json\n{\"name\": \"get_news\", \"arguments\": {}}\n```", true},
		{"a tool whose name another one begins with", "hermes", constraint.Conditions{}, `{"name": "get_weather_now", "arguments": {}}`, true},
		{"an object with a name", "hermes", constraint.Conditions{}, `{"name": "get_news", "version": "1", "arguments_of": {"name": "x", "arguments_": 1}}`, true},
		{"text where a call is asked for", "hermes", constraint.Conditions{Forced: true}, "Fine. " + tagged(call), false},
		{"a call where one is asked for", "hermes", constraint.Conditions{Forced: true}, tagged(call), true},

		{"a list of calls", "mistral_array", constraint.Conditions{}, "Yes. [TOOL_CALLS] [" + call + ", " + call + "]", true},
		{"a list of one where one is asked for", "mistral_array", constraint.Conditions{Single: true}, "[TOOL_CALLS][" + call + "]", true},
		{"a bad call in a list", "mistral_array", constraint.Conditions{}, "[TOOL_CALLS] [{\"name\": \"get_weather\", \"arguments\": {}}]", false},
		{"arguments behind a name", "mistral_args", constraint.Conditions{}, `[TOOL_CALLS]get_weather[ARGS]{"city": "Paris"}[TOOL_CALLS]get_time[ARGS]{}`, true},
		{"a bad name", "mistral_args", constraint.Conditions{}, `[TOOL_CALLS]get_wether[ARGS]{"city": "Paris"}`, false},
		{"an object", "llama3_json", constraint.Conditions{}, `{"name": "get_weather", "parameters": {"city": "Paris"}}`, true},
		{"a bad object", "llama3_json", constraint.Conditions{}, `{"name": "get_weather", "parameters": {"town": "Paris"}}`, false},
		{"an object where one is asked for", "llama3_json", constraint.Conditions{Forced: true}, `{"name": "get_weather", "parameters": {"city": "Paris"}}`, true},
		{"any object", "llama3_json", constraint.Conditions{}, `Here: {"a": {"name": "x"}}`, true},
	} {
		t.Run(c.format+" "+c.about, func(t *testing.T) {
			grammar, err := constraint.GBNF(formOf(t, c.format), tools, c.how)
			if err != nil {
				t.Fatal(err)
			}
			if ok, at := newMatcher(t, grammar).accepts(c.answer); ok != c.ok {
				t.Errorf("accepted: %v, up to %q and not %q", ok, c.answer[:at], c.answer[at:])
			}
		})
	}
}

// TestFormsTakeTheirOwnCalls: the grammar of each format that has a form takes what the format writes.
func TestFormsTakeTheirOwnCalls(t *testing.T) {
	calls := []dialect.RenderedCall{{Name: "get_weather", ID: "a", Arguments: []byte(`{"days":3,"city":"Pa\"ris"}`)}, {Name: "get_time", ID: "b", Arguments: []byte(`{}`)},
		{Name: "get_time", ID: "c", Arguments: []byte(`{"zone":"x"}`)}}
	forms := 0
	for _, d := range dialect.Formats() {
		f, ok := constraint.FormOf(d)
		if !ok {
			continue
		}
		forms++
		for _, forced := range []bool{false, true} {
			grammar, err := constraint.GBNF(f, tools, constraint.Conditions{Forced: forced})
			if err != nil {
				t.Errorf("%s: %v", d.Name, err)
				continue
			}
			m := newMatcher(t, grammar)
			for n := 1; n <= len(calls); n++ {
				text := d.RenderCalls(calls[:n])
				if ok, at := m.accepts(text); !ok {
					t.Errorf("%s: refused %q at %q", d.Name, text, text[at:])
				}
			}
		}
	}
	if forms < 10 {
		t.Errorf("%d formats have a form", forms)
	}
}

// TestStructuralTags: the forms of answers for XGrammar, by format.
func TestStructuralTags(t *testing.T) {
	tools := []constraint.Tool{{Name: "get_weather", Schema: []byte(`{"type":"object","properties":{"city":{"type":"string"}}}`)}, {Name: "get \"time\""}}
	const open, closing = `{\"name\": \"`, `\", \"arguments\": `
	for _, c := range []struct {
		format string
		how    constraint.Conditions
		tag    string // empty where the format has none
		older  string
	}{
		{
			"hermes", constraint.Conditions{},
			`{"type":"structural_tag","format":{"type":"triggered_tags","triggers":["<tool_call>"],"tags":[` +
				`{"begin":"<tool_call>\n` + open + `get_weather` + closing + `","content":{"type":"json_schema","json_schema":{"type":"object","properties":{"city":{"type":"string"}}}},"end":"}\n</tool_call>"},` +
				`{"begin":"<tool_call>\n` + open + `get \\\"time\\\"` + closing + `","content":{"type":"json_schema","json_schema":{"type":"object"}},"end":"}\n</tool_call>"}],` +
				`"at_least_one":false,"stop_after_first":false}}`,
			`{"type":"structural_tag","structures":[` +
				`{"begin":"<tool_call>\n` + open + `get_weather` + closing + `","schema":{"type":"object","properties":{"city":{"type":"string"}}},"end":"}\n</tool_call>"},` +
				`{"begin":"<tool_call>\n` + open + `get \\\"time\\\"` + closing + `","schema":{"type":"object"},"end":"}\n</tool_call>"}],"triggers":["<tool_call>"]}`,
		},
		{"mistral_array", constraint.Conditions{}, "", ""}, // one mark for all calls
		{"mistral_args", constraint.Conditions{}, "", ""},  // no end
		{"llama3_json", constraint.Conditions{}, "", ""},   // no mark
	} {
		f := formOf(t, c.format)
		tag, _ := constraint.StructuralTag(f, tools, c.how)
		older, _ := constraint.Structures(f, tools)
		if tag != c.tag || older != c.older {
			t.Errorf("%s: got %s\nand %s", c.format, tag, older)
		}
	}
	forced, err := constraint.StructuralTag(formOf(t, "hermes"), tools, constraint.Conditions{Forced: true, Single: true})
	if err != nil || !strings.HasSuffix(forced, `"at_least_one":true,"stop_after_first":true}}`) || !json.Valid([]byte(forced)) {
		t.Errorf("got %s, %v", forced, err)
	}
}
