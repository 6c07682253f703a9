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

// weatherTool is a tool as --tools takes it.
const weatherTool = `{"name": "get_weather", "run": {"command": ["echo", "3"]}}`

// What cannot be carried out is said with the status of a misused command line, before a model is asked.
func TestRunMisused(t *testing.T) {
	dir := t.TempDir()
	for want, args := range map[string][]string{
		`open nofile.json: `: {"--tools", "nofile.json"},
		`toolfile.parse: /run: tool 0 (x): expected "run": an object with a command or a url`:                                        {"--tools", `{"name": "x"}`},
		`--mcp: expected a command or a URL, got ""`:                                                                                 {"--mcp", ""},
		`invalid argument "often" for "--tool-use-mode" flag: unknown tool_use_mode "often": expected enforced, relaxed or disabled`: {"--tool-use-mode", "often"},
		`invalid argument "get_[" for "--allow" flag: "get_[" is no pattern for names of tools`:                                      {"--allow", "get_["},
		`invalid argument "-1" for "--max-steps" flag: expected a whole number from 0, got -1`:                                       {"--max-steps", "-1"},
		`invalid argument "0" for "--parallel" flag: expected a whole number from 1, got 0`:                                          {"--parallel", "0"},
		`invalid argument "{" for "--request-overrides" flag: expected an object as JSON, got "{"`:                                   {"--request-overrides", "{"},
		`--max-cost: expected cost with the prices of tokens`:                                                                        {"--max-cost", "1"},
		`--model: config.resolve: unknown model "nobody"`:                                                                            {"--model", "nobody"},
		`--verifier-model: config.resolve: unknown model "nobody"`:                                                                   {"--verifier", "always", "--verifier-model", "nobody"},
		`--next-models: config.resolve: unknown provider "gorq" in "gorq/x": did you mean groq/x?`:                                   {"--next-models", "gorq/x"},
		`--tool-profile: unknown profile "careful": tool_profiles has none`:                                                          {"--tool-profile", "careful"},
		`--tool-profile: unknown profile "carful": did you mean careful?`:                                                            {"--tool-profiles", `{"careful": "*"}`, "--tool-profile", "carful"},
		`--tool-choice: no tool "get_wether" is offered: did you mean get_weather?`:                                                  {"--tool-choice", "get_wether", "--tools", weatherTool},
		`--allow: unknown tool "get_wether": did you mean get_weather?`:                                                              {"--allow", "get_weather,get_wether", "--tools", weatherTool},
		`--deny: unknown tool "drop*": there are get_weather`:                                                                        {"--deny", "drop*", "--tools", weatherTool},
		`--deny: unknown tool "wether": there are no tools`:                                                                          {"--deny", "wether"},
		`--approve: unknown tool "get_wether": did you mean get_weather?`:                                                            {"--approve", `{"get_wether": "always"}`, "--tools", weatherTool},
		`--tool-use-mode: the mode enforced needs a call, and no tool is offered`:                                                    {"--tool-use-mode", "enforced"},
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
