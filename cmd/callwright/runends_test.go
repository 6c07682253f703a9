package main

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// fullDisk is an output that takes nothing.
type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

// A command line that is wrong, or a place that cannot be written, ends with its status and a message that says what to do.
func TestRunEndings(t *testing.T) {
	dir := t.TempDir()
	state := filepath.Join(dir, "my runs")
	file := func(name, text string) string {
		name = filepath.Join(dir, name)
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
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
	runs, err := os.ReadDir(filepath.Join(state, "runs"))
	if err != nil {
		t.Fatal(err)
	}
	id := ""
	for _, f := range runs {
		if name, _, _ := strings.Cut(f.Name(), "."); strings.HasPrefix(name, "run_") {
			id = name
		}
	}
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
		"a cost of no number":    {args: []string{"--max-cost", "NaN", "x"}, status: exitFailed, says: "max_cost"},
		"a negative cost":        {args: []string{"--max-cost=-1", "x"}, status: exitFailed, says: "max_cost"},
		"an unknown run":         {args: []string{"--resume", "run_0"}, status: exitFailed, says: `there is no run "run_0"`},
		"an odd run":             {args: []string{"--resume", "../x"}, status: exitFailed, says: "expected an id of a run"},
		"an answer to nothing":   {args: []string{"--resume", id, "--answer", "yes"}, status: exitFailed, says: "waits for an answer", not: "can go on"},
		"a run that has ended":   {args: []string{"--resume", id}, status: exitDone},
		"a trace in a folder":    {args: []string{"--trace", dir, "x"}, status: exitMisused, says: "is a directory"},
		"a state in a file":      {args: []string{"--state", file("file", ""), "x"}, status: exitFailed, says: "filejournal.open"},
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
