package config_test

import (
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/callwright/callwright/internal/config"
	"github.com/callwright/callwright/simulate"
)

// described are descriptions, with a call in the format.
var described = []struct{ name, keys, call string }{
	{"tags", `{name: house, format: xml, example: '<run tool="search"><with key="q">x</with></run>'}`, `<run tool="get_weather"><with key="city">Oslo</with></run>`},
	{"JSON", `{name: house, format: json, example: '[[CALL]]{"fn": "search", "with": {"q": "x"}}[[END]]'}`, `[[CALL]]{"fn": "get_weather", "with": {"city": "Oslo"}}[[END]]`},
	{"lines", `{name: house, format: custom, schema_style: custom, example: "RUN: search\nWITH: {\"q\": \"x\"}"}`, "RUN: get_weather\nWITH: {\"city\": \"Oslo\"}"},
}

// A model that is asked in text is asked in the format that the configuration describes; its calls are read, also where they were declared
// natively, and named after it.
func TestToolFormat(t *testing.T) {
	for _, c := range described {
		for _, mode := range []string{"text", "native"} {
			t.Run(c.name+" "+mode, func(t *testing.T) {
				llm := simulate.New(func(simulate.Seen) simulate.Turn { return simulate.Turn{Text: "I look.\n" + c.call} })
				srv := httptest.NewServer(llm)
				t.Cleanup(srv.Close)
				r := registry(t, parse(t, "providers: {lab: {wire: openai, base_url: "+srv.URL+"/v1}}\nmodels: {'lab/*': {mode: "+mode+", tool_format: "+c.keys+"}}"))
				resp := ask(t, r, "lab/one")
				if text := strings.TrimSpace(resp.Text()); text != "I look." {
					t.Errorf("the text is %q", text)
				}
				named := false
				for _, n := range resp.Report.Notes {
					named = named || n.Rule == "dialect.house"
				}
				if !named {
					t.Errorf("no note names the format: %+v", resp.Report.Notes)
				}
				if prompt := string(last(t, llm)["messages"]); mode == "text" && !strings.Contains(prompt, "function-name") {
					t.Errorf("the model was not asked in the format: %s", prompt)
				}
			})
		}
	}
}

// Where two settings name the format the later wins, and models of one fallback chain have their own.
func TestToolFormatsAreLaid(t *testing.T) {
	asked := map[string]string{}
	llm := simulate.New(func(req simulate.Seen) simulate.Turn {
		asked[req.Model] = string(req.Body)
		if req.Model == "fails" {
			return simulate.Turn{Status: 500, Text: "out of order"}
		}
		return simulate.Turn{Text: `<two>{"name": "get_weather", "arguments": {"city": "Oslo"}}</two>`}
	})
	srv := httptest.NewServer(llm)
	t.Cleanup(srv.Close)
	r := registry(t, parse(t, `
providers: {lab: {base_url: `+srv.URL+`/v1, max_retries: 0, mode: text, tool_format: {name: first, example: '<one>{"name": "f", "arguments": {"q": 1}}</one>'}}}
models:
  lab/known: {dialect: hermes, rules: {dialect.first: false}}
  lab/other: {tool_format: {name: second, example: '<two>{"name": "f", "arguments": {"q": 1}}</two>'}}
  ladder: {model: lab/fails, fallbacks: [lab/other]}
`))
	for _, name := range []string{"lab/other", "ladder"} {
		ask(t, r, name)
	}
	client, err := r.Resolve("lab/known")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := client.Generate(t.Context(), weather("lab/known")); err != nil {
		t.Fatal(err)
	}
	for model, want := range map[string]string{"fails": "one", "other": "two", "known": "tool_call"} {
		if !strings.Contains(asked[model], `\u003c`+want+`\u003e`) && !strings.Contains(asked[model], "<"+want+">") {
			t.Errorf("%s was not asked for <%s>: %s", model, want, asked[model])
		}
	}
}

// What is wrong with a description is said with its place, in a file too.
func TestToolFormatErrors(t *testing.T) {
	dir := t.TempDir()
	files := map[string]string{
		"sound.yaml":  `example: '<one>{"name": "f", "arguments": {"q": 1}}</one>'`,
		"sound.json":  `{"format": "json", "example": "<one>{\"name\": \"f\", \"arguments\": {\"q\": 1}}</one>"}`,
		"broken.yaml": "example: 'I call it.'",
		"key.yaml":    "exampel: x",
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for text, want := range map[string]string{
		"models: {ollama/m: {tool_format: sound.yaml}}":                                                                  "",
		"models: {ollama/m: {tool_format: sound.json}}":                                                                  "",
		"models: {ollama/m: {tool_format: none.yaml}}":                                                                   "none.yaml: no such file",
		"models: {ollama/m: {tool_format: broken.yaml}}":                                                                 "broken.yaml: example: no call is found in it",
		"models: {ollama/m: {tool_format: key.yaml}}":                                                                    `key.yaml:1:1: exampel: unknown key "exampel": did you mean example?`,
		"models:\n  ollama/m:\n    tool_format:\n      example: I call it.\n":                                            "4:16: models[\"ollama/m\"].tool_format.example: no call is found in it",
		"models: {ollama/m: {tool_format: {format: yaml, example: x}}}":                                                  "tool_format.format: expected json, xml or custom",
		"models: {ollama/m: {tool_format: {example: '<one>{\"name\": \"f\", \"arguments\": {\"q\": 1}}</one> and on'}}}": "read a call of f with",
		"models: {ollama/m: {dialect: hermes, tool_format: sound.yaml}}":                                                 "dialect already sets a format",
		"models: {ollama/m: {tool_format: 5}}":                                                                           "expected text",
	} {
		path := filepath.Join(dir, "callwright.yaml")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		switch _, err := config.Load(path, env()); {
		case want == "" && err != nil:
			t.Errorf("%s: %v", text, err)
		case want != "" && (err == nil || !strings.Contains(err.Error(), want)):
			t.Errorf("%s: got %v, want %q", text, err, want)
		}
	}
}
