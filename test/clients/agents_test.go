package clients_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/callwright/callwright/simulate"
)

// agentsFolder names a folder in which npm installed coding agents.
const agentsFolder = "CALLWRIGHT_AGENTS"

// An agentCase is a coding agent that reads two files.
type agentCase struct {
	name string
	args []string // that end with the prompt
	tail []string // behind it
	tool string   // by which it reads files
	call func(path string) any
	// file and text are settings of the user that lead elsewhere. They are neither followed nor changed.
	file, text string
	env        []string
}

var agentCases = []agentCase{
	{name: "claude", args: []string{"-p"}, tail: []string{"--allowedTools", "Read"}, tool: "Read", call: pathAs("file_path"),
		file: ".claude/settings.json", text: `{"env": {"ANTHROPIC_BASE_URL": "http://127.0.0.1:9", "ANTHROPIC_MODEL": "elsewhere"}, "model": "elsewhere"}`},
	{name: "codex", args: []string{"exec", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox"}, tool: "exec_command",
		call: func(path string) any { return map[string]string{"cmd": "cat " + path} },
		file: ".codex/config.toml", text: "model = \"other\"\nmodel_provider = \"elsewhere\"\n\n[model_providers.elsewhere]\nname = \"Elsewhere\"\nbase_url = \"http://127.0.0.1:9/v1\"\n"},
	{name: "gemini", args: []string{"--yolo", "-p"}, tool: "read_file", call: pathAs("file_path"), env: []string{"GEMINI_CLI_TRUST_WORKSPACE=true"},
		file: ".gemini/settings.json", text: `{"security": {"auth": {"selectedType": "oauth-personal"}}, "model": {"name": "elsewhere"}}`},
	{name: "qwen", args: []string{"--yolo", "-p"}, tool: "read_file", call: pathAs("file_path"),
		file: ".qwen/settings.json", text: `{"security": {"auth": {"selectedType": "qwen-oauth", "baseUrl": "http://127.0.0.1:9"}}, "model": {"name": "elsewhere"}}`},
	{name: "opencode", args: []string{"run"}, tool: "read", call: pathAs("filePath"),
		file: ".config/opencode/opencode.json", text: `{"model": "anthropic/elsewhere", "small_model": "anthropic/elsewhere"}`},
	{name: "cline", tool: "read_files", call: func(path string) any { return map[string]any{"files": []any{map[string]string{"path": path}}} },
		file: ".cline/data/settings/providers.json", text: `{"version": 1, "lastUsedProvider": "elsewhere", "providers": {}}`},
	{name: "pi", args: []string{"-p"}, tool: "read", call: pathAs("path"),
		file: ".pi/agent/settings.json", text: `{"defaultProvider": "anthropic", "defaultModel": "elsewhere"}`},
	{name: "copilot", args: []string{"--allow-all-tools", "-p"}, tool: "view", call: pathAs("path"),
		file: ".copilot/settings.json", text: `{"model": "elsewhere"}`},
}

func pathAs(name string) func(string) any {
	return func(path string) any { return map[string]string{name: path} }
}

// agentModels are the names in the configuration: a model that calls natively, one that writes its calls as text although it was given tools, and one that is
// told of the tools in the prompt.
var agentModels = []string{"native", "hermes", "prompted"}

const agentConfig = `listen: 127.0.0.1:0
keys: [gate-key]
providers: {lab: {wire: openai, base_url: "%s/v1", api_key: %s}}
models:
  native: {model: lab/native}
  hermes: {model: lab/hermes}
  prompted: {model: lab/plain, mode: text, dialect: hermes}
`

// What the files say. The names and words stand nowhere else.
const (
	firstText  = "The word is in the other file. The first mark is kestrel-17.\n"
	secondText = "The word is heron-4711.\n"
)

// TestAgents starts the agents of the folder that CALLWRIGHT_AGENTS names by callwright launch. Each reads two files, one after the other, for a simulated
// model behind the gateway, and says what stands in the second.
func TestAgents(t *testing.T) {
	folder := os.Getenv(agentsFolder)
	if folder == "" {
		t.Skip(agentsFolder + " names no folder in which npm installed coding agents")
	}
	bin := filepath.Join(folder, "node_modules", ".bin")
	program := buildProgram(t)
	for _, c := range agentCases {
		for _, model := range agentModels {
			t.Run(c.name+"/"+model, func(t *testing.T) {
				if _, err := exec.LookPath(filepath.Join(bin, c.name)); err != nil {
					t.Skip(c.name + " is not installed")
				}
				c.run(t, program, bin, model)
			})
		}
	}
}

// buildProgram builds the command.
func buildProgram(t *testing.T) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "callwright")
	cmd := exec.CommandContext(t.Context(), "go", "build", "-o", program, "./cmd/callwright")
	cmd.Dir = "../.."
	if said, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	return program
}

// agentTime is how long an agent may take for its two files.
const agentTime = time.Minute

func (c agentCase) run(t *testing.T, program, bin, model string) {
	home := c.makeHome(t)
	reader := &fileReader{agentCase: c, work: workFolder(home)}
	player := simulate.New(reader.turn, simulate.Key(upstreamKey))
	srv := httptest.NewServer(player)
	defer srv.Close()
	conf, log := filepath.Join(home, "callwright.yaml"), filepath.Join(home, "gateway.log")
	c.write(t, conf, fmt.Sprintf(agentConfig, srv.URL, upstreamKey))

	ctx, cancel := context.WithTimeout(t.Context(), agentTime)
	defer cancel()
	cmd := c.command(ctx, program, bin, home, "--config", conf, "--model", model, "--log", log)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	if err != nil || !strings.Contains(out.String(), "heron-4711") || reader.called("first.txt") < 1 || reader.called("second.txt") < 1 {
		logged, _ := os.ReadFile(log)
		t.Errorf("%v, calls %v\n%s\n%s\n%s", err, reader.calls, &out, &errs, logged)
	}
	for _, seen := range player.Requests() {
		if seen.Refused != "" {
			t.Errorf("the model's server refused a request: %s", seen.Refused)
		}
	}
	c.checkSettings(t, filepath.Join(home, c.file))
	if left, err := os.ReadDir(filepath.Join(home, ".callwright", "launch")); len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// command is launch with these flags, in the folder of work below home.
func (c agentCase) command(ctx context.Context, program, bin, home string, flags ...string) *exec.Cmd {
	args := append(append([]string{"launch", c.name}, flags...), "--")
	args = append(append(args, c.args...), "Read first.txt, then the file that it leads to, and tell me the word.")
	cmd := exec.CommandContext(ctx, program, append(args, c.tail...)...)
	cmd.Dir, cmd.WaitDelay = workFolder(home), time.Second
	cmd.Env = append([]string{"HOME=" + home, "PATH=" + bin + string(os.PathListSeparator) + os.Getenv("PATH"), "LANG=C.UTF-8"}, c.env...)
	return cmd
}

// checkSettings checks that the user's own settings still lead elsewhere. Some agents write theirs anew, in another form, at every start.
func (c agentCase) checkSettings(t *testing.T, path string) {
	t.Helper()
	text, err := os.ReadFile(path)
	for _, part := range []string{"gate-key", "callwright", "native", "hermes", "prompted"} {
		if err != nil || !strings.Contains(string(text), "elsewhere") || strings.Contains(string(text), part) {
			t.Errorf("the user's own settings are changed: %v\n%s", err, text)
			return
		}
	}
}

// makeHome makes the home of a user with the settings, and a folder of work in it with the two files. It is not below the folder for temporary files,
// where Gemini CLI takes no settings from.
func (c agentCase) makeHome(t *testing.T) (home string) {
	t.Helper()
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	home, err = os.MkdirTemp(cache, "callwright-agent-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(home) }) // some agents leave processes that write a little longer
	c.write(t, filepath.Join(home, c.file), c.text)
	c.write(t, filepath.Join(workFolder(home), "first.txt"), firstText)
	c.write(t, filepath.Join(workFolder(home), "second.txt"), secondText)
	return home
}

// workFolder is the folder of work in a home.
func workFolder(home string) string { return filepath.Join(home, "work") }

func (c agentCase) write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// A fileReader is a model that reads the first file, then the second, and says the word.
type fileReader struct {
	agentCase
	work string

	mu    sync.Mutex
	calls []string
}

func (r *fileReader) called(name string) (times int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, c := range r.calls {
		if c == name {
			times++
		}
	}
	return times
}

func (r *fileReader) turn(req simulate.Seen) simulate.Turn {
	body := string(req.Body)
	told := strings.Contains(req.System+req.User, `"name": "`+r.tool+`"`) || strings.Contains(req.System+req.User, `"name":"`+r.tool+`"`)
	switch {
	case !slices.Contains(req.Tools, r.tool) && !told: // a title or a summary
		return simulate.Turn{Text: "Two files"}
	case strings.Contains(body, "heron-4711"):
		return simulate.Turn{Text: "The word is heron-4711."}
	case strings.Contains(body, "kestrel-17"):
		return r.read(req, "second.txt")
	}
	return r.read(req, "first.txt")
}

func (r *fileReader) read(req simulate.Seen, name string) simulate.Turn {
	r.mu.Lock()
	r.calls = append(r.calls, name)
	r.mu.Unlock()
	args, err := json.Marshal(r.call(filepath.Join(r.work, name)))
	if err != nil {
		return simulate.Turn{Status: 500, Text: err.Error()}
	}
	turn := simulate.Turn{Calls: []simulate.Call{{Name: r.tool, Arguments: string(args)}}}
	turn.Fault, _ = simulate.ParseFault(req.Model)
	return turn
}
