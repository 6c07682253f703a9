package config_test

import (
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/config"
)

// The names that other programs have for keys mean what the keys mean, and a name without a provider means the models of that name at all
// of them.
func TestNamesOfOtherPrograms(t *testing.T) {
	for text, want := range map[string]map[string]string{ // models to the mode of their first candidate, and what is said of their calls
		"models: {lab/m: {mode: text}}":                                             {"lab/m": "text", "lab/n": "native"},
		"modelOverrides: {lab/m: {mode: text}}":                                     {"lab/m": "text", "lab/n": "native"},
		"modelOverrides: {m: {mode: text}}":                                         {"lab/m": "text", "lab/org/m": "text", "lab/M": "text", "lab/mm": "native", "lab/m/x": "native"},
		"modelOverrides: {meta-llama/llama-3.3-70b-instruct: {mode: text}}":         {"lab/meta-llama/llama-3.3-70b-instruct": "text", "lab/meta-llama/llama-3.3-70b-instruct:free": "native", "lab/llama-3.3-70b-instruct": "native", "lab/x/Meta-Llama/llama-3.3-70b-instruct": "text"},
		"modelOverrides: {anthropic/parrot: {mode: text}}":                          {"lab/anthropic/parrot": "text", "lab/parrot": "native", "anthropic/parrot": "text"},
		"modelOverrides: {'meta-llama/*': {mode: text}}":                            {"lab/meta-llama/llama-3.3-70b-instruct": "text", "lab/metal/x": "native"},
		"modelOverrides: {lab/m: {mode: text}, 'lab/*': {mode: json_object}}":       {"lab/m": "text", "lab/n": "json_object"},
		"modelOverrides: {org/m: {mode: text}, m: {mode: json_object}}":             {"lab/org/m": "text", "lab/m": "json_object"},
		"modelOverrides: {fast: {model: lab/m, mode: text}, org/m: {model: lab/n}}": {"fast": "text", "org/m": "native"},
		"models: {'m*': {mode: text}}":                                              {"lab/m": "text", "lab/org/mm": "text", "lab/xm": "native"},
		"models: {'lab/m*': {mode: text}}":                                          {"lab/m": "text", "lab/org/mm": "native"},
		"models: {m: {mode: text}, 'lab/*': {mode: native}}":                        {"lab/m": "native"},
		"models: {m: {mode: text}, a: {model: lab/m}}":                              {"a": "text"},
		"models: {m: {mode: text}, a: {model: lab/m, mode: native}}":                {"a": "native"},
		"models: {m: {experimental: {nativeToolCalling: true}}, '*': {mode: text}}": {"lab/m": "text"},
		"models: {'*': {mode: text}, m: {experimental: {nativeToolCalling: true}}}": {"lab/m": "native", "lab/n": "text"},
		"experimental: {nativeToolCalling: false}":                                  {"lab/m": "text"},
		"experimental: {nativeToolCalling: true}\nmodels: {m: {mode: text}}":        {"lab/m": "text", "lab/n": "native"},
		"experimental: {}":                           {"lab/m": "native"},
		"models: {m: {tool_calling_reliable: true}}": {"lab/m": "native, yes (configured)", "lab/n": "native"},
		"models: {m: {tool_call_reliable: false}}":   {"lab/m": "native, no (configured)"},
	} {
		r := registry(t, parse(t, "providers: {lab: {base_url: 'http://127.0.0.1:9/v1'}}\n"+text))
		for model, says := range want {
			client, err := r.Resolve(model)
			if err != nil {
				t.Fatal(text, err)
			}
			plan, err := client.Explain(t.Context(), weather(model))
			if err != nil {
				t.Fatal(text, err)
			}
			got := string(plan.Chain[0].Mode)
			if fact := r.Cards(t.Context(), callwright.ModelID(model))[0].Facts["tool_call_reliable"]; fact != "" {
				got += ", " + fact
			}
			if got != says {
				t.Errorf("%s: %s is %s, want %s", text, model, got, says)
			}
		}
		for _, id := range r.List(t.Context()) {
			if id == "m" {
				t.Errorf("%s: settings are listed as a model", text)
			}
		}
	}
}

// What can be wrong about such names is said: an alias without its model, other names at once, and settings that are asked for.
func TestNamesThatAreNoModels(t *testing.T) {
	for text, want := range map[string]string{
		"models: {m: {}}": `expected model, the provider/name for the alias "m"`,
		"models: {a: {model: groq/x}}\nmodelOverrides: {b: {mode: text}}":    "names of the same key",
		"models: {m: {mode: text, experimental: {nativeToolCalling: true}}}": "names of the same key",
		"experimental: {nativeToolCalling: often}":                           "true or false",
		"experimental: {nativeTools: true}":                                  "expected nativeToolCalling",
		"models: {m: {tool_calling_reliable: 7}}":                            "true or false",
		"models: {m: {mode: text, fallbacks: [nobody]}}":                     `model nobody is not known`,
		"models: {a: {model: m}, m: {mode: text}}":                           `expected provider/m`,
	} {
		if _, err := config.Parse([]byte(text), env("GROQ_API_KEY=k")); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
	for text, warned := range map[string]bool{"models: {fast: {mode: text}}": true, "models: {gpt-4o: {mode: text}}": false, "models: {qwen2.5-coder: {mode: text}}": false} {
		list := parse(t, text, "GROQ_API_KEY=k").Warnings()
		if got := len(list) == 1 && strings.Contains(list[0].Message, "for an alias, set model"); got != warned {
			t.Errorf("%s: %v", text, list)
		}
	}
	if _, err := registry(t, parse(t, "models: {gpt-4o: {mode: text}}")).Resolve("gpt-4o"); err == nil || !strings.Contains(err.Error(), "expected provider/gpt-4o") {
		t.Errorf("got %v", err)
	}
}
