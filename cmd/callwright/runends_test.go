package main

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/config"
	"github.com/callwright/callwright/internal/conversation"
)

// fullDisk is an output that takes nothing.
type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

// written makes a file of a folder.
func written(t *testing.T, dir, name, text string) string {
	t.Helper()
	name = filepath.Join(dir, name)
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// keptRun is the id of the run that a folder of state has.
func keptRun(t *testing.T, state string) (id string) {
	t.Helper()
	runs, err := os.ReadDir(filepath.Join(state, "runs"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range runs {
		if name, _, _ := strings.Cut(f.Name(), "."); strings.HasPrefix(name, "run_") {
			id = name
		}
	}
	return id
}

// A command line that is wrong, or a place that cannot be written, ends with its status and a message that says what to do.
func TestRunEndings(t *testing.T) {
	dir := t.TempDir()
	state := filepath.Join(dir, "my runs")
	file := func(name, text string) string { return written(t, dir, name, text) }
	drop := `{"name":"get_weather","parameters":{"type":"object"},"approve":"always","run":{"command":["echo","1"]}}`
	do := func(in string, out io.Writer, args ...string) (int, string) {
		var errs bytes.Buffer
		status := run(t.Context(), append([]string{"run", "--model", "sim/native", "--state", state}, args...), streams{in: strings.NewReader(in), out: out, err: &errs}, noEnv)
		return status, errs.String()
	}
	var out bytes.Buffer
	if status, said := do("", &out, "--conversation", filepath.Join(dir, "c.json"), "Hello."); status != exitDone {
		t.Fatal(said)
	}
	id := keptRun(t, state)
	for name, c := range map[string]struct {
		in     string
		out    io.Writer
		args   []string
		status int
		says   string
		not    string
	}{
		"no prompt":              {args: []string{""}, status: exitMisused, says: "the prompt is empty"},
		"an empty input":         {in: " \n", status: exitMisused, says: "the prompt is empty"},
		"broken tools":           {args: []string{"--tools", file("broken.json", `{"name": "x", `), "x"}, status: exitMisused, says: "expected a member name"},
		"a cost of no number":    {args: []string{"--max-cost", "NaN", "x"}, status: exitMisused, says: `"--max-cost"`},
		"a negative cost":        {args: []string{"--max-cost=-1", "x"}, status: exitMisused, says: `"--max-cost"`},
		"an unknown run":         {args: []string{"--resume", "run_0"}, status: exitFailed, says: `there is no run "run_0": callwright runs lists`},
		"an odd run":             {args: []string{"--resume", "../x"}, status: exitFailed, says: "expected an id of a run"},
		"an answer to nothing":   {args: []string{"--resume", id, "--answer", "yes"}, status: exitFailed, says: "waits for an answer", not: "can go on"},
		"a run that has ended":   {args: []string{"--resume", id}, status: exitDone},
		"a trace in a folder":    {args: []string{"--trace", dir, "x"}, status: exitDone},
		"a state in a file":      {args: []string{"--state", file("file", ""), "x"}, status: exitFailed, says: "--state: "},
		"a folder that is none":  {args: []string{"--conversation", filepath.Join(dir, "none", "c.json"), "x"}, status: exitMisused, says: "--conversation", not: "sim"},
		"no conversation":        {args: []string{"--conversation", file("g.json", "garbage"), "x"}, status: exitFailed, says: "expected a JSON object"},
		"an output that is full": {out: fullDisk{}, args: []string{"x"}, status: exitFailed, says: "no space left"},
		"a full output of JSON":  {out: fullDisk{}, args: []string{"--json", "x"}, status: exitFailed, says: "no space left"},
		"a folder with a space":  {args: []string{"--tools", drop, "What is the weather in Oslo?"}, status: exitParked, says: "--state '" + state + "' --resume run_"},
	} {
		t.Run(name, func(t *testing.T) {
			if c.out == nil {
				c.out = io.Discard
			}
			status, said := do(c.in, c.out, c.args...)
			if status != c.status || !strings.Contains(said, c.says) || c.not != "" && strings.Contains(said, c.not) {
				t.Errorf("status %d: %s", status, said)
			}
		})
	}
}

// A run that goes on has the settings with which it began, but for those that are said anew.
func TestRunKeepsItsSettings(t *testing.T) {
	for name, c := range map[string]struct {
		first, then []string
		status      int
		says        string
	}{
		"nothing":               {status: exitDone},
		"a bound":               {first: []string{"--max-steps", "1"}, status: exitFailed, says: "no answer after 1 steps"},
		"a bound said anew":     {first: []string{"--max-steps", "1"}, then: []string{"--max-steps", "0"}, status: exitDone},
		"a word":                {first: []string{"--fix-empty-final=false"}, status: exitDone},
		"a list and an object":  {first: []string{"--allow", "get_*,other", "--allow", "x*", "--tools", `[{"name":"other","run":{"command":["true"]}},{"name":"x","run":{"command":["true"]}}]`, "--request-overrides", `{"seed":1}`}, status: exitDone},
		"a list said anew":      {then: []string{"--deny", "get_*"}, status: exitDone, says: "NOT_ALLOWED"},
		"a misspelt one anew":   {then: []string{"--deny", "got_*"}, status: exitMisused, says: `--deny: unknown tool "got_*"`},
		"a model that is gone":  {then: []string{"--model", "nobody"}, status: exitMisused, says: `--model: model nobody is not known`},
		"a verifier said anew":  {then: []string{"--verifier", "never"}, status: exitDone},
		"a profile of the file": {first: []string{"--tool-profiles", `{"r": "get_weather"}`, "--tool-profile", "r"}, status: exitDone},
	} {
		t.Run(name, func(t *testing.T) {
			state := t.TempDir()
			do := func(args ...string) (int, string) {
				var errs bytes.Buffer
				status := run(t.Context(), append([]string{"run", "--state", state}, args...), streams{in: strings.NewReader(""), out: io.Discard, err: &errs}, noEnv)
				return status, errs.String()
			}
			tool := `{"name":"get_weather","parameters":{"type":"object","properties":{"city":{"type":"string"}}},"approve":"always","run":{"command":["echo","1"]}}`
			status, said := do(append([]string{"--model", "sim/native", "--tools", tool, "What is the weather in Oslo?"}, c.first...)...)
			_, id, found := strings.Cut(said, "--resume ")
			if status != exitParked || !found {
				t.Fatalf("status %d: %s", status, said)
			}
			id, _, _ = strings.Cut(id, " ")
			status, said = do(append([]string{"--resume", id, "--answer", "yes"}, c.then...)...)
			if status != c.status || !strings.Contains(said, c.says) {
				t.Errorf("status %d: %s", status, said)
			}
		})
	}
}

// The command line that goes on with a run finds the folder that the configuration names.
func TestRunGoesOnWhereTheConfigurationKeepsIt(t *testing.T) {
	dir := t.TempDir()
	conf := filepath.Join(dir, "other.yaml")
	text := "providers: {sim: {}}\nstate: {dir: " + strconv.Quote(filepath.Join(dir, "kept")) + "}\nagent: {model: sim/native}\n"
	if err := os.WriteFile(conf, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	do := func(args ...string) (int, string) {
		var errs bytes.Buffer
		status := run(t.Context(), args, streams{in: strings.NewReader(""), out: io.Discard, err: &errs}, noEnv)
		return status, errs.String()
	}
	tool := `{"name":"get_weather","approve":"always","parameters":{"type":"object","properties":{"city":{"type":"string"}}},"run":{"command":["true"]}}`
	status, said := do("run", "--config", conf, "--tools", tool, "What is the weather in Oslo?")
	_, again, found := strings.Cut(said, "continue with: callwright ")
	again, _, _ = strings.Cut(again, " (")
	if status != exitParked || !found {
		t.Fatalf("status %d: %s", status, said)
	}
	if status, said := do(strings.Fields(again)...); status != exitDone {
		t.Errorf("%s: status %d: %s", again, status, said)
	}
}

// The help of a flag names other settings as flags, for those who have no configuration.
func TestRunHelpNamesFlags(t *testing.T) {
	var out bytes.Buffer
	run(t.Context(), []string{"run", "--help"}, streams{in: strings.NewReader(""), out: &out, err: io.Discard}, noEnv)
	for _, key := range config.AgentKeys() {
		if strings.Contains(key.Name, "_") && strings.Contains(out.String(), key.Name) {
			t.Errorf("the help names the key %s", key.Name)
		}
	}
}

// The conversation of a run that waits is saved, and so is that of the run that went on, wherever it does.
func TestRunSavesAtThePark(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	tool := `{"name":"get_weather","parameters":{"type":"object","properties":{"city":{"type":"string"}}},"approve":"always","run":{"command":["echo","1 degree"]}}`
	do := func(args ...string) (int, string) {
		var errs bytes.Buffer
		status := run(t.Context(), append([]string{"run", "--state", dir}, args...), streams{in: strings.NewReader(""), out: io.Discard, err: &errs}, noEnv)
		return status, errs.String()
	}
	shape := func() (roles string) {
		text, err := os.ReadFile(filepath.Join(dir, "c.json"))
		if err != nil {
			t.Fatal(err)
		}
		c, err := conversation.Unmarshal(text)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range c.Messages {
			roles += string(m.Role) + " "
		}
		return roles + callwright.TextOf(c.Messages[len(c.Messages)-1].Parts)
	}
	status, said := do("--model", "sim/native", "--tools", tool, "--conversation", "c.json", "What is the weather in Oslo?")
	_, id, found := strings.Cut(said, "--resume ")
	if id, _, _ = strings.Cut(id, " "); status != exitParked || !found {
		t.Fatalf("status %d: %s", status, said)
	}
	if got := shape(); got != "user assistant " {
		t.Errorf("at the park: %q", got)
	}
	t.Chdir(t.TempDir())
	if status, said := do("--resume", id, "--answer", "yes"); status != exitDone {
		t.Fatalf("status %d: %s", status, said)
	}
	if got := shape(); !strings.HasPrefix(got, "user assistant tool assistant ") || !strings.Contains(got, "1 degree") {
		t.Errorf("at the end: %q", got)
	}
	if _, err := os.Stat("/dev/full"); err == nil {
		if status, said := do("--model", "sim/native", "--tools", tool, "--trace", "/dev/full", "What is the weather in Oslo?"); status != exitFailed || !strings.Contains(said, "no space left") || !strings.Contains(said, "--resume run_") {
			t.Errorf("a trace that cannot be kept: status %d: %s", status, said)
		}
	}
	// What was saved at the park can be gone on with by a new run, too: calls without a result are no hindrance.
	if status, said := do("--model", "sim/native", "--conversation", filepath.Join(dir, "c.json"), "And in Rome?"); status != exitDone {
		t.Errorf("status %d: %s", status, said)
	}
}
