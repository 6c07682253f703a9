package main

import (
	"bytes"
	"io"
	"path/filepath"
	"strings"
	"testing"
)

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
		`--max-cost: expected cost, the prices of tokens`:                                                                            {"--max-cost", "1"},
		`--model: model nobody is not known`:                                                                                         {"--model", "nobody"},
		`--verifier-model: model nobody is not known`:                                                                                {"--verifier", "always", "--verifier-model", "nobody"},
		`--next-models: unknown provider "gorq" in "gorq/x": did you mean groq/x?`:                                                   {"--next-models", "gorq/x"},
		`--tool-profile: unknown profile "careful": tool_profiles has none`:                                                          {"--tool-profile", "careful"},
		`--tool-profile: unknown profile "carful": did you mean careful?`:                                                            {"--tool-profiles", `{"careful": "*"}`, "--tool-profile", "carful"},
		`--tool-choice: no tool "get_wether" is offered: did you mean get_weather?`:                                                  {"--tool-choice", "get_wether", "--tools", weatherTool},
		`--allow: unknown tool "get_wether": did you mean get_weather?`:                                                              {"--allow", "get_weather,get_wether", "--tools", weatherTool},
		`--deny: unknown tool "drop*": there are get_weather`:                                                                        {"--deny", "drop*", "--tools", weatherTool},
		`--deny: unknown tool "wether": there are no tools`:                                                                          {"--deny", "wether"},
		`--approve: unknown tool "get_wether": did you mean get_weather?`:                                                            {"--approve", `{"get_wether": "always"}`, "--tools", weatherTool},
		`--tool-use-mode: the mode enforced requires a call, but no tool is offered`:                                                 {"--tool-use-mode", "enforced"},
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
