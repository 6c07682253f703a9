package engines_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/callwright/callwright"
)

// scenarios are those that are measured: what comes with the program, and two that the model can end well. trials is how often.
const (
	scenarios      = "type_error_recovery,directives,says,calls"
	scenarioNumber = 4
	trials         = 2
)

// shortAnswers are the members of requests that bound an answer: noise has no end.
var shortAnswers = map[callwright.WireName]any{
	callwright.WireOllama:    map[string]any{"options": map[string]int{"num_predict": 48}},
	callwright.WireOpenAI:    map[string]int{"max_tokens": 48},
	callwright.WireResponses: map[string]int{"max_output_tokens": 48},
	callwright.WireAnthropic: map[string]int{"max_tokens": 48},
}

// A bench is the program, before the servers of some surfaces.
type bench struct {
	program, folder, state string
	models                 []string
	asked                  atomic.Int64 // requests that reached the servers
}

// newBench builds the program and puts a proxy that counts before each surface that calls natively and whose server is there.
func newBench(t *testing.T, variable string) *bench {
	t.Helper()
	address := strings.TrimSuffix(os.Getenv(variable), "/")
	if address == "" {
		t.Skip(variable + " names no server")
	}
	folder := t.TempDir()
	b := &bench{program: filepath.Join(folder, "callwright"), folder: folder, state: filepath.Join(folder, "state")}
	if said, err := exec.CommandContext(t.Context(), "go", "build", "-C", "../..", "-o", b.program, "./cmd/callwright").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	if variable == ollamaVariable {
		create(t, address, withTools)
	}
	to, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	forward := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(to) }, ErrorLog: log.New(io.Discard, "", 0)} // a program that is killed breaks off its requests
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			b.asked.Add(1)
		}
		forward.ServeHTTP(w, r)
	}))
	t.Cleanup(proxy.Close)
	providers := map[string]any{}
	for _, s := range surfaces {
		if s.variable == variable && !s.text {
			name := strings.ReplaceAll(s.name, " ", "-")
			providers[name] = map[string]any{"wire": s.wire, "base_url": proxy.URL + s.path, "api_key": "none", "request": shortAnswers[s.wire]}
			b.models = append(b.models, name+"/"+s.model)
		}
	}
	text, err := json.Marshal(map[string]any{"discover": "off", "providers": providers})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "callwright.yaml"), text, 0o600); err != nil {
		t.Fatal(err)
	}
	return b
}

// cells is how many trials the run has.
func (b *bench) cells() int { return len(b.models) * scenarioNumber * trials }

// command is the run, which goes on where an earlier one was broken off.
func (b *bench) command(t *testing.T) *exec.Cmd {
	t.Helper()
	file, err := filepath.Abs("testdata/scenarios.json")
	if err != nil {
		t.Fatal(err)
	}
	args := []string{"eval", "--config", "callwright.yaml", "--scenarios", scenarios, "--scenario-file", file, "--trials", fmt.Sprint(trials), "--state", b.state,
		"--client-timeout", "60", "--json", "--verbose", "2"}
	for _, m := range b.models {
		args = append(args, "--model", m)
	}
	c := exec.CommandContext(t.Context(), b.program, args...)
	c.Dir, c.Env = b.folder, []string{"HOME=" + b.folder, "PATH=" + os.Getenv("PATH")}
	return c
}

// runUntilKilled runs until some trials are over, and kills the program then.
func (b *bench) runUntilKilled(t *testing.T, after int) {
	t.Helper()
	c := b.command(t)
	told, err := c.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(told)
	for over := 0; over < after && lines.Scan(); {
		if told, _, _ := strings.Cut(lines.Text(), " "); told == "ok" || told == "failed" || told == "refused" || told == "broken" {
			over++
		}
	}
	_ = c.Process.Kill()
	_, _ = io.Copy(io.Discard, told)
	if err := c.Wait(); err == nil {
		t.Fatal("the run ended before it was killed")
	}
}

// A report is what a run prints, as far as the test reads it.
type report struct {
	Run struct {
		Cells int
		Live  bool
	}
	Total                     struct{ OK, N int }
	Refusals, Broken, Skipped struct{ Trials int }
}

// run runs to the end. Trials that did not end well are no error of the program.
func (b *bench) run(t *testing.T) (out report) {
	t.Helper()
	var printed, told bytes.Buffer
	c := b.command(t)
	c.Stdout, c.Stderr = &printed, &told
	var exit *exec.ExitError
	if err := c.Run(); err != nil && (!errors.As(err, &exit) || exit.ExitCode() != 1) {
		t.Fatalf("%v\n%s", err, told.String())
	}
	if err := json.Unmarshal(printed.Bytes(), &out); err != nil {
		t.Fatalf("%v in %s", err, printed.String())
	}
	return out
}

// A result is what the state keeps of a trial.
type result struct{ ID, Outcome, Reason, Class, Kind string }

// results are those that the state has, by id, and the file's lines.
func (b *bench) results(t *testing.T) (byID map[string]result, lines []string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(b.state, "results.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	byID = map[string]result{}
	for line := range strings.Lines(string(text)) {
		var one struct{ Entry struct{ Result *result } }
		if err := json.Unmarshal([]byte(line), &one); err != nil || !strings.HasSuffix(line, "\n") {
			continue // the line that the kill cut
		}
		lines = append(lines, line)
		if r := one.Entry.Result; r != nil {
			if _, twice := byID[r.ID]; twice {
				t.Errorf("%s was played twice", r.ID)
			}
			byID[r.ID] = *r
		}
	}
	return byID, lines
}

// An evaluation of real servers reports every trial, with a result or with the reason why there is none, and one that was killed goes on without
// playing a trial again.
func TestEval(t *testing.T) {
	for _, variable := range []string{ollamaVariable, llamaVariable} {
		t.Run(variable, func(t *testing.T) {
			b := newBench(t, variable)
			b.runUntilKilled(t, b.cells()/3)
			before, kept := b.results(t)
			if len(before) == 0 || len(before) >= b.cells() {
				t.Fatalf("%d of %d trials were over when the run was killed", len(before), b.cells())
			}
			got := b.run(t)
			after, lines := b.results(t)
			for i, line := range kept {
				if i >= len(lines) || lines[i] != line {
					t.Fatalf("line %d of the results was %s", i+1, line)
				}
			}
			b.check(t, got, after)
			asked := b.asked.Load()
			again := b.run(t)
			if n := b.asked.Load() - asked; n > 0 || again != got {
				t.Errorf("a run that was over made %d requests and reported %+v, before %+v", n, again, got)
			}
			t.Logf("%d of %d trials ended well, %d refused, %d broken; %d were over when the run was killed; %d requests", got.Total.OK, b.cells(), got.Refusals.Trials, got.Broken.Trials, len(before), asked)
		})
	}
}

// check holds a report and the results against what was to be played.
func (b *bench) check(t *testing.T, got report, results map[string]result) {
	t.Helper()
	if n := got.Total.N + got.Refusals.Trials + got.Broken.Trials + got.Skipped.Trials; n != b.cells() || len(results) != b.cells() || got.Run.Cells != b.cells() || !got.Run.Live {
		t.Errorf("%d trials are reported and %d kept, expected %d: %+v", n, len(results), b.cells(), got)
	}
	for _, r := range results {
		if r.Outcome != "ok" && (r.Reason == "" || r.Class == "") {
			t.Errorf("%s: %s without a reason: %+v", r.ID, r.Outcome, r)
		}
	}
	for _, m := range b.models {
		for i := range trials {
			id := fmt.Sprintf("%s|auto|heal|default|says|%d", m, i+1)
			if r := results[id]; r.Outcome != "ok" {
				t.Errorf("%s: %+v", id, r)
			}
		}
	}
}
