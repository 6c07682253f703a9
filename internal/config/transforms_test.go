package config_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/config"
	"github.com/callwright/callwright/internal/wire/codecs"
	"github.com/callwright/callwright/reliable"
	"github.com/callwright/callwright/transform"
)

// history is a conversation as a client of Chat Completions sends it, with all that a transform of requests changes.
const history = `{"model":"lab/m","messages":[{"role":"user","content":"Weather?"},` +
	`{"role":"assistant","content":"","tool_calls":[{"id":"c1","type":"function","function":{"name":"get_weather","arguments":"{\"city\":\"Oslo\"}"}}]},` +
	`{"role":"tool","tool_call_id":"c1","content":"{\"ok\":true,\"data\":{ },\"warnings\":[],\"n\":1.50}"}],` +
	`"tools":[{"type":"function","function":{"name":"get_weather","description":"Tells the weather.","parameters":{"type":"object","properties":{"city":{"type":"string","description":"A town."}}}}}]}`

// compacted is the result of history in a string of JSON.
const compacted = `{\"ok\":true,\"n\":1.50}`

// requests are the transforms of requests, with what stands in the body of each API before and after; where an API is left out, nothing changes.
var requests = []struct {
	name, rule    string
	before, after map[callwright.WireName]string
}{
	{"assistant_tool_calls_content_null_if_blank", "history.null_content",
		map[callwright.WireName]string{callwright.WireOpenAI: `"content":"","tool_calls"`}, map[callwright.WireName]string{callwright.WireOpenAI: `"content":null,"tool_calls"`}},
	{"assistant_tool_calls_reasoning_content_empty_if_missing", "history.empty_reasoning",
		map[callwright.WireName]string{callwright.WireOpenAI: `"content":"","tool_calls"`}, map[callwright.WireName]string{callwright.WireOpenAI: `"reasoning_content":"","tool_calls"`}},
	{"assistant_tool_calls_signature_skip_validator_if_missing", "history.sentinel",
		map[callwright.WireName]string{callwright.WireOpenAI: `\"Oslo\"}"}}]`, callwright.WireGemini: `"Oslo"}}}`},
		map[callwright.WireName]string{callwright.WireOpenAI: `"thought_signature":"skip_thought_signature_validator"`, callwright.WireGemini: `"thoughtSignature":"skip_thought_signature_validator"`}},
	{"openai_tools_strip_function_descriptions", "tools.description", everywhere("Tells the weather."), everywhere("A town.")},
	{"tool_result_compact_envelope", "history.compact_result", everywhere("warnings"), everywhere(compacted)},
}

func everywhere(text string) map[callwright.WireName]string {
	out := map[callwright.WireName]string{}
	for _, c := range codecs.All() {
		out[c.Name()] = text
	}
	return out
}

// planned is what a client of Chat Completions makes of history under a configuration.
func planned(t *testing.T, text string) *reliable.Explanation {
	t.Helper()
	client, err := registry(t, parse(t, text)).Resolve("lab/m")
	if err != nil {
		t.Fatal(err)
	}
	codec, _ := codecs.Of(callwright.WireOpenAI)
	req, err := codec.DecodeRequest([]byte(history))
	if err != nil {
		t.Fatal(err)
	}
	plan, err := client.Explain(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	return plan
}

// sent is the body that planned comes to for the first model, and the rules of the notes.
func sent(t *testing.T, text string) (body string, rules []string) {
	t.Helper()
	first := planned(t, text).Chain[0]
	for _, n := range first.Notes {
		rules = append(rules, n.Rule)
	}
	return string(first.Body), rules
}

func lab(wire callwright.WireName, more string) string {
	return fmt.Sprintf("providers:\n  lab: {wire: %s, base_url: \"http://127.0.0.1:9\"}\n%s", wire, more)
}

// Each transform of requests changes what it says in each API and nothing else, wherever it is named; not under the policies that
// change nothing, and not where its rule is off.
func TestRequestTransformsOnEveryWire(t *testing.T) {
	for _, c := range codecs.All() {
		wire := c.Name()
		plain, _ := sent(t, lab(wire, ""))
		for _, tr := range requests {
			i := slices.IndexFunc(transform.Builtins(), func(b transform.Transform) bool { return b.Name == tr.name })
			key := transform.Builtins()[i].Point.Key()
			places := map[string]string{
				"model":        lab(wire, "models:\n  lab/m: {"+key+": ["+tr.name+"]}"),
				"any point":    lab(wire, "models:\n  lab/m: {transforms: ["+tr.name+"]}"),
				"pattern":      lab(wire, "models:\n  \"l*\": {"+key+": \" "+tr.name+" ,\"}"),
				"top":          key + ": " + tr.name + "\n" + lab(wire, ""),
				"named twice":  key + ": " + tr.name + "\n" + lab(wire, "models:\n  lab/m: {"+key+": "+tr.name+"}"),
				"strict":       key + ": " + tr.name + "\n" + lab(wire, "models:\n  lab/m: {policy: strict}"),
				"not observed": key + ": " + tr.name + "\n" + lab(wire, "models:\n  lab/m: {policy: observe}"),
				"not when off": key + ": " + tr.name + "\n" + lab(wire, "models:\n  lab/m: {policy: \"off\"}"),
				"not its rule": key + ": " + tr.name + "\n" + lab(wire, "models:\n  lab/m: {rules: {"+tr.rule+": false}}"),
				"another":      lab(wire, "models:\n  \"x*\": {"+key+": "+tr.name+"}"),
			}
			for _, p := range transform.Presets() {
				if slices.Contains(p.Transforms, tr.name) {
					places[p.Name] = lab(wire, "models:\n  lab/m: {tool_transforms: "+p.Name+"}")
				}
			}
			for place, text := range places {
				before, after := tr.before[wire], tr.after[wire]
				body, rules := sent(t, text)
				if before == "" || strings.HasPrefix(place, "not ") || place == "another" {
					if want, _ := sent(t, lab(wire, policyOf(text))); body != want || slices.Contains(rules, tr.rule) {
						t.Errorf("%s, %s, %s: %v\n%s\nbefore\n%s", wire, tr.name, place, rules, body, want)
					}
					continue
				}
				if !strings.Contains(plain, before) || strings.Contains(body, before) || !strings.Contains(body, after) || !slices.Contains(rules, tr.rule) {
					t.Errorf("%s, %s, %s: %v\n%s\nbefore\n%s", wire, tr.name, place, rules, body, plain)
				}
			}
		}
	}
}

// policyOf is the model of a configuration with its policy alone.
func policyOf(text string) string {
	for _, p := range []string{"observe", `"off"`, "strict"} {
		if strings.Contains(text, "policy: "+p) {
			return "models:\n  lab/m: {policy: " + p + "}"
		}
	}
	return ""
}

// oddAnswers are answers of Chat Completions that the transforms of answers read, with the rule by which they do.
var oddAnswers = []struct{ name, rule, message, delta string }{
	{"assistant_function_call_to_tool_calls", "wire.function_call", `"content":null,"function_call":{"name":"get_weather","arguments":"{\"city\":\"Oslo\"}"}`, ""},
	{"assistant_tool_calls_object_to_array", "wire.single_call",
		`"content":null,"tool_calls":{"id":"c1","type":"function","function":{"name":"get_weather","arguments":"{\"city\":\"Oslo\"}"}}`, ""},
	{"assistant_tool_calls_arguments_json_string_if_hash", "wire.arguments_object",
		`"content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"get_weather","arguments":{"city":"Oslo"}}}]`,
		`"tool_calls":[{"index":0,"id":"c1","type":"function","function":{"name":"get_weather","arguments":{"city":"Oslo"}}}]`},
	{"assistant_tool_calls_arguments_blank_to_empty_object", "json.empty", `"content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"get_weather","arguments":" "}}]`,
		`"tool_calls":[{"index":0,"id":"c1","type":"function","function":{"name":"get_weather","arguments":""}}]`},
	{"assistant_content_tool_call_tags_to_tool_calls", "dialect.hermes", `"content":"<tool_call>{\"name\":\"get_weather\",\"arguments\":{\"city\":\"Oslo\"}}</tool_call>"`, ""},
}

// answering is a server of Chat Completions that gives one message, whole or in pieces.
func answering(t *testing.T, message, delta string) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if !strings.Contains(string(body), `"stream":true`) {
			fmt.Fprintf(w, `{"id":"x","object":"chat.completion","model":"m","choices":[{"index":0,"message":{"role":"assistant",%s},"finish_reason":"stop"}]}`, message)
			return
		}
		if delta == "" {
			delta = message
		}
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprintf(w, "data: {\"id\":\"x\",\"model\":\"m\",\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\",%s}}]}\n\ndata: {\"id\":\"x\",\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n", delta)
	}))
	t.Cleanup(s.Close)
	return s.URL
}

// Each transform of answers has its rule read what it names, whole and streamed, also for a model whose text is not searched otherwise; and
// each preset does what its transforms do.
func TestAnswerTransforms(t *testing.T) {
	for _, a := range oddAnswers {
		named := map[string]bool{a.name: true}
		for _, p := range transform.Presets() {
			named[p.Name] = slices.Contains(p.Transforms, a.name)
		}
		for name, member := range named {
			if !member {
				continue
			}
			url := answering(t, a.message, a.delta)
			r := registry(t, parse(t, "transforms: "+name+"\nproviders:\n  lab: {wire: openai, base_url: \""+url+"\", caps: {tool_call_reliable: yes}}\n"))
			client, err := r.Resolve("lab/m")
			if err != nil {
				t.Fatal(err)
			}
			req := weather("lab/m")
			req.Tools = []callwright.Tool{{Name: "get_weather"}}
			for way, resp := range map[string]func() (*callwright.Response, error){
				"whole":    func() (*callwright.Response, error) { return client.Generate(t.Context(), req) },
				"streamed": func() (*callwright.Response, error) { return callwright.Collect(client.Stream(t.Context(), req)) },
			} {
				got, err := resp()
				if err != nil || len(got.Calls()) != 1 || got.Text() != "" {
					t.Errorf("%s, %s, %s: %+v, %v", a.name, name, way, got, err)
					continue
				}
				if !slices.ContainsFunc(got.Report.Notes, func(n callwright.Note) bool { return n.Rule == a.rule }) {
					t.Errorf("%s, %s, %s: no note %s: %+v", a.name, name, way, a.rule, got.Report.Notes)
				}
			}
		}
	}
}

// Calls in tags are read where the transform is named, although the model is said to write none; what is configured of that stands.
func TestTagsAreLookedFor(t *testing.T) {
	last := oddAnswers[len(oddAnswers)-1]
	url := answering(t, last.message, "")
	for settings, calls := range map[string]int{
		"{}":                       1,
		"{caps: {text_calls: no}}": 0,
		"{response_transforms: " + last.name + "}":                               1,
		"{transforms: content_tag_tool_call_fallback}":                           1,
		"{transforms: content_tag_tool_call_fallback, caps: {text_calls: no}}":   0,
		"{transforms: content_tag_tool_call_fallback, expect_text_calls: false}": 0,
		"{expect_text_calls: false}":                                             0,
		"{rules: {dialect.hermes: false}}":                                       0,
		"{transforms: " + last.name + ", rules: {dialect.hermes: false}}":        0,
	} {
		client, err := registry(t, parse(t, "providers:\n  lab: {wire: openai, base_url: \""+url+"\"}\nmodels:\n  lab/m: "+settings+"\n")).Resolve("lab/m")
		if err != nil {
			t.Fatal(err)
		}
		resp, err := client.Generate(t.Context(), weather("lab/m"))
		if err != nil || len(resp.Calls()) != calls {
			t.Errorf("%s: expected %d calls, got %+v, %v", settings, calls, resp, err)
		}
	}
}

// A fallback has the transforms of its own settings, and those of the file's top.
func TestTransformsOfFallbacks(t *testing.T) {
	plan := planned(t, `
tool_result_transforms: tool_result_compact_envelope
providers:
  lab: {wire: openai, base_url: "http://127.0.0.1:9", tool_transforms: openai_tools_strip_function_descriptions}
  sea: {wire: openai, base_url: "http://127.0.0.1:9"}
models:
  lab/m: {fallbacks: [sea/n], message_transforms: assistant_tool_calls_content_null_if_blank}
  sea/n: {transforms: deepseek_openrouter_compat}
`)
	for _, model := range []struct {
		id                                  callwright.ModelID
		null, empty, described, uncompacted bool
	}{{"lab/m", true, false, false, false}, {"sea/n", false, true, true, false}} {
		i := slices.IndexFunc(plan.Chain, func(s reliable.Step) bool { return s.Model == model.id })
		body := string(plan.Chain[i].Body)
		for text, want := range map[string]bool{`"reasoning_content":""`: model.empty, "Tells the weather.": model.described, "warnings": model.uncompacted} {
			if strings.Contains(body, text) != want {
				t.Errorf("%s: %s stands there: %v\n%s", model.id, text, !want, body)
			}
		}
		if got := slices.ContainsFunc(plan.Chain[i].Notes, func(n callwright.Note) bool { return n.Rule == "history.null_content" }); got != model.null {
			t.Errorf("%s: content became null: %v", model.id, got)
		}
	}
}

// Names that are unknown, and names at the wrong point, are errors that say what was meant.
func TestWrongTransforms(t *testing.T) {
	for text, want := range map[string]string{
		"tool_transforms: tool_result_compact_envelope":                                              `tool_transforms[0]: tool_result_compact_envelope belongs to tool_result_transforms`,
		"transforms: [tool_result_compact_envelop]":                                                  `transforms[0]: unknown transform "tool_result_compact_envelop": did you mean tool_result_compact_envelope?`,
		"models: {\"*\": {message_transforms: \"gemini_openrouter_compat, content_null\"}}":          `models["*"].message_transforms[1]: unknown transform "content_null": did you mean assistant_tool_calls_content_null_if_blank?`,
		"message_transforms: arguments":                                                              `did you mean assistant_tool_calls_arguments_json_string_if_hash or assistant_tool_calls_arguments_blank_to_empty_object?`,
		"tool_transforms: shout":                                                                     `expected openai_tools_strip_function_descriptions, openai_compatible_reliability,`,
		"tool_result_transforms: {tool_result_compact_envelope: true}":                               `expected text, got a mapping`,
		"providers: {groq: {response_transforms: [assistant-content-tool-call-tags-to-tool-calls]}}": `did you mean assistant_content_tool_call_tags_to_tool_calls?`,
		"tool_call_transforms: assistant_tool_calls_object_to_array":                                 `assistant_tool_calls_object_to_array belongs to response_transforms`,
		"message_transform: x":                                                                       `unknown key "message_transform": did you mean message_transforms?`,
	} {
		_, err := config.Parse([]byte(text+"\n"), env("GROQ_API_KEY=k"))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v\nwant %s", text, err, want)
		}
	}
	for _, text := range []string{"transforms: ", "transforms: []", "transforms: gemini_openrouter_compat", "tool_transforms: [gemini_openrouter_compat, openai_compatible_reliability]", "transforms: ','"} {
		if _, err := config.Parse([]byte(text+"\n"), env()); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
}
