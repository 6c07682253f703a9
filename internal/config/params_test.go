package config_test

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/config"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/codecs"
)

// Parameters by their neutral names reach every API under its own, the later settings win, and what the client gave stays.
func TestParamsReachEveryWire(t *testing.T) {
	places := map[callwright.WireName]map[string]string{
		callwright.WireOpenAI:    {"temperature": "temperature", "top_p": "top_p", "max_tokens": "max_tokens", "stop": "stop"},
		callwright.WireResponses: {"temperature": "temperature", "top_p": "top_p", "max_tokens": "max_output_tokens"},
		callwright.WireAnthropic: {"temperature": "temperature", "top_p": "top_p", "max_tokens": "max_tokens", "stop": "stop_sequences"},
		callwright.WireGemini: {"temperature": "generationConfig/temperature", "top_p": "generationConfig/topP", "max_tokens": "generationConfig/maxOutputTokens",
			"stop": "generationConfig/stopSequences"},
		callwright.WireOllama: {"temperature": "options/temperature", "top_p": "options/top_p", "max_tokens": "options/num_predict", "stop": "options/stop"},
	}
	want := map[string]string{"temperature": "0.30", "top_p": "0.9", "max_tokens": "77", "stop": `["END"]`}
	for _, c := range codecs.All() {
		r := registry(t, parse(t, `
providers:
  lab: {wire: `+string(c.Name())+`, base_url: "http://127.0.0.1:9", params: {temperature: 0.7, max_tokens: 77}}
models:
  lab/m: {params: {temperature: 0.30, top_p: 0.9, stop: END}}
`))
		for _, given := range []json.Number{"", "0.1"} {
			req := weather("lab/m")
			req.Params.TopP = given
			client, err := r.Resolve("lab/m")
			if err != nil {
				t.Fatal(err)
			}
			plan, err := client.Explain(t.Context(), req)
			if err != nil {
				t.Fatal(err)
			}
			body := plan.Chain[0].Body
			for name, place := range places[c.Name()] {
				value := want[name]
				if name == "top_p" && given != "" {
					value = string(given)
				}
				if got, _ := jsonx.Lookup(body, strings.Split(place, "/")...); string(got) != value {
					t.Errorf("%s: %s is %s, want %s: %s", c.Name(), place, got, value, body)
				}
			}
			for _, name := range []string{"temperature", "max_tokens"} {
				if _, at := jsonx.Find(body, name); at && !strings.HasPrefix(places[c.Name()][name], name) {
					t.Errorf("%s: %s stands where the API does not know it: %s", c.Name(), name, body)
				}
			}
		}
	}
}

// Every parameter is in the body that an API gets, or a note says that the API lacks it, or what became of it; one that the model is known to
// refuse is left out with a note.
func TestEveryParamIsSentOrNoted(t *testing.T) {
	values := map[string]string{"temperature": "0.25", "top_p": "0.75", "top_k": "17", "presence_penalty": "0.5", "frequency_penalty": "0.5", "seed": "4711", "max_tokens": "2048",
		"stop": "[HALT, STOP]", "reasoning_effort": "high", "reasoning_budget": "1024", "user": "somebody"}
	refusedAs := map[string]string{"reasoning_budget": "thinking"}
	for _, c := range codecs.All() {
		bodyOf := func(settings string) (string, []string) {
			r := registry(t, parse(t, "providers:\n  lab: {wire: "+string(c.Name())+", base_url: 'http://127.0.0.1:9'}\nmodels:\n  lab/m: "+settings+"\n"))
			client, err := r.Resolve("lab/m")
			if err != nil {
				t.Fatal(err)
			}
			plan, err := client.Explain(t.Context(), weather("lab/m"))
			if err != nil {
				t.Fatal(err)
			}
			var notes []string
			for _, n := range plan.Chain[0].Notes {
				notes = append(notes, n.Rule+" "+n.Path)
			}
			return string(plan.Chain[0].Body), notes
		}
		plain, _ := bodyOf("{}")
		for name, value := range values {
			body, notes := bodyOf("{params: {" + name + ": " + value + "}}")
			lacking := 0
			for _, n := range notes {
				if strings.HasPrefix(n, "params.") || strings.HasPrefix(n, "field.") {
					lacking++
				}
			}
			if !slices.Contains(notes, "request.configured /"+name) || body == plain && lacking == 0 {
				t.Errorf("%s: %s is neither sent nor noted: %v", c.Name(), name, notes)
			}
			body, notes = bodyOf("{params: {" + name + ": " + value + "}, caps: {drop_fields: \"x," + cmp.Or(refusedAs[name], name) + "\"}}")
			if name != "max_tokens" && body != plain || strings.Contains(body, values["max_tokens"]) || !slices.Contains(notes, "request.left_out /"+name) {
				t.Errorf("%s: %s is refused: %v, %s", c.Name(), name, notes, body)
			}
		}
	}
}

// What a client says of its reasoning stands as a whole: neither effort nor budget is added to it.
func TestParamsBesideTheClients(t *testing.T) {
	r := registry(t, parse(t, `
providers: {lab: {wire: openai, base_url: "http://127.0.0.1:9", params: {reasoning_effort: low, user: theirs, seed: 1}}}
models: {lab/m: {params: {reasoning_effort: high}}}
`))
	client, err := r.Resolve("lab/m")
	if err != nil {
		t.Fatal(err)
	}
	for want, change := range map[string]func(p *callwright.Params){
		`"high" "theirs"`: func(*callwright.Params) {},
		`"none" "theirs"`: func(p *callwright.Params) { p.Thinking.Off = true },
		`"max" "theirs"`:  func(p *callwright.Params) { p.Thinking.Effort = "max" },
		`"high" "own"`:    func(p *callwright.Params) { p.User = "own" },
	} {
		req := weather("lab/m")
		change(&req.Params)
		plan, err := client.Explain(t.Context(), req)
		if err != nil {
			t.Fatal(err)
		}
		effort, _ := jsonx.Find(plan.Chain[0].Body, "reasoning_effort")
		user, _ := jsonx.Find(plan.Chain[0].Body, "user")
		if got := string(effort) + " " + string(user); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// A value of the wrong kind is an error with its place.
func TestParamsAreChecked(t *testing.T) {
	for text, want := range map[string]string{
		"temperature: hot": "expected a number", "top_k: 1.5": "expected a whole number", "seed: true": "expected a whole number", "max_tokens: many": "expected a whole number",
		"stop: []": "expected a string", "stop: {a: b}": "expected text", "reasoning_effort: extreme": "expected none, minimal, low, medium, high, xhigh or max",
		"reasoning_effort: hihg": "did you mean high?", "reasoning_effort: 3": "expected text", "reasoning_budget: low": "expected a whole number", "user: 7": "expected text", "user: [a]": "expected text",
		"heat: 1": "unknown parameter \"heat\"",
	} {
		_, err := config.Parse([]byte("models:\n  groq/x:\n    params: {"+text+"}\n"), env("GROQ_API_KEY=k"))
		list, _ := err.(config.Errors)
		if len(list) != 1 || list[0].Line != 3 || !strings.Contains(list[0].Message, want) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// A configuration that replaced what the client says, by the name that any API has for it, is refused with the place.
func TestRequestLeavesTheClientsOwn(t *testing.T) {
	for _, member := range []string{"model", "messages", "tools", "tool_choice", "response_format", "input", "instructions", "system", "contents",
		"systemInstruction", "toolConfig", "format", "functions", "function_call", "stream"} {
		for _, value := range []string{"null", "[]", "{}", "{a: b}", "x"} {
			_, err := config.Parse([]byte("models:\n  groq/x:\n    request:\n      "+member+": "+value+"\n"), env("GROQ_API_KEY=k"))
			list, _ := err.(config.Errors)
			if len(list) != 1 || list[0].Line != 4 || list[0].Column < 7 || !strings.Contains(list[0].Path, member) {
				t.Errorf("%s: %s: %v", member, value, err)
			}
		}
	}
	for _, fine := range []string{"temperature: 1", "text: {verbosity: low}", "generationConfig: {topK: 3}", "output_config: {effort: low}", "metadata: {model: x}"} {
		parse(t, "models:\n  groq/x:\n    request:\n      "+fine+"\n", "GROQ_API_KEY=k")
	}
}
