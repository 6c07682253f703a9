package main

import (
	"bytes"
	"encoding/json"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/callwright/callwright/agent"
	"github.com/callwright/callwright/config"
	"github.com/callwright/callwright/provider"
)

// Whoever closes the input at a question has not answered it: the run waits.
func TestAskEndOfInput(t *testing.T) {
	a := &app{std: streams{in: strings.NewReader(""), out: io.Discard, err: io.Discard}, env: func(string) (string, bool) { return "", false }}
	if d, err := newTalk(a, false, false).ask(t.Context(), agent.Question{Name: "drop"}); d != agent.Later || err != nil {
		t.Errorf("got %q, %v", d, err)
	}
}

// What cannot be carried out is said with the status of a misused command line, before a model is asked.
func TestRunMisused(t *testing.T) {
	dir := t.TempDir()
	for want, args := range map[string][]string{
		`open nofile.json: `: {"--tools", "nofile.json"},
		`toolfile.parse: /run: tool 0 (x): expected "run": an object with a command or a url`: {"--tools", `{"name": "x"}`},
		`--mcp: expected a command or a URL, got ""`:                                          {"--mcp", ""},
		`agent.options: /tool_use_mode: unknown tool use mode "often"`:                        {"--tool-use-mode", "often"},
		`agent.options: /tool_allowlist: "get_[" is no pattern for names of tools`:            {"--allow", "get_["},
		`--conversation: `: {"--conversation", filepath.Join(dir, "none", "c.json")},
	} {
		var stderr bytes.Buffer
		std := streams{in: strings.NewReader(""), out: io.Discard, err: &stderr}
		args = append([]string{"run", "--model", "sim/native", "--state", dir, "hi"}, args...)
		status := run(t.Context(), args, std, func(string) (string, bool) { return "", false })
		if status != exitMisused || !strings.HasPrefix(stderr.String(), "callwright: "+want) {
			t.Errorf("%q: got status %d, %s", args, status, &stderr)
		}
	}
}

// Simulated models take tools of servers, whose names have a colon.
func TestRunNameWithColon(t *testing.T) {
	var stdout, stderr bytes.Buffer
	std := streams{in: strings.NewReader(""), out: &stdout, err: &stderr}
	args := []string{"run", "--model", "sim/native", "--state", t.TempDir(), "--tools", `{"name": "files:read", "run": {"command": ["true"]}}`, "hi"}
	if status := run(t.Context(), args, std, func(string) (string, bool) { return "", false }); status != exitDone {
		t.Errorf("got status %d, %s", status, &stderr)
	}
}

// Variables before a command of the configuration reach its server, and those of its own member win.
func TestServerConfig(t *testing.T) {
	env := func(string) (string, bool) { return "", false }
	got, err := serverConfig(&config.MCPServer{Name: "files", Command: config.Command{Line: "A=1 B=2 serve --all"}, Env: map[string]provider.Secret{"B": provider.NewSecret("3")}}, env)
	if err != nil {
		t.Fatal(err)
	}
	if got.Name != "files" || !slices.Equal(got.Command, []string{"serve", "--all"}) || !slices.Equal(got.Env, []string{"A=1", "B=2", "B=3"}) {
		t.Errorf("got %+v", got)
	}
}

// What runs is shown in one line of a terminal, which gives way to what came of it. Nothing of it is left in a pipe, and JSON has a line for each.
func TestProgressShown(t *testing.T) {
	arguments := json.RawMessage(`{"n":1}`)
	events := []agent.Event{
		{Kind: agent.EventText, Text: "I look."},
		{Kind: agent.EventCall, Call: "c1", Name: "slow", Arguments: arguments},
		{Kind: agent.EventProgress, Call: "c1", Name: "slow", Progress: &agent.Progress{Done: 1, Total: 4, Message: "reading\x1b[2J"}},
		{Kind: agent.EventProgress, Call: "c1", Name: "slow", Progress: &agent.Progress{Done: 1200}},
		{Kind: agent.EventProgress, Call: "other", Name: "slow", Progress: &agent.Progress{Done: 5}},
		{Kind: agent.EventResult, Call: "c1", Name: "slow", Arguments: arguments, MS: 12, Result: &agent.Envelope{OK: true}},
		{Kind: agent.EventFinal, Text: "Done.", Stop: agent.StopAnswered},
	}
	const gone, outcome = "\r\x1b[K", "* slow {\"n\":1}  12 ms  ok\n"
	for name, c := range map[string]struct {
		live, asJSON bool
		said         string
		lines        int
	}{
		"a terminal": {live: true, said: gone + "… slow {\"n\":1}" + gone + "… slow {\"n\":1}  25%  reading␛[2J" + gone + "… slow {\"n\":1}  1200" + gone + outcome, lines: 1},
		"a pipe":     {said: outcome, lines: 1},
		"JSON":       {asJSON: true, lines: len(events)},
	} {
		var stdout, stderr bytes.Buffer
		a := &app{std: streams{in: strings.NewReader(""), out: &stdout, err: &stderr}, env: func(string) (string, bool) { return "", false }}
		talk := newTalk(a, c.asJSON, false)
		talk.err.Live = c.live
		for _, ev := range events {
			if err := talk.show(ev); err != nil {
				t.Fatal(err)
			}
		}
		if stderr.String() != c.said || strings.Count(stdout.String(), "\n") != c.lines {
			t.Errorf("%s: said %q, printed %q", name, &stderr, &stdout)
		}
		if c.asJSON && !strings.Contains(stdout.String(), `{"event":"progress","run":"","call":"c1","name":"slow","progress":{"done":1200}}`) {
			t.Errorf("%s: got %s", name, &stdout)
		}
	}
}

// What a run says last stands on a line of its own, also where the model was broken off in the middle of one.
func TestBrokenOffText(t *testing.T) {
	for _, ev := range []agent.Event{{Kind: agent.EventError, Text: "interrupted"}, {Kind: agent.EventFinal, Stop: agent.StopParked}} {
		var stdout bytes.Buffer
		a := &app{std: streams{in: strings.NewReader(""), out: &stdout, err: io.Discard}, env: noEnv}
		talk := newTalk(a, false, false)
		talk.live = true
		for _, ev := range []agent.Event{{Kind: agent.EventText, Text: "First line\nhalf of"}, ev} {
			if err := talk.show(ev); err != nil {
				t.Fatal(err)
			}
		}
		if !strings.HasSuffix(stdout.String(), "half of\n") {
			t.Errorf("%s: got %q", ev.Kind, &stdout)
		}
	}
}
