package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// A run has a person asked about the calls that a rule parks, also where somebody is asked about no tool, and its model is told of those that a rule refuses.
func TestRunWithCallRules(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "rules.yaml")
	conf := func(rules string) {
		if err := os.WriteFile(file, []byte("providers: {sim: {}}\nagent: {approve: {\"*\": never}}\ncall_rules:\n  - "+rules+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	const tool = `{"name": "get_weather", "parameters": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}, "run": {"command": ["echo", "3 degrees"]}}`
	ask := func(more ...string) (int, string, string) {
		return command(t, "", append([]string{"run", "--config", file, "--state", filepath.Join(dir, "runs"), "--no-check"}, more...)...)
	}
	start := []string{"--model", "sim/native", "--tools", tool, "What is the weather in Oslo?"}
	conf(`{name: far, tools: [get_weather], when: args.city == "Oslo", action: park, message: it is far}`)
	status, out, errs := ask(start...)
	if status != 3 || out != "" || !strings.Contains(errs, `waits: get_weather {"city": "Oslo"} (the rule far requires an approval: it is far)`) {
		t.Fatalf("parked: status %d, %q, %q", status, out, errs)
	}
	id := regexp.MustCompile(`run_[0-9a-f-]+`).FindString(errs)
	if status, out, errs = ask("--resume", id, "--answer", "yes"); status != 0 || !strings.Contains(out, "3 degrees") {
		t.Errorf("approved: status %d, %q, %q", status, out, errs)
	}
	if status, out, errs = ask(append([]string{"--yes"}, start...)...); status != 0 || !strings.Contains(out, "3 degrees") {
		t.Errorf("with --yes: status %d, %q, %q", status, out, errs)
	}
	conf(`{name: far, tools: [get_weather], when: client == "agent", message: it is far}`)
	if status, out, errs = ask(append([]string{"--yes"}, start...)...); status != 0 || strings.Contains(out, "3 degrees") || !strings.Contains(out, "refused by the rule far: it is far") {
		t.Errorf("refused: status %d, %q, %q", status, out, errs)
	}
}
