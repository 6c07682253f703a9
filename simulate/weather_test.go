package simulate_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/callwright/callwright/simulate"
	"github.com/google/go-cmp/cmp"
)

// run plays the client of a tool loop until the model stops calling, and gives the names and arguments of the calls, one
// string a turn, and the final text.
func run(t *testing.T, base, wire string, c conversation) (turns []string, final string) {
	t.Helper()
	for range 6 {
		got := send(t, base, wire, c.body(wire))
		if got.status != 200 || c.stream && !got.complete {
			t.Fatalf("got %s", got)
		}
		if len(got.calls) == 0 {
			return turns, got.text
		}
		var calls []string
		for _, call := range got.calls {
			calls = append(calls, call.name+call.args)
		}
		turns = append(turns, strings.Join(calls, " "))
		c.messages = append(c.messages, dresses[wire].loop(got.calls, "18 C")...)
	}
	t.Fatal("the model never stopped calling")
	return nil, ""
}

// serials are the wires on which a client can ask for one call at a time.
var serials = []string{simulate.OpenAI, simulate.Responses, simulate.Anthropic}

func TestWeatherLoop(t *testing.T) {
	oslo, paris := `get_weather{"city": "Oslo"}`, `get_weather{"city": "Paris"}`
	for _, tc := range []struct {
		name, ask string
		serial    bool
		turns     []string
		final     string
	}{
		{name: "one", ask: "What is the weather in Oslo?", turns: []string{oslo}, final: "It is 18 C."},
		{name: "parallel", ask: twoCities, turns: []string{oslo + " " + paris}, final: "It is 18 C; 18 C."},
		{name: "serial", ask: twoCities, serial: true, turns: []string{oslo, paris}, final: "It is 18 C; 18 C."},
		{name: "long name", ask: "So, what is the weather like in New York tomorrow?", turns: []string{`get_weather{"city": "New York"}`}, final: "It is 18 C."},
		{name: "short", ask: "Weather in Oslo?", turns: []string{oslo}, final: "It is 18 C."},
		{name: "other", ask: "Who are you?", final: "I am a simulated model. Ask me: What is the weather in Oslo?"},
	} {
		for _, wire := range wires {
			if tc.serial && !slices.Contains(serials, wire) {
				continue
			}
			for form, stream := range streamed {
				t.Run(tc.name+"/"+wire+"/"+form, func(t *testing.T) {
					base, _ := start(t, simulate.Weather())
					c := conversation{model: "sim/native", stream: stream, tools: true, serial: tc.serial, messages: ask(tc.ask)}
					turns, final := run(t, base, wire, c)
					if d := cmp.Diff(tc.turns, turns); d != "" {
						t.Error(d)
					}
					if final != tc.final {
						t.Errorf("final %q, want %q", final, tc.final)
					}
				})
			}
		}
	}
}

// formats asks for a JSON answer on any wire.
func formats(schema string) func(wire string) object {
	return func(wire string) object { return dresses[wire].form(json.RawMessage(schema)) }
}

// Cases that need one request: what stands in the history decides.
func TestWeatherAnswers(t *testing.T) {
	question := "What is the weather in Oslo?"
	user := func(text string) object { return object{"role": "user", "content": text} }
	model := func(text string) object { return object{"role": "assistant", "content": text} }
	described := "You can call these tools:\n- get_weather: finds the weather"
	for _, tc := range []struct {
		name string
		conversation
		want string
	}{
		{"no tool", conversation{messages: ask(question)}, "text: I have no tool to look up the weather."},
		{"none allowed", conversation{tools: true, choice: "none", messages: ask(question)}, "text: I have no tool to look up"},
		{"demanded", conversation{tools: true, choice: "required", messages: ask("Hello")}, `name=get_weather args={"city": "sample"};`},
		{"described in the prompt", conversation{system: described, messages: ask(question)}, "text: <tool_call>\n{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Oslo\"}}\n</tool_call>"},
		{"demanded in the prompt", conversation{system: described + "\nYou must call a tool.", messages: ask("Hello")}, "text: <tool_call>\n{\"name\": \"get_weather\""},
		{"refuses tools, described in the prompt", conversation{model: "no_tools_400", system: described, messages: ask(question)}, "text: <tool_call>\n{\"name\": \"get_weather\""},
		{"a dialect of its own in the prompt", conversation{model: "pythonic", system: described, messages: ask(question)}, `text: [get_weather(city="Oslo")]`},
		{"result as text", conversation{system: described, messages: []object{user(question), model(`<tool_call>{"name":"get_weather","arguments":{"city":"Oslo"}}</tool_call>`), user("<tool_response>\nThe weather in Oslo is fine.\n</tool_response>")}}, "text: It is The weather in Oslo is fine.\n"},
		{"document", conversation{system: described + ` {"toolCalls":[]}`, messages: ask(question)}, `text: {"toolCalls": [{"name": "get_weather", "arguments": {"city": "Oslo"}}]}`},
		{"document of a schema", conversation{messages: ask(question), format: formats(`{"toolCalls":{"items":{"const":"find_weather"}}}`)}, `text: {"toolCalls": [{"name": "find_weather", "arguments": {"city": "Oslo"}}]}`},
		{"a word that is no tool", conversation{system: "You are a weather-bot.", messages: ask(question)}, "text: I have no tool"},
		{"document answer", conversation{system: described + ` {"toolCalls":[]}`, messages: ask("Hello")}, `text: {"answer": "I am a simulated model.`},
		{"broken once", conversation{model: "truncate-at", tools: true, messages: ask(question)}, `args={"city": "Osl;`},
		{"corrected", conversation{model: "truncate-at", tools: true, messages: []object{user(question), model("{"), user("That was cut off.")}}, `args={"city": "Oslo"};`},
		{"corrected by a further message", conversation{model: "wrong_then_right", tools: true, messages: []object{user(question), user("The city is missing.")}}, `args={"city": "Oslo"};`},
		{"never right", conversation{model: "never_right", tools: true, messages: []object{user(question), model("{"), user("The city is missing.")}}, `args={"days": 3};`},
		{"second question", conversation{model: "hermes-unclosed", tools: true, messages: []object{user(question), model("It is cold."), user("And what is the weather in Rome?")}}, "text: <tool_call>"},
	} {
		for _, wire := range wires {
			if wire == simulate.Anthropic && tc.name == "corrected by a further message" {
				continue // a real server joins messages of one role
			}
			if wire == simulate.Ollama && tc.choice != "" {
				continue // it has no way to say so
			}
			t.Run(tc.name+"/"+wire, func(t *testing.T) {
				base, _ := start(t, simulate.Weather())
				if tc.model == "" {
					tc.model = "native"
				}
				if got := send(t, base, wire, tc.body(wire)); !strings.Contains(got.String(), tc.want) {
					t.Errorf("want %q in\n%s", tc.want, got)
				}
			})
		}
	}
}

// A call that was answered by an error counts as made only where it was a right one.
func TestWeatherCallsAgainAfterAWrongCall(t *testing.T) {
	for _, tc := range []struct{ name, tool, args, want string }{
		{"unknown tool", "lookup_forecast", `{"city":"Oslo"}`, `name=get_weather args={"city": "Oslo"};`},
		{"no city", "get_weather", `{}`, `name=get_weather args={"city": "Oslo"};`},
		{"right", "get_weather", `{"city":"Oslo"}`, "text: It is no such place."},
	} {
		t.Run(tc.name, func(t *testing.T) {
			base, _ := start(t, simulate.Weather())
			function := object{"name": tc.tool, "arguments": tc.args}
			c := conversation{model: "bad_name-unknown", tools: true, messages: []object{
				{"role": "user", "content": "What is the weather in Oslo?"},
				{"role": "assistant", "content": nil, "tool_calls": []object{{"id": "call_1", "type": "function", "function": function}}},
				{"role": "tool", "tool_call_id": "call_1", "content": "no such place"},
			}}
			if got := send(t, base, simulate.OpenAI, c.body(simulate.OpenAI)); !strings.Contains(got.String(), tc.want) {
				t.Errorf("want %q in\n%s", tc.want, got)
			}
		})
	}
}

// The argument for the city follows the declared schema, and so does the tool.
func TestWeatherFitsTheDeclaredTool(t *testing.T) {
	base, _ := start(t, simulate.Weather())
	schema := json.RawMessage(`{"type":"object","properties":{"location":{"type":"string"},"unit":{"enum":["c","f"]}},"required":["location","unit"]}`)
	c := conversation{model: "m", messages: ask("What is the weather in Oslo?"), members: object{"tools": []object{
		{"type": "function", "function": object{"name": "send_mail"}},
		{"type": "function", "function": object{"name": "current_weather", "parameters": schema}},
	}}}
	got := send(t, base, simulate.OpenAI, c.body(simulate.OpenAI))
	if want := `name=current_weather args={"location": "Oslo", "unit": "c"};`; !strings.Contains(got.String(), want) {
		t.Errorf("want %q in\n%s", want, got)
	}
}
