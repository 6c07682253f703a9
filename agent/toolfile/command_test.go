package toolfile_test

import (
	"context"
	"encoding/json"
	"errors"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/agent"
	"github.com/callwright/callwright/agent/toolfile"
	"github.com/google/go-cmp/cmp"
)

// file is a file with one tool, whose command is a role of the test binary. more is what run says beside, and tool what the tool does.
func file(t *testing.T, role string, args []string, more, tool string) []byte {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	argv, err := json.Marshal(append([]string{self}, args...))
	if err != nil {
		t.Fatal(err)
	}
	return []byte(`{"name": "a", "run": {"command": ` + string(argv) + `, "env": {"TOOLFILE_ROLE": "` + role + `"` + more + `}` + tool + `}`)
}

// parse returns the one tool of a file.
func parse(t *testing.T, text []byte, o toolfile.Options) agent.Tool {
	t.Helper()
	tools, err := toolfile.Parse(text, o)
	if err != nil || len(tools) != 1 {
		t.Fatalf("%d tools, error %v", len(tools), err)
	}
	return tools[0]
}

func TestCommandGivesItsOutput(t *testing.T) {
	arguments := json.RawMessage("{\n\"n\": 12345678901234567890.0, \"s\": \"<\u00e9>\"}")
	for _, c := range []struct {
		role string
		args []string
		want agent.Output
	}{
		{"echo", nil, agent.Output{Data: json.RawMessage(`{"n":12345678901234567890.0,"s":"<` + "\u00e9" + `>"}`)}},
		{"args", []string{"$HOME", "a b", "*", "; true", "|"}, agent.Output{Data: json.RawMessage(`["$HOME","a b","*","; true","|"]`)}},
		{"text", nil, agent.Output{Data: json.RawMessage(`"<hello>"`)}},
		{"silent", nil, agent.Output{Data: json.RawMessage(`""`)}},
		{"binary", nil, agent.Output{Data: json.RawMessage("\"a\ufffdb\""), Warnings: []string{"the output is not UTF-8: bytes that are no characters were replaced"}}},
	} {
		got, err := parse(t, file(t, c.role, c.args, "}", ""), toolfile.Options{}).Run(t.Context(), arguments)
		if diff := cmp.Diff(c.want, got); diff != "" || err != nil {
			t.Errorf("%s: error %v, %s", c.role, err, diff)
		}
	}
}

// message returns what a model is told of an error.
func message(err error) string {
	if told, ok := errors.AsType[*agent.ToolError](err); ok {
		return told.Error()
	}
	return "another error: " + err.Error()
}

func TestCommandFails(t *testing.T) {
	_, err := parse(t, file(t, "fail", nil, "}", ""), toolfile.Options{}).Run(t.Context(), nil)
	if got := message(err); !strings.HasPrefix(got, "TOOL_FAILED: exit status 3: ... ") || !strings.HasSuffix(got, "long the end") || len(got) > 5000 {
		t.Errorf("got %s", got)
	}
	_, err = parse(t, []byte(`{"name": "a", "run": {"command": ["./no-such-program"]}}`), toolfile.Options{}).Run(t.Context(), nil)
	if got := message(err); !strings.HasPrefix(got, "TOOL_FAILED: the command cannot be started: ") {
		t.Errorf("got %s", got)
	}
}

func TestCommandIsBounded(t *testing.T) {
	_, err := parse(t, file(t, "flood", nil, "}", ""), toolfile.Options{MaxOutput: 100_000}).Run(t.Context(), nil)
	if got := message(err); got != "TOOL_OUTPUT_TOO_LARGE: expected at most 100000 bytes of output, got more" {
		t.Errorf("got %s", got)
	}
	tool := parse(t, file(t, "text", nil, "}", ""), toolfile.Options{MaxOutput: 8})
	if out, err := tool.Run(t.Context(), nil); err != nil || string(out.Data) != `"<hello>"` {
		t.Errorf("got %s, %v", out.Data, err)
	}
}

func TestCommandEndsInTime(t *testing.T) {
	s := serve(t)
	for name, tool := range map[string]agent.Tool{
		"a command":   parse(t, file(t, "sleep", nil, "}", `, "timeout": "100ms"`), toolfile.Options{}),
		"an endpoint": parse(t, []byte(`{"name": "a", "run": {"url": "`+s.URL+`/slow"}, "timeout": "100ms"}`), toolfile.Options{Client: s.Client()}),
	} {
		a := agent.New(calling(tool.Name), agent.Tools(tool))
		told := ""
		for ev := range a.Stream(t.Context(), callwright.UserText("Go.")) {
			if ev.Kind == agent.EventResult && len(ev.Result.Errors) == 1 {
				told = ev.Result.Errors[0].Error()
			}
		}
		if told != "TIMEOUT: the tool did not end within 100ms" {
			t.Errorf("%s: the model was told %q", name, told)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		if _, err := tool.Run(ctx, nil); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%s without an agent: %v", name, err)
		}
		cancel()
	}
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(100*time.Millisecond, cancel)
	if _, err := parse(t, file(t, "sleep", nil, "}", ""), toolfile.Options{}).Run(ctx, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// A calling model calls the tool of its name, and then answers.
type calling string

func (c calling) Generate(_ context.Context, req *callwright.Request) (*callwright.Response, error) {
	if len(req.Messages) > 1 {
		return &callwright.Response{Parts: []callwright.Part{callwright.Text{Text: "Done."}}}, nil
	}
	return &callwright.Response{Parts: []callwright.Part{callwright.Call{ID: "c", Name: string(c)}}}, nil
}

func (c calling) Stream(ctx context.Context, req *callwright.Request) iter.Seq2[callwright.Event, error] {
	return func(yield func(callwright.Event, error) bool) {
		resp, _ := c.Generate(ctx, req)
		for _, ev := range resp.Events() {
			if !yield(ev, nil) {
				return
			}
		}
	}
}

// The secret of the process does not reach a command, but what the file lists does.
func TestEnvironmentDoesNotLeak(t *testing.T) {
	t.Setenv("TOOLFILE_SECRET", "s")
	t.Setenv("TOOLFILE_GIVEN", "g=1")
	out, err := parse(t, file(t, "environment", nil, `, "VALUE": "v"}`, ""), toolfile.Options{}).Run(t.Context(), nil)
	var names []string
	if err != nil || json.Unmarshal(out.Data, &names) != nil {
		t.Fatalf("%s, %v", out.Data, err)
	}
	allowed := []string{"TOOLFILE_ROLE", "VALUE", "PATH", "HOME", "USERPROFILE", "TMPDIR", "TEMP", "TMP", "SYSTEMROOT", "PATHEXT", "COMSPEC"}
	for _, name := range names {
		if !slices.Contains(allowed, strings.ToUpper(name)) {
			t.Errorf("the command has %s", name)
		}
	}
	if !slices.Contains(names, "VALUE") {
		t.Errorf("got %s", names)
	}
	out, err = parse(t, file(t, "value", nil, `, "VALUE": "env:TOOLFILE_GIVEN"}`, ""), toolfile.Options{}).Run(t.Context(), nil)
	if err != nil || string(out.Data) != `"g=1"` {
		t.Errorf("got %s, %v", out.Data, err)
	}
}

// A folder is relative to that of the file, and without one the command runs where the program does.
func TestReadStandsWhereTheFileDoes(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "work"), 0o700); err != nil {
		t.Fatal(err)
	}
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for more, want := range map[string]string{`}, "dir": "work"`: filepath.Join(dir, "work"), "}": here} {
		name := filepath.Join(dir, "tools.json")
		if err := os.WriteFile(name, file(t, "dir", nil, more, ""), 0o600); err != nil {
			t.Fatal(err)
		}
		tools, err := toolfile.Read(name)
		if err != nil {
			t.Fatal(err)
		}
		out, err := tools[0].Run(t.Context(), nil)
		var got string
		if err != nil || json.Unmarshal(out.Data, &got) != nil || got != want {
			t.Errorf("got %s, %v, want %s", out.Data, err, want)
		}
	}
}

// A command is not waited for that keeps the output open after the one that started it.
func TestWhatLingersIsNotWaitedFor(t *testing.T) {
	name := filepath.Join(t.TempDir(), "pid")
	out, err := parse(t, file(t, "linger", []string{name}, "}", ""), toolfile.Options{}).Run(t.Context(), nil)
	if err != nil || string(out.Data) != "1" || len(out.Warnings) != 1 {
		t.Errorf("got %s, %q, %v", out.Data, out.Warnings, err)
	}
	end(t, name)
}

// processOf returns the process whose id is in a file.
func processOf(t *testing.T, name string) *os.Process {
	t.Helper()
	var pid int
	text, err := os.ReadFile(name)
	if err != nil || json.Unmarshal(text, &pid) != nil {
		t.Fatalf("%s, %v", text, err)
	}
	p, err := os.FindProcess(pid)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func end(t *testing.T, name string) {
	t.Helper()
	if err := processOf(t, name).Kill(); err != nil {
		t.Error(err)
	}
}
