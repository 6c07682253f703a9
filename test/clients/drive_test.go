package clients_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/callwright/callwright/simulate"
)

// The official SDKs.
var sdks = []string{"openai", "responses", "anthropic", "gemini", "ollama"}

// Forms of an answer.
var forms = []struct {
	name   string
	stream bool
}{{"whole", false}, {"streamed", true}}

// A check is one thing that the driver does with an SDK.
type check struct {
	Name    string          `json:"name"`
	SDK     string          `json:"sdk"`
	Base    string          `json:"base"`
	Key     string          `json:"key"`
	Model   string          `json:"model"`
	Stream  bool            `json:"stream"`
	Prompt  string          `json:"prompt"`
	Schema  json.RawMessage `json:"schema"`
	Choice  string          `json:"choice,omitempty"`
	Rounds  int             `json:"rounds,omitempty"`  // conversations to hold, one after the other
	Once    bool            `json:"once,omitempty"`    // only the first turn
	Retries int             `json:"retries,omitempty"` // of the SDK
	Members map[string]any  `json:"members,omitempty"` // of the request
	Limit   int             `json:"limit,omitempty"`   // of the SDK for an answer, in milliseconds; 0: 20 s, -1: its default
	Raw     string          `json:"raw,omitempty"`     // a body to send as it stands, before everything else
}

// An outcome is what a program that uses the SDK saw.
type outcome struct {
	Name   string   `json:"name"`
	Rounds [][]turn `json:"rounds"`
	Error  *failure `json:"error"`
}

type turn struct {
	Text   string `json:"text"`
	Finish string `json:"finish"`
	Pieces int    `json:"pieces"` // in which the text of a stream came
	Calls  []struct {
		ID        string `json:"id"`
		Name      string `json:"name"`
		Arguments string `json:"arguments"`
	} `json:"calls"`
	Usage struct {
		Input  *int `json:"input"`
		Output *int `json:"output"`
		Total  *int `json:"total"`
	} `json:"usage"`
}

type failure struct {
	Class      string `json:"class"`
	Status     int    `json:"status"`
	Message    string `json:"message"`
	Code       string `json:"code"`
	RetryAfter string `json:"retryAfter"`
}

// drive has all checks done by one driver and gives the outcomes by name.
func drive(t *testing.T, checks []check) map[string]outcome {
	t.Helper()
	n := needNode(t)
	for i := range checks {
		if c := &checks[i]; c.Schema == nil {
			c.Schema = json.RawMessage(simulate.WeatherSchema)
		}
	}
	in, err := json.Marshal(checks)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), n.path, "drive.mjs", n.sdks)
	var out, said bytes.Buffer
	cmd.Env, cmd.Stdin, cmd.Stdout, cmd.Stderr = plainEnv(), bytes.NewReader(in), &out, &said
	if err := cmd.Run(); err != nil {
		t.Fatalf("the driver failed: %v\n%s", err, said.String())
	}
	outcomes := map[string]outcome{}
	lines := bufio.NewScanner(&out)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var o outcome
		if err := json.Unmarshal(lines.Bytes(), &o); err != nil {
			t.Fatalf("the driver wrote %q: %v", lines.Text(), err)
		}
		outcomes[o.Name] = o
	}
	if len(outcomes) != len(checks) {
		t.Fatalf("want %d outcomes, got %d", len(checks), len(outcomes))
	}
	return outcomes
}

// plainEnv is the environment without what would change the SDKs' ways.
func plainEnv() []string {
	return slices.DeleteFunc(os.Environ(), func(v string) bool {
		name, _, _ := strings.Cut(strings.ToUpper(v), "=")
		for _, own := range []string{"OPENAI_", "ANTHROPIC_", "GOOGLE_", "GEMINI_", "OLLAMA_", "NODE_", "OPENROUTER_", "MISTRAL_", "GROQ_", "XAI_",
			"LANGCHAIN_", "LANGSMITH_", "LANGGRAPH_", "STRANDS_", "VOLTAGENT_", "OTEL_", "AI_"} {
			if strings.HasPrefix(name, own) {
				return true
			}
		}
		return strings.HasSuffix(name, "_PROXY")
	})
}
