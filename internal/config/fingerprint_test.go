package config_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/callwright/callwright/internal/config"
)

// answerValues has values of each key of a model that changes its answers. No two of them may have the same fingerprint.
var answerValues = map[string][]string{
	"mode":                     {"text", "[json_schema, text]"},
	"dialect":                  {"hermes", "pythonic"},
	"tool_format":              {`{example: '[[CALL search]]{"query": "tea"}[[/CALL]]'}`},
	"policy":                   {"strict", "observe"},
	"rules":                    {"{json.trailing_comma: false}", "{json.trailing_comma: true}"},
	"max_corrections":          {"1", "0"},
	"retry_other_mode":         {"false"},
	"strict_json_instructions": {"true", "false"},
	"expect_text_calls":        {"false"},
	"stream_calls":             {"held", "flowing"},
	"strict_tools":             {"on", "off"},
	"constrain":                {"on", "off"},
	"cache":                    {"client", "off"},
	"tools_over_limit":         {"error"},
	"fallbacks":                {"[lab/n]", "[lab/o]", "[{model: lab/n, on: [timeout]}]"},
	"params":                   {"{temperature: 0.3}", "{temperature: 0.4}"},
	"request":                  {"{verbosity: low}", "{verbosity: high}", "{verbosity: null}"},
	"call_rules":               {"[{name: a, tools: [x]}]", "[{name: b, tools: [x]}]"},
	"caps":                     {"{images: no}", "{images: yes}"},
	"tool_call_reliable":       {"true", "false"},
	"transforms":               {"[gemini_openrouter_compat]", "[deepseek_openrouter_compat]"},
	"tool_result_transforms":   {"[tool_result_compact_envelope]"},
	"message_transforms":       {"[assistant_tool_calls_content_null_if_blank]"},
	"tool_transforms":          {"[openai_tools_strip_function_descriptions]"},
	"response_transforms":      {"[assistant_tool_calls_object_to_array]"},
	"tool_call_transforms":     {"[assistant_tool_calls_arguments_blank_to_empty_object]"},
}

// sameAnswers are the keys of a model that change no answer, with the reason.
var sameAnswers = map[string]string{
	"max_retries":    "the same request is sent again",
	"max_retry_wait": "the same request is sent again",
	"timeouts":       "there is no answer beyond them",
	"retries":        "the same request is sent again",
	"breaker":        "the model is asked or not",
	"conversation":   "the conversation differs where the model is told",
	"probe":          "requests of its own",
}

// TestSettingsChangeTheFingerprint: each key of a model, or of its fallback, is part of the fingerprint of the requests to it, or changes no answer.
func TestSettingsChangeTheFingerprint(t *testing.T) {
	seen := map[string]string{fingerprint(t, "{}"): "{}"}
	for _, key := range settingKeys() {
		if (len(answerValues[key]) == 0) == (sameAnswers[key] == "") {
			t.Errorf("%s: give its values in answerValues, or in sameAnswers the reason why it changes no answer", key)
		}
		for _, value := range answerValues[key] {
			settings := "{" + key + ": " + value + "}"
			print := fingerprint(t, settings)
			if other, ok := seen[print]; ok {
				t.Errorf("%s has the fingerprint of %s", settings, other)
			}
			seen[print] = settings
		}
	}
}

// TestSettingsAreChecked: each key of a model refuses a value that it cannot have, with the place.
func TestSettingsAreChecked(t *testing.T) {
	for _, key := range settingKeys() {
		for _, value := range []string{"[[none]]", "such-as-nothing-is"} {
			_, err := config.Parse([]byte("models:\n  groq/x:\n    "+key+": "+value+"\n"), env("GROQ_API_KEY=k"))
			list, _ := err.(config.Errors)
			if len(list) == 0 || list[0].Line != 3 || !strings.Contains(list[0].Path, key) {
				t.Errorf("%s: %s: %v", key, value, err)
			}
		}
	}
}

// settingKeys returns the keys of a model that lie over those of its provider.
func settingKeys() []string {
	var keys []string
	for _, f := range reflect.VisibleFields(reflect.TypeFor[config.Settings]()) {
		if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); !f.Anonymous {
			keys = append(keys, name)
		}
	}
	return keys
}

// fingerprint returns the fingerprint of a request to a model with settings.
func fingerprint(t *testing.T, settings string) string {
	t.Helper()
	r := registry(t, parse(t, `
providers:
  lab: {wire: openai, base_url: "http://127.0.0.1:9"}
models:
  lab/m: `+settings+`
  lab/o: {params: {seed: 1}}
`))
	client, err := r.Resolve("lab/m")
	if err != nil {
		t.Fatal(settings, err)
	}
	plan, err := client.Explain(t.Context(), weather("lab/m"))
	if err != nil {
		t.Fatal(settings, err)
	}
	return plan.Fingerprint
}
