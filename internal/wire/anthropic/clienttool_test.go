package anthropic_test

import (
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/internal/wire"
	"github.com/callwright/callwright/internal/wire/anthropic"
	"github.com/callwright/callwright/internal/wire/gemini"
	"github.com/callwright/callwright/internal/wire/ollama"
	"github.com/callwright/callwright/internal/wire/openai"
	"github.com/callwright/callwright/internal/wire/responses"
)

// Tools of this API that the client runs are declared: their definitions go back as they came, and elsewhere they are functions.
func TestToolsThatTheClientRuns(t *testing.T) {
	const body = `{"model":"m","max_tokens":9,"tools":[{"type":"bash_20250124","name":"bash"},{"type":"text_editor_20250728","name":"str_replace_based_edit_tool","max_characters":9},` +
		`{"type":"memory_20250818","name":"memory"},{"type":"computer_20250124","name":"computer","display_width_px":1024,"display_height_px":768},{"type":"web_search_20250305","name":"web_search"}],"messages":[{"role":"user","content":"q"}]}`
	req, err := anthropic.Codec{}.DecodeRequest([]byte(body))
	if err != nil {
		t.Fatal(err)
	}
	tools, err := req.DeclaredTools()
	if err != nil {
		t.Fatal(err)
	}
	for i, tool := range tools {
		if hosted := tool.Name == "web_search"; (tool.Type == callwright.HostedTool) != hosted || (tool.Schema == nil) != hosted {
			t.Errorf("tool %d: %+v", i, tool)
		}
	}
	if d := tools[3].Description; !strings.Contains(d, "width of 1024") {
		t.Errorf("the screen is not described: %s", d)
	}
	changed := *req
	changed.Tools = tools
	out, _, err := anthropic.Codec{}.EncodeRequest(&changed, "m", caps.Caps{})
	if err != nil || string(out) != body {
		t.Errorf("sent %s, %v", out, err)
	}
	for _, c := range []wire.Codec{gemini.Codec{}, ollama.Codec{}} {
		out, _, err := c.EncodeRequest(req, "m", caps.Caps{})
		if err != nil || !strings.Contains(string(out), `"name":"computer"`) || !strings.Contains(string(out), `"start_coordinate"`) || strings.Contains(string(out), "display_width_px") {
			t.Errorf("%s: sent %s, %v", c.Name(), out, err)
		}
	}
}

// A tool that a message defines is declared, without a second declaration beside the others; one that it only refers to is not.
func TestToolsThatMessagesDeclare(t *testing.T) {
	const block = `{"type":"tool_addition","tool":{"type":"tool_definition","definition":{"name":"late","description":"d","input_schema":{"type":"object"}}}}`
	const body = `{"model":"m","max_tokens":9,"tools":[{"name":"early","input_schema":{"type":"object"}}],"messages":[{"role":"user","content":"q"},` +
		`{"role":"system","content":[` + block + `,{"type":"tool_addition","tool":{"type":"tool_reference","name":"early"}}]},{"role":"user","content":"q"}]}`
	req, err := anthropic.Codec{}.DecodeRequest([]byte(body))
	if err != nil {
		t.Fatal(err)
	}
	tools, err := req.DeclaredTools()
	if err != nil || len(tools) != 2 || tools[1].Name != "late" || string(tools[1].Schema) != `{"type":"object"}` {
		t.Fatalf("tools %+v, %v", tools, err)
	}
	if b := string(companion.Of(req).Body.(interface{ ToolBytes() []byte }).ToolBytes()); !strings.Contains(b, `"late"`) {
		t.Errorf("equal bytes would be taken for equal tools: %s", b)
	}
	changed := *req
	changed.Tools = tools
	out, _, err := anthropic.Codec{}.EncodeRequest(&changed, "m", caps.Caps{})
	if err != nil || string(out) != body {
		t.Errorf("sent %s, %v", out, err)
	}
	out, _, err = gemini.Codec{}.EncodeRequest(req, "m", caps.Caps{})
	if err != nil || !strings.Contains(string(out), `"name":"late"`) {
		t.Errorf("sent elsewhere %s, %v", out, err)
	}
}

// A message of instructions may hold settings alone: they count, and other wires get no empty message.
func TestSettingsInAMessage(t *testing.T) {
	const body = `{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"q"},{"role":"system","output_config":{"effort":"high"}}]}`
	req, err := anthropic.Codec{}.DecodeRequest([]byte(body))
	if err != nil {
		t.Fatal(err)
	}
	if req.Params.Thinking.Effort != "high" {
		t.Errorf("effort %q", req.Params.Thinking.Effort)
	}
	for c, want := range map[wire.Codec]string{
		anthropic.Codec{}: body,
		openai.Codec{}:    `{"model":"m","messages":[{"role":"user","content":"q"}],"max_tokens":9,"reasoning_effort":"high"}`,
		responses.Codec{}: `{"model":"m","input":[{"role":"user","content":"q"}],"max_output_tokens":16,"reasoning":{"effort":"high"},"store":false}`,
		gemini.Codec{}:    `{"contents":[{"role":"user","parts":[{"text":"q"}]}],"generationConfig":{"maxOutputTokens":9,"thinkingConfig":{"thinkingLevel":"HIGH","includeThoughts":true}}}`,
		ollama.Codec{}:    `{"model":"m","messages":[{"role":"user","content":"q"}],"stream":false,"think":"high","options":{"num_predict":9}}`,
	} {
		if out, _, err := c.EncodeRequest(req, "m", caps.Caps{}); err != nil || string(out) != want {
			t.Errorf("%s: sent %s, %v", c.Name(), out, err)
		}
	}
}
