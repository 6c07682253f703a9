package clients_test

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/callwright/callwright/mcptool"
)

// Variables of the program that the conformance suite of MCP runs as the client. The suite sets the first.
const (
	scenarioVariable = "MCP_CONFORMANCE_SCENARIO"
	personVariable   = "CALLWRIGHT_CONFORMANCE_PERSON"
)

// TestMain is this test, or the client under test where the conformance suite started it.
func TestMain(m *testing.M) {
	if os.Getenv(scenarioVariable) == "" {
		os.Exit(m.Run())
	}
	if err := converseMCP(context.Background(), os.Args[len(os.Args)-1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// converseMCP connects to a server, lists its tools, and calls each with numbers for what it may ask.
func converseMCP(ctx context.Context, url string) error {
	ctx, stop := context.WithTimeout(ctx, 20*time.Second)
	defer stop()
	conf := mcptool.Config{Name: "suite", URL: url}
	if action := os.Getenv(personVariable); action != "" {
		conf.Elicit = func(context.Context, string, string, json.RawMessage) (string, json.RawMessage, error) {
			return action, nil, nil
		}
	}
	s, err := mcptool.Open(ctx, conf)
	if err != nil {
		return err
	}
	tools, err := s.Tools(ctx)
	for _, tool := range tools {
		if _, failed := tool.Run(ctx, json.RawMessage(`{"a": 5, "b": 3}`)); err == nil {
			err = failed
		}
	}
	return cmp.Or(err, s.Close())
}

// conformanceCases are the scenarios of the suite's client half, with the answer of the person who is asked for input (empty: nobody can be) and
// the message of the one check that a refusal fails. Values that a person left out are the defaults of the form.
var conformanceCases = []struct{ scenario, person, fails string }{
	{scenario: "initialize"},
	{scenario: "tools_call"},
	{scenario: "sse-retry"},
	{scenario: elicitation, person: "accept"},
	{scenario: elicitation, person: "decline", fails: "Expected action 'accept', got 'decline'"},
	{scenario: elicitation, person: "cancel", fails: "Expected action 'accept', got 'cancel'"},
	{scenario: elicitation, fails: "Elicitation failed: MCP error -32602: client does not support elicitation"},
}

const elicitation = "elicitation-sep1034-client-defaults"

// late begins what the suite says of a client that reconnects more than half a second after it was told to, which depends on the machine's load.
const late = "Client reconnected very late"

// TestConformance runs the client half of the official conformance suite of MCP on mcptool.
func TestConformance(t *testing.T) {
	run := conformanceSuite(t)
	for _, c := range conformanceCases {
		t.Run(strings.Trim(c.scenario+"/"+c.person, "/"), func(t *testing.T) {
			dir, said := run(t, c.person, "--scenario", c.scenario)
			var failed []string
			passed := 0
			for _, check := range readChecks(t, filepath.Join(dir, "*", "checks.json")) {
				switch {
				case check.Status == "SUCCESS":
					passed++
				case check.Status == "FAILURE" && !strings.HasPrefix(check.Error, late):
					failed = append(failed, cmp.Or(check.Error, check.ID))
				}
			}
			if c.fails != "" && (passed > 0 || len(failed) == 0 || failed[0] != c.fails) || c.fails == "" && (passed == 0 || len(failed) > 0) {
				t.Errorf("want %q to fail, %d checks passed and %q failed\n%s", c.fails, passed, failed, said)
			}
		})
	}
}

// TestConformanceOfLogins runs the scenarios of servers that want a login by OAuth. mcptool has none, which each of them has to be told: it sends
// the token that it is given.
func TestConformanceOfLogins(t *testing.T) {
	dir, said := conformanceSuite(t)(t, "", "--suite", "auth")
	files, err := filepath.Glob(filepath.Join(dir, "auth", "*", "stderr.txt"))
	if err != nil || len(files) < 10 {
		t.Fatalf("want ten scenarios or more, got %d, %v\n%s", len(files), err, said)
	}
	for _, file := range files {
		if text, err := os.ReadFile(file); err != nil || !strings.Contains(string(text), "401 Unauthorized: set a header with a token") {
			t.Errorf("%s: %v, %s", file, err, text)
		}
	}
}

// conformanceSuite returns what runs the suite with this test as the client. The run returns the folder with the results, and what the suite
// printed; its status says the same as the checks.
func conformanceSuite(t *testing.T) func(t *testing.T, person string, args ...string) (dir, said string) {
	t.Helper()
	n := need(t, findFrameworks())
	hook := filepath.Join(beside(t, n.sdks, "frameworks"), "conformance.mjs")
	suite := filepath.Join(n.sdks, "node_modules", "@modelcontextprotocol", "conformance", "dist", "index.js")
	return func(t *testing.T, person string, args ...string) (dir, said string) {
		t.Helper()
		dir = t.TempDir()
		cmd := exec.CommandContext(t.Context(), n.path, append([]string{"--import", hook, suite, "client", "--command", os.Args[0], "--output-dir", dir}, args...)...)
		cmd.Env = append(plainEnv(), personVariable+"="+person)
		out, _ := cmd.CombinedOutput()
		return dir, string(out)
	}
}

// A conformanceCheck is a check of the suite, with the reason where it failed and gave one.
type conformanceCheck struct {
	ID     string `json:"id"`
	Status string `json:"status"`
	Error  string `json:"errorMessage"`
}

// readChecks reads the checks of a run.
func readChecks(t *testing.T, pattern string) (checks []conformanceCheck) {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) != 1 {
		t.Fatalf("want the checks of one run, got %v, %v", files, err)
	}
	text, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &checks); err != nil {
		t.Fatal(err)
	}
	return checks
}
