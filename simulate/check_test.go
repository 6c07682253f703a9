package simulate_test

import (
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/callwright/callwright/simulate"
)

// A checkCase is a request that a check refuses, and the nearest one that passes, both laid over a sound request of the wire.
type checkCase struct {
	check string // name, of the profile and the wire that the list stands under
	trips string // members, as JSON
	want  string // what the refusal says
	near  string // members, as JSON
}

// A checkList has the cases of a profile on a wire.
type checkList struct {
	wire, profile string
	cases         []checkCase
}

// sound are the requests that the cases are laid over.
var sound = map[string]string{
	simulate.OpenAI:    `{"messages":[{"role":"user","content":"Hi"}],"tools":[{"type":"function","function":{"name":"a"}}]}`,
	simulate.Responses: `{"input":"Hi","tools":[{"type":"function","name":"a","parameters":{"type":"object"}}]}`,
	simulate.Anthropic: `{"messages":[{"role":"user","content":"Hi"}],"max_tokens":2048,"tools":[{"name":"a","input_schema":{"type":"object"}}]}`,
	simulate.Gemini:    `{"contents":[{"role":"user","parts":[{"text":"Hi"}]}],"tools":[{"functionDeclarations":[{"name":"a"}]}]}`,
	simulate.Ollama:    `{"messages":[{"role":"user","content":"Hi"}],"tools":[{"function":{"name":"a"}}]}`,
}

// over lays members over the sound request of a wire; null takes one away.
func over(t testing.TB, wire, members string) object {
	t.Helper()
	var body, more map[string]json.RawMessage
	decode(t, sound[wire], &body)
	decode(t, "{"+members+"}", &more)
	maps.Copy(body, more)
	out := object{}
	for k, v := range body {
		if string(v) != "null" {
			out[k] = v
		}
	}
	return out
}

var checkLists = slices.Concat(chatCases, responsesCases, messageCases, geminiCases, ollamaCases)

func TestChecksTripAndPass(t *testing.T) {
	base, _ := start(t, simulate.Weather())
	tripped := map[string]bool{}
	for _, l := range checkLists {
		for _, c := range l.cases {
			key := l.wire + "/" + l.profile + "/" + c.check
			tripped[key] = true
			t.Run(key, func(t *testing.T) {
				body := over(t, l.wire, c.trips)
				body["model"], body["stream"] = "strict-"+l.profile, false
				got := send(t, base, l.wire, body)
				if got.status < 400 || got.header.Get(simulate.CheckHeader) != key || !strings.Contains(got.err+got.raw, c.want) {
					t.Errorf("want a refusal with %q, got %s\n%s\nof %s", c.want, got, got.raw, got.header.Get(simulate.CheckHeader))
				}
				body = over(t, l.wire, c.near)
				body["model"], body["stream"] = "strict-"+l.profile, false
				if got = send(t, base, l.wire, body); got.status != http.StatusOK {
					t.Errorf("want the near miss answered, got %s\n%s", got, got.raw)
				}
				// What is refused here is the profile's own affair: without it the check is not made.
				body = over(t, l.wire, c.near)
				body["model"], body["stream"] = "native", false
				if got = send(t, base, l.wire, body); got.status != http.StatusOK {
					t.Errorf("want it answered without the profile, got %s", got)
				}
			})
		}
	}
	for _, c := range simulate.Checks() {
		if key := c.Wire + "/" + c.Profile + "/" + c.Name; !tripped[key] {
			t.Errorf("%s: no request trips the check", key)
		}
	}
}

func TestChecksAreSound(t *testing.T) {
	profiles := map[string]bool{}
	for _, p := range simulate.Profiles() {
		if profiles[p.Name] || p.Doc == "" || p.Base != "" && !profiles[p.Base] {
			t.Errorf("%+v: expected a name of its own, a documentation and a base that stands before it", p)
		}
		profiles[p.Name] = true
	}
	seen := map[string]bool{}
	for _, c := range simulate.Checks() {
		key := c.Wire + "/" + c.Profile + "/" + c.Name
		if seen[key] || c.Doc == "" || !profiles[c.Profile] || sound[c.Wire] == "" {
			t.Errorf("%s: expected a name of its own, a documentation, a profile and a wire", key)
		}
		seen[key] = true
	}
}

// The whole bodies of refusals, one for each shape.
func TestRefusalsHaveTheProvidersOwnBodies(t *testing.T) {
	base, _ := start(t, simulate.Weather())
	for _, tc := range []struct {
		wire, profile, members string
		status                 int
		want                   string
	}{
		{simulate.OpenAI, "openai", `"foo":1`, 400, `{"error":{"message":"Unknown parameter: 'foo'.","type":"invalid_request_error","param":"foo","code":"unknown_parameter"}}`},
		{simulate.OpenAI, "mistral", `"messages":[{"role":"user","content":"Hi"},{"role":"assistant","content":"x"}]`, 400,
			`{"object":"error","message":"Expected last role User or Tool (or Assistant with prefix True) for serving but got assistant","type":"invalid_request_message_order","param":null,"code":"3230"}`},
		{simulate.OpenAI, "mistral", `"seed":1`, 422, `{"detail":[{"type":"extra_forbidden","loc":["body","seed"],"msg":"Extra inputs are not permitted","input":1}]}`},
		{simulate.Responses, "openai", `"input":[{"type":"reasoning","id":"rs_1","summary":[]}]`, 400,
			`{"error":{"message":"Item 'rs_1' of type 'reasoning' was provided without its required following item.","type":"invalid_request_error","param":"input","code":null}}`},
		{simulate.Anthropic, "anthropic", `"seed":1`, 400,
			`{"type":"error","error":{"type":"invalid_request_error","message":"seed: Extra inputs are not permitted"},"request_id":"req_sim"}`},
		{simulate.Gemini, "gemini", `"seed":1`, 400,
			`{"error":{"code":400,"message":"Invalid JSON payload received. Unknown name \"seed\": Cannot find field.","status":"INVALID_ARGUMENT",` +
				`"details":[{"@type":"type.googleapis.com/google.rpc.BadRequest","fieldViolations":[{"field":"","description":"Invalid JSON payload received. Unknown name \"seed\": Cannot find field."}]}]}}`},
		{simulate.Ollama, "ollama-plain", ``, 400, `{"error":"registry.ollama.ai/library/strict-ollama-plain does not support tools"}`},
	} {
		body := over(t, tc.wire, tc.members)
		body["model"], body["stream"] = "strict-"+tc.profile, false
		if got := send(t, base, tc.wire, body); got.status != tc.status || got.raw != tc.want {
			t.Errorf("%s: got %d %s\nwant %d %s", tc.profile, got.status, got.raw, tc.status, tc.want)
		}
	}
}

// A server can hold every model to a profile, a fault may be asked for beside one, and a profile that is none is no model.
func TestWaysToAskForAProfile(t *testing.T) {
	for _, tc := range []struct {
		name, model string
		opts        []simulate.Option
		status      int
	}{
		{"option", "gpt-4o", []simulate.Option{simulate.Strict("openai")}, 400},
		{"name", "sim/strict-openai", nil, 400},
		{"with a fault", "strict-openai/hermes-unclosed", nil, 400},
		{"neither", "gpt-4o", nil, 200},
		{"no such profile", "strict-openi", nil, 404},
	} {
		base, _ := start(t, simulate.Weather(), tc.opts...)
		body := over(t, simulate.OpenAI, `"foo":1`)
		body["model"] = tc.model
		if got := send(t, base, simulate.OpenAI, body); got.status != tc.status {
			t.Errorf("%s: want status %d, got %s", tc.name, tc.status, got)
		}
	}
	base, _ := start(t, simulate.Weather())
	c := conversation{model: "strict-openai/hermes-unclosed", tools: true, messages: ask("What is the weather in Oslo?")}
	if got := send(t, base, simulate.OpenAI, c.body(simulate.OpenAI)); !strings.HasPrefix(got.text, "<tool_call>") {
		t.Errorf("want the fault beside the profile, got %s", got)
	}
}

// toolless are the profiles that take no tools, or none to choose from, on a wire.
var toolless = []string{simulate.OpenAI + "/openai-5.6", simulate.OpenAI + "/vllm", simulate.Ollama + "/ollama-plain"}

// A loop that gives back what it was given, as each wire wants it, passes every profile.
func TestSoundLoopsPassEveryProfile(t *testing.T) {
	for _, p := range simulate.Profiles() {
		for _, l := range checkLists {
			if l.profile != p.Name || slices.Contains(toolless, l.wire+"/"+p.Name) {
				continue
			}
			t.Run(p.Name+"/"+l.wire, func(t *testing.T) {
				base, _ := start(t, simulate.Weather())
				c := conversation{model: p.Model(), tools: true, messages: ask(twoCities), members: object{}}
				if l.wire == simulate.Responses {
					c.members["max_output_tokens"] = 160
				}
				got := send(t, base, l.wire, c.body(l.wire))
				if len(got.calls) != 2 {
					t.Fatalf("got %s\n%s", got, got.raw)
				}
				said := dresses[l.wire].loop(got.calls, "18 C")
				if got.reasoning != "" {
					said[0]["reasoning_content"] = got.reasoning
				}
				c.messages = append(c.messages, said...)
				if got = send(t, base, l.wire, c.body(l.wire)); got.text != "It is 18 C; 18 C." {
					t.Errorf("got %s\n%s", got, got.raw)
				}
			})
		}
	}
}
