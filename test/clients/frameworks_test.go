package clients_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/callwright/callwright/internal/prerequisite"
	"github.com/callwright/callwright/simulate"
)

// A frameworkClient is a client of frameworks/.
type frameworkClient struct {
	name   string
	prefix string // of the paths behind the base address that the client is given
	pieces string // words of the error by which it refuses a call in pieces without the gateway; empty: it takes one
}

var frameworkClients = []frameworkClient{
	{name: "openrouter"}, {name: "openrouter-responses"}, {name: "openrouter-agent"},
	// OpenAI's API has the id and the name of a call in its first piece alone. Mistral and xAI send calls whole, and their clients want both in every
	// piece. The gateway knows these clients and sends them each call in one piece.
	{name: "mistral", pieces: "received undefined"}, {name: "groq", prefix: "/openai"},
	{name: "aisdk-xai", pieces: "received undefined"}, {name: "aisdk-xai-responses"}, {name: "aisdk-mistral"},
	{name: "voltagent"}, {name: "voltagent-responses"},
	{name: "langgraph"}, {name: "langgraph-responses"},
	{name: "strands"}, {name: "strands-responses"},
	{name: "adk"},
}

// A task is a conversation of two turns that a client holds by itself: a call of the tool, and an answer with its result.
type task struct {
	Name   string          `json:"name"`
	Client string          `json:"client"`
	Base   string          `json:"base"`
	Model  string          `json:"model"`
	Stream bool            `json:"stream"`
	Prompt string          `json:"prompt"`
	Schema json.RawMessage `json:"schema"`

	played  *simulate.Server
	model   string // as the server gets it
	refused string // words of the error that is due; empty: none is
}

// A taskOutcome is the final text of a client and the arguments for which it ran the tool.
type taskOutcome struct {
	Name  string   `json:"name"`
	Text  string   `json:"text"`
	Calls []string `json:"calls"`
	Error string   `json:"error"`
}

// citySchema is what a framework makes of a tool with one string, and what the SDKs are given.
const citySchema = `{"type":"object","properties":{"city":{"type":"string"}},"required":["city"],"additionalProperties":false}`

// TestFrameworks drives each framework and SDK through the gateway, for each model behind it.
func TestFrameworks(t *testing.T) {
	l := newLab(t)
	var tasks []*task
	for _, c := range frameworkClients {
		for _, up := range upstreams {
			for _, form := range forms {
				name := strings.ReplaceAll(strings.Join([]string{c.name, up.name, form.name}, "/"), " ", "_")
				model := strings.ReplaceAll(name, "/", ".") + "/" + up.model
				tasks = append(tasks, &task{Name: name, Client: c.name, Base: l.url, Model: up.wire + "/" + model, Stream: form.stream, played: l.players[up.wire], model: model})
			}
		}
	}
	compareTasks(t, tasks)
}

// TestFrameworksAlone drives them against the models themselves: a client that fails here fails without the gateway.
func TestFrameworksAlone(t *testing.T) {
	var tasks []*task
	for _, c := range frameworkClients {
		for _, form := range forms {
			played := simulate.New(simulate.Weather())
			srv := httptest.NewServer(http.StripPrefix(c.prefix, played))
			t.Cleanup(srv.Close)
			task := &task{Name: c.name + "/" + form.name, Client: c.name, Base: srv.URL, Model: "native", Stream: form.stream, played: played, model: "native"}
			if form.stream {
				task.refused = c.pieces
			}
			tasks = append(tasks, task)
		}
	}
	compareTasks(t, tasks)
}

func compareTasks(t *testing.T, tasks []*task) {
	t.Helper()
	got := perform(t, tasks)
	for _, c := range tasks {
		t.Run(c.Name, func(t *testing.T) { c.compare(t, got[c.Name]) })
	}
}

// compare checks that the tool was called once, with valid arguments, that its result went to the model, and that the final text holds it.
func (c *task) compare(t *testing.T, got taskOutcome) {
	if c.refused != "" {
		if !strings.Contains(got.Error, c.refused) {
			t.Errorf("want an error with %q, got %+v: does the client take calls in pieces now?", c.refused, got)
		}
		return
	}
	if got.Error != "" {
		t.Fatal(got.Error)
	}
	if want := []string{`{"city":"Oslo"}`}; !slices.Equal(got.Calls, want) {
		t.Errorf("want calls %v, got %v", want, got.Calls)
	}
	if !strings.HasPrefix(got.Text, "It is ") || !strings.Contains(got.Text, resultOf("Oslo")) {
		t.Errorf("want the model's answer with %q, got %q", resultOf("Oslo"), got.Text)
	}
	answered := 0
	for _, seen := range c.played.Requests() {
		switch {
		case seen.Model != c.model:
		case seen.Refused != "":
			t.Errorf("the model's server refused a request: %s", seen.Refused)
		case seen.Turn > 0:
			answered++
		}
	}
	if answered != 1 {
		t.Errorf("want one request with the result, got %d", answered)
	}
}

// perform has all tasks done by one driver and gives the outcomes by name.
func perform(t *testing.T, tasks []*task) map[string]taskOutcome {
	t.Helper()
	n := need(t, findFrameworks())
	for _, c := range tasks {
		c.Prompt, c.Schema = question, json.RawMessage(citySchema)
	}
	in, err := json.Marshal(tasks)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), n.path, filepath.Join(beside(t, n.sdks, "frameworks"), "drive.mjs"))
	var out, said bytes.Buffer
	cmd.Env, cmd.Stdin, cmd.Stdout, cmd.Stderr = plainEnv(), bytes.NewReader(in), &out, &said
	if err := cmd.Run(); err != nil {
		t.Fatalf("the driver failed: %v\n%s", err, said.String())
	}
	outcomes := map[string]taskOutcome{}
	lines := bufio.NewScanner(&out)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var o taskOutcome
		if err := json.Unmarshal(lines.Bytes(), &o); err != nil {
			t.Fatalf("the driver wrote %q: %v", lines.Text(), err)
		}
		outcomes[o.Name] = o
	}
	if len(outcomes) != len(tasks) {
		t.Fatalf("want %d outcomes, got %d\n%s", len(tasks), len(outcomes), said.String())
	}
	return outcomes
}

// beside copies the programs of a folder beside the packages of another: packages for import alone are found from there only.
func beside(t *testing.T, packages, programs string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.Symlink(filepath.Join(packages, "node_modules"), filepath.Join(dir, "node_modules")); err != nil {
		prerequisite.Missing(t, "symbolic links:", err)
	}
	files, err := filepath.Glob(filepath.Join(programs, "*.mjs"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no programs in %s: %v", programs, err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, filepath.Base(file)), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}
