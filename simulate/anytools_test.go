package simulate_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/callwright/callwright/schema"
	"github.com/callwright/callwright/simulate"
	"github.com/google/go-cmp/cmp"
)

// office are tools of several kinds, by name: what is said of each and its schema.
var office = []struct{ name, description, schema string }{
	{"get_weather", "Tells the weather of a city.", simulate.WeatherSchema},
	{"send_mail", "Sends a mail to an address.", `{"type":"object","properties":{"address":{"type":"string","format":"email"},"subject":{"type":"string"},"urgent":{"type":"boolean"}},"required":["address","subject"]}`},
	{"read_file", "Reads a file of the workspace.", `{"type":"object","properties":{"path":{"type":"string"},"lines":{"type":"integer","minimum":1}},"required":["path"]}`},
	{"add", "Adds two numbers.", `{"type":"object","properties":{"a":{"type":"number"},"b":{"type":"number"}},"required":["a","b"]}`},
	{"convert", "Converts an amount of money.", `{"type":"object","properties":{"amount":{"type":"number"},"to":{"enum":["EUR","USD","NOK"]}},"required":["amount","to"]}`},
}

func officeTools() []object {
	var out []object
	for _, t := range office {
		out = append(out, object{"type": "function", "function": object{"name": t.name, "description": t.description, "parameters": json.RawMessage(t.schema)}})
	}
	return out
}

// asked sends messages with the tools of the office over Chat Completions and returns the calls, a line each, or the text.
func asked(t *testing.T, base string, members object, messages ...object) string {
	t.Helper()
	c := conversation{model: "native", messages: messages, members: object{"tools": officeTools()}}
	maps.Copy(c.members, members)
	got := send(t, base, simulate.OpenAI, c.body(simulate.OpenAI))
	if got.err != "" {
		t.Fatal(got.err)
	}
	var lines []string
	for _, call := range got.calls {
		lines = append(lines, call.name+" "+call.args)
	}
	if lines == nil {
		return got.text
	}
	return strings.Join(lines, "\n")
}

func TestAnyToolsCallsWhatThePromptSpeaksOf(t *testing.T) {
	base, _ := start(t, simulate.AnyTools())
	for prompt, want := range map[string]string{
		"What is the weather in Oslo?":                                    `get_weather {"city": "Oslo"}`,
		"What is the weather in Oslo, New York and Rome?":                 "get_weather {\"city\": \"Oslo\"}\nget_weather {\"city\": \"New York\"}\nget_weather {\"city\": \"Rome\"}",
		"Get the weather of Oslo; the units are fahrenheit and days is 5": `get_weather {"city": "Oslo", "days": 5, "units": "fahrenheit"}`,
		`Mail ada@example.org with the subject "Lunch at noon".`:          `send_mail {"address": "ada@example.org", "subject": "Lunch at noon"}`,
		"Read the file docs/a.md, please. Set lines to 20.":               `read_file {"path": "docs/a.md", "lines": 20}`,
		"Add 2.5 and 40.":                                                                  `add {"a": 2.5, "b": 40}`,
		"Convert 12 dollars to NOK.":                                                       `convert {"amount": 12, "to": "NOK"}`,
		"Use read_file for a.txt and get_weather for Oslo.":                                "read_file {\"path\": \"a.txt\"}\nget_weather {\"city\": \"Oslo\"}",
		"First use read_file on a.txt, then get_weather.":                                  `read_file {"path": "a.txt"}`,
		"Call the tool add with exactly these arguments: {\"a\":9007199254740993,\"b\":1}": `add {"a":9007199254740993,"b":1}`,
		"Good morning!": "I need no tool for that. You said: Good morning!",
	} {
		if got := asked(t, base, nil, ask(prompt)...); got != want {
			t.Errorf("%s\n got %s\nwant %s", prompt, got, want)
		}
	}
}

func TestAnyToolsFollowsTheChoice(t *testing.T) {
	base, _ := start(t, simulate.AnyTools())
	for _, tc := range []struct {
		choice any
		want   string
	}{
		{"auto", "I need no tool for that. You said: Good morning, Bob!"},
		{"none", "I need no tool for that. You said: Good morning, Bob!"},
		{"required", `get_weather {"city": "Bob"}`},
		{object{"type": "function", "function": object{"name": "read_file"}}, `read_file {"path": "Bob"}`},
	} {
		if got := asked(t, base, object{"tool_choice": tc.choice}, ask("Good morning, Bob!")...); got != tc.want {
			t.Errorf("%v: got %s, want %s", tc.choice, got, tc.want)
		}
	}
	serial := asked(t, base, object{"parallel_tool_calls": false}, ask("What is the weather in Oslo and Rome?")...)
	if want := `get_weather {"city": "Oslo"}`; serial != want {
		t.Errorf("one at a time: got %s, want %s", serial, want)
	}
}

// did is a call of the model and its result.
func did(id, name, args, result string) []object {
	return []object{
		{"role": "assistant", "content": nil, "tool_calls": []object{{"id": id, "type": "function", "function": object{"name": name, "arguments": args}}}},
		{"role": "tool", "tool_call_id": id, "content": result},
	}
}

func TestAnyToolsGoesOnAfterResults(t *testing.T) {
	base, _ := start(t, simulate.AnyTools())
	weather := ask("What is the weather in Oslo?")
	const wrong = "The call of get_weather was not executed:\n- /city: expected string"
	failed := append(weather, did("a", "get_weather", `{"city":1}`, wrong)...)
	twice := append(failed, did("b", "get_weather", `{"city":1}`, wrong)...)
	for what, tc := range map[string]struct {
		messages []object
		want     string
	}{
		"a result":                    {append(weather, did("a", "get_weather", `{"city":"Oslo"}`, "20 degrees.")...), "Here is what I found: 20 degrees."},
		"an error":                    {failed, `get_weather {"city": "Oslo"}`},
		"an error for the third time": {append(twice, did("c", "get_weather", `{"city":1}`, wrong)...), "I could not do that: " + wrong},
		"an error that was mended":    {append(failed, did("b", "get_weather", `{"city":"Oslo"}`, "20")...), "Here is what I found: 20."},
		"the first of two":            {append(ask("First use read_file on a.txt, then add 1 and 2 with the add tool."), did("a", "read_file", `{"path":"a.txt"}`, "x")...), `add {"a": 1, "b": 2}`},
		"a new question": {append(append(weather, did("a", "get_weather", `{"city":"Oslo"}`, "20")...), object{"role": "assistant", "content": "20."},
			object{"role": "user", "content": "And what is the weather in Rome?"}), `get_weather {"city": "Rome"}`},
		"a correction": {append(weather, object{"role": "assistant", "content": "I will."}, object{"role": "user", "content": "No tool was called. You must call a tool."}),
			`get_weather {"city": "Oslo"}`},
	} {
		if got := asked(t, base, nil, tc.messages...); got != tc.want {
			t.Errorf("%s:\n got %s\nwant %s", what, got, tc.want)
		}
	}
}

// Tools that only the prompt describes are called as text, and in a document where it asks for one.
func TestAnyToolsFindsToolsInThePrompt(t *testing.T) {
	base, _ := start(t, simulate.AnyTools())
	definition := `{"name":"read_file","description":"Reads a file.","parameters":` + office[2].schema + `}`
	const arguments = `{"name": "read_file", "arguments": {"path": "a.md"}}`
	for what, tc := range map[string]struct{ system, want string }{
		"a line of JSON": {"Tools:\n<tools>\n{\"type\":\"function\",\"function\":" + definition + "}\n</tools>", "<tool_call>\n" + arguments + "\n</tool_call>"},
		"a list of JSON": {"AVAILABLE_TOOLS[" + definition + "]", "<tool_call>\n" + arguments + "\n</tool_call>"},
		"a heading":      {"### read_file\nDescription: Reads a file.\n\nParameters: " + office[2].schema, "<tool_call>\n" + arguments + "\n</tool_call>"},
		"a document": {"You can call these tools:\n- read_file: Reads a file.\n  arguments: " + office[2].schema + "\n\nTo call tools: {\"toolCalls\":[{\"name\":\"TOOL\",\"arguments\":{}}]}",
			`{"toolCalls": [` + arguments + `]}`},
	} {
		for _, wire := range wires {
			c := conversation{model: "native", system: tc.system, messages: ask("Read the file a.md")}
			if got := send(t, base, wire, c.body(wire)); got.text != tc.want {
				t.Errorf("%s on %s: got %s, want %s", what, wire, got, tc.want)
			}
		}
	}
	c := conversation{model: "native", system: "### read_file\nDescription: Reads a file.\n\nParameters: " + office[2].schema, messages: []object{
		ask("Read the file a.md")[0], {"role": "assistant", "content": "<tool_call>\n" + arguments + "\n</tool_call>"},
		{"role": "user", "content": "<tool_response>\nIt is short\n</tool_response>"}}}
	if got, want := send(t, base, simulate.OpenAI, c.body(simulate.OpenAI)).text, "Here is what I found: It is short."; got != want {
		t.Errorf("after a result: got %s, want %s", got, want)
	}
}

// Arguments satisfy the schema, whatever tool is declared.
func TestArgumentsSatisfyTheSchema(t *testing.T) {
	base, _ := start(t, simulate.AnyTools())
	for i, tool := range collected(t) {
		compiled, err := schema.Compile(tool.Parameters)
		if err != nil {
			continue
		}
		c := conversation{model: "native", messages: ask("Do it with Oslo and 12."), members: object{"tool_choice": "required",
			"tools": []object{{"type": "function", "function": object{"name": "t", "description": tool.Description, "parameters": tool.Parameters}}}}}
		got := send(t, base, simulate.OpenAI, c.body(simulate.OpenAI))
		if got.err != "" && strings.Contains(got.err, ".type: Input should be") {
			continue // a root that is no object
		}
		if len(got.calls) == 0 {
			t.Fatalf("tool %d: %s", i, got)
		}
		if wrong := compiled.Validate([]byte(got.calls[0].args)); len(wrong) > 0 {
			t.Errorf("tool %d: %s\n%s: %v", i, tool.Parameters, got.calls[0].args, wrong)
		}
	}
}

// Values keep to every bound that a schema sets.
func TestArgumentsKeepToBounds(t *testing.T) {
	base, _ := start(t, simulate.AnyTools())
	var props []string
	for i, s := range []string{
		`{"type":"integer","minimum":10,"maximum":12}`, `{"type":"integer","exclusiveMinimum":10,"multipleOf":7}`, `{"type":"number","exclusiveMinimum":0,"exclusiveMaximum":1}`,
		`{"type":"integer","maximum":-4}`, `{"type":"number","multipleOf":0.25,"minimum":0.3}`, `{"type":"integer","minimum":9007199254740993}`,
		`{"type":"string","minLength":40}`, `{"type":"string","maxLength":2}`, `{"type":"string","pattern":"^[A-Z]{3}-\\d{4}$"}`, `{"type":"string","pattern":"^(foo|bar)+x?$","minLength":10}`,
		`{"type":"string","format":"date-time"}`, `{"type":"string","format":"uuid"}`, `{"type":"string","format":"uri"}`, `{"type":"string","format":"ipv6"}`, `{"type":"string","format":"duration"}`,
		`{"type":"array","items":{"type":"integer"},"minItems":3,"uniqueItems":true}`, `{"type":"array","items":{"enum":["a","b","c"]},"minItems":2,"uniqueItems":true}`,
		`{"type":"array","prefixItems":[{"type":"string"},{"type":"integer"}],"items":false}`, `{"type":"array","maxItems":0}`, `{"type":"array","contains":{"const":7}}`,
		`{"type":"object","minProperties":2,"additionalProperties":{"type":"integer"}}`, `{"type":"object","required":["x_a"],"patternProperties":{"^x_":{"type":"boolean"}}}`,
		`{"allOf":[{"type":"object","properties":{"a":{"type":"integer"}},"required":["a"]},{"properties":{"b":{"type":"string","minLength":9}},"required":["b"]}]}`,
		`{"anyOf":[{"type":"null"},{"$ref":"#/$defs/node"}]}`, `{"oneOf":[{"type":"object","properties":{"kind":{"const":"x"},"v":{"type":"integer"}},"required":["kind","v"]},{"type":"string"}]}`,
		`{"type":["null","boolean"]}`, `{"const":{"a":[1,null]}}`, `{"type":"object","properties":{"a":{},"b":{}},"required":["a"],"dependentRequired":{"a":["b"]}}`, `true`,
		`{"type":"string","default":"x","examples":["yz"]}`, `{"enum":[null,3,"c"]}`, `{"$ref":"#/properties/p0"}`,
	} {
		props = append(props, fmt.Sprintf(`"p%d":%s`, i, s))
	}
	var required []string
	for i := range props {
		required = append(required, fmt.Sprintf("%q", "p"+fmt.Sprint(i)))
	}
	whole := `{"type":"object","properties":{` + strings.Join(props, ",") + `},"required":[` + strings.Join(required, ",") + `],
		"$defs":{"node":{"type":"object","properties":{"next":{"anyOf":[{"$ref":"#/$defs/node"},{"type":"null"}]},"name":{"type":"string"}},"required":["name"]}}}`
	compiled, err := schema.Compile([]byte(whole))
	if err != nil {
		t.Fatal(err)
	}
	c := conversation{model: "native", messages: ask("Use the tool t, Bob, with 4 and \"a text\"."), members: object{"tool_choice": "required",
		"tools": []object{{"type": "function", "function": object{"name": "t", "parameters": json.RawMessage(whole)}}}}}
	args := send(t, base, simulate.OpenAI, c.body(simulate.OpenAI)).calls[0].args
	if d := cmp.Diff([]schema.Violation(nil), compiled.Validate([]byte(args))); d != "" {
		t.Errorf("%s\n%s", args, d)
	}
}
