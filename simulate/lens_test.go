package simulate_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io/fs"
	"net/http"
	"os"
	"testing"

	"github.com/callwright/callwright/internal/adapter"
	"github.com/callwright/callwright/internal/longtest"
	"github.com/callwright/callwright/schema"
	"github.com/callwright/callwright/simulate"
)

// receivers are who takes the translations of each target: a wire, a profile, and how a tool is written there.
var receivers = []struct {
	target        adapter.Target
	wire, profile string
	members       object
	write         func(adapter.Tool) object
}{
	{adapter.OpenAI, simulate.OpenAI, "openai", nil, functionTool},
	{adapter.OpenAI, simulate.Responses, "openai", nil, responsesTool},
	{adapter.OpenAIStrict, simulate.OpenAI, "openai", nil, strictly(functionTool, "function")},
	{adapter.Anthropic, simulate.Anthropic, "anthropic-4.5", nil, plainTool},
	{adapter.AnthropicStrict, simulate.Anthropic, "anthropic-4.5", nil, strictly(plainTool, "")},
	{adapter.Gemini, simulate.Gemini, "gemini", nil, declarationTool("parameters")},
	{adapter.GeminiJSON, simulate.Gemini, "gemini", nil, declarationTool("parametersJsonSchema")},
	{adapter.Groq, simulate.OpenAI, "groq", nil, functionTool},
	{adapter.Mistral, simulate.OpenAI, "mistral", nil, functionTool},
	{adapter.Moonshot, simulate.OpenAI, "moonshot", nil, functionTool},
	{adapter.Ollama, simulate.Ollama, "ollama", nil, functionTool},
	{adapter.LlamaCPP, simulate.OpenAI, "llama.cpp", nil, functionTool},
	{adapter.VLLM, simulate.OpenAI, "vllm", object{"tool_choice": "required"}, functionTool},
	{adapter.Basic, simulate.OpenAI, "openai", nil, functionTool},
	{adapter.Basic, simulate.OpenAI, "groq", nil, functionTool},
	{adapter.Basic, simulate.OpenAI, "mistral", nil, functionTool},
	{adapter.Basic, simulate.OpenAI, "moonshot", nil, functionTool},
	{adapter.Basic, simulate.OpenAI, "llama.cpp", nil, functionTool},
	{adapter.Basic, simulate.OpenAI, "vllm", object{"tool_choice": "required"}, functionTool},
	{adapter.Basic, simulate.Anthropic, "anthropic-4.5", nil, plainTool},
	{adapter.Basic, simulate.Gemini, "gemini", nil, declarationTool("parametersJsonSchema")},
	{adapter.Basic, simulate.Ollama, "ollama", nil, functionTool},
}

func functionTool(t adapter.Tool) object {
	return object{"type": "function", "function": object{"name": t.Name, "description": t.Description, "parameters": json.RawMessage(t.Parameters)}}
}

func responsesTool(t adapter.Tool) object {
	return object{"type": "function", "name": t.Name, "description": t.Description, "parameters": json.RawMessage(t.Parameters), "strict": false}
}

func plainTool(t adapter.Tool) object {
	return object{"name": t.Name, "description": t.Description, "input_schema": json.RawMessage(t.Parameters)}
}

func strictly(write func(adapter.Tool) object, in string) func(adapter.Tool) object {
	return func(t adapter.Tool) object {
		out := write(t)
		if in == "" {
			out["strict"] = true
		} else {
			out[in].(object)["strict"] = true
		}
		return out
	}
}

func declarationTool(member string) func(adapter.Tool) object {
	return func(t adapter.Tool) object {
		out := object{"name": t.Name, "description": t.Description}
		if t.Parameters != nil {
			out[member] = json.RawMessage(t.Parameters)
		}
		return object{"functionDeclarations": []object{out}}
	}
}

// Collections of tools; the last one may not be there.
var collections = []string{"../schema/adapter/testdata/tools.jsonl", "../schema/adapter/testdata/drawn.jsonl", "../../shared/corpus/tools/tools.jsonl.gz"}

// collected returns the tools of all collections; in short runs an eighth of them.
func collected(t *testing.T) []adapter.Tool {
	t.Helper()
	var all []adapter.Tool
	for _, name := range collections {
		all = append(all, readTools(t, name)...)
	}
	if longtest.IsEnabled() {
		return all
	}
	var some []adapter.Tool
	for i := 0; i < len(all); i += 8 {
		some = append(some, all[i])
	}
	return some
}

// Every tool passes the checks of every receiver as it is translated for it.
func TestTranslatedToolsPassTheChecks(t *testing.T) {
	base, _ := start(t, simulate.Weather())
	tools := collected(t)
	for _, r := range receivers {
		t.Run(string(r.target)+"/"+r.wire, func(t *testing.T) {
			for from := 0; from < len(tools); from += 100 {
				some := tools[from:min(from+100, len(tools))]
				if why := refusal(t, base, r.wire, r.profile, r.members, translated(t, r.target, some, r.write)); why == "" {
					continue
				}
				for i := range some {
					if why := refusal(t, base, r.wire, r.profile, r.members, translated(t, r.target, some[i:i+1], r.write)); why != "" {
						sent, _ := adapter.Translate(r.target, some[i].Parameters)
						t.Fatalf("%s\n%s\nbecame %s", why, some[i].Parameters, sent.Schema)
					}
				}
			}
		})
	}
}

func translated(t *testing.T, target adapter.Target, tools []adapter.Tool, write func(adapter.Tool) object) []object {
	t.Helper()
	names := make([]string, len(tools))
	for i := range tools {
		names[i] = tools[i].Name
	}
	sent := adapter.NewNames(target.ToolNames(), names)
	var out []object
	seen := map[string]bool{}
	for _, tool := range tools {
		if seen[tool.Name] {
			continue
		}
		seen[tool.Name] = true
		tr, err := adapter.Translate(target, tool.Parameters)
		if err != nil {
			t.Fatalf("%s: %v", tool.Parameters, err)
		}
		now := tr.TranslateTool(tool, sent)
		if sent.Original(now.Name) != tool.Name {
			t.Errorf("want %s back, got %s", tool.Name, sent.Original(now.Name))
		}
		out = append(out, write(now))
	}
	return out
}

// refusal sends tools to a provider that holds requests to a profile, and returns what it says against them.
func refusal(t *testing.T, base, wire, profile string, members object, tools []object) string {
	t.Helper()
	body := over(t, wire, "")
	body["tools"], body["model"], body["stream"] = tools, "strict-"+profile, false
	for k, v := range members {
		body[k] = v
	}
	got := send(t, base, wire, body)
	if got.status == http.StatusOK {
		return ""
	}
	return got.header.Get(simulate.CheckHeader) + ": " + got.raw
}

func readTools(t *testing.T, name string) []adapter.Tool {
	t.Helper()
	raw, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(bytes.NewReader(raw))
	if zip, err := gzip.NewReader(bytes.NewReader(raw)); err == nil {
		lines = bufio.NewScanner(zip)
	}
	lines.Buffer(nil, 1<<20)
	var out []adapter.Tool
	for lines.Scan() {
		var one, inner struct {
			Name        string          `json:"name"`
			Description string          `json:"description"`
			Parameters  json.RawMessage `json:"parameters"`
			Function    json.RawMessage `json:"function"`
		}
		decode(t, lines.Text(), &one)
		if one.Function != nil {
			decode(t, string(one.Function), &inner)
			one = inner
		}
		if one.Name == "drawn" {
			one.Name += string(rune('a'+len(out)%26)) + string(rune('a'+len(out)/26%26))
		}
		if _, err := schema.Compile(one.Parameters); err == nil {
			out = append(out, adapter.Tool{Name: one.Name, Description: one.Description, Parameters: one.Parameters})
		}
	}
	return out
}
