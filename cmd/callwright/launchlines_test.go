package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// launchPlain runs a launch without --verbose, with a folder of state.
func launchPlain(t *testing.T, state string, args ...string) launched {
	t.Helper()
	var out, errs bytes.Buffer
	status := run(t.Context(), append([]string{"launch", "--state", state}, args...), streams{in: strings.NewReader(""), out: &out, err: &errs}, noEnv)
	return launched{status, out.String(), errs.String()}
}

// A start prints the agent and its models, the pages of the gateway and its log; --verbose prints the plan, too.
func TestLaunchLines(t *testing.T) {
	state := t.TempDir()
	dark := writeConfig(t, "ui: off\nproviders: {sim: {}}\n")
	const plan = `gateway  (.*\n)+`
	at := `http://127\.0\.0\.1:\d+`
	for line, want := range map[string]string{
		"--model sim/native claude":                               `agent      Claude Code.* on sim/native\ndashboard  ` + at + `/ui/\nlog        ` + regexp.QuoteMeta(filepath.Join(state, "launch.log")) + `\n`,
		"--model sim/native,small=sim/hermes claude":              `agent      .* on sim/native \(small: sim/hermes\)\n(.*\n){2}`,
		"--model sim/native --config " + dark + " claude":         `.*\ndashboard  none: the configuration has ui: off\nlog  .*\n`,
		"--model sim/native --verbose claude":                     `the environment has no provider's key(.*\n)+agent      .*\n.*\nlog .*\n` + plan,
		"--model sim/native --log " + state + "/other.log claude": `.*\n.*\nlog        ` + regexp.QuoteMeta(state) + `/other\.log\n`,
	} {
		l := launchPlain(t, state, append([]string{"--listen", "127.0.0.1:0"}, append(strings.Fields(line), "--", "ask", "Hello")...)...)
		l.check(t, exitDone, `200 {"`, "")
		if !regexp.MustCompile(`^` + want + `$`).MatchString(l.errs) {
			t.Errorf("%s: got\n%swant %s", line, l.errs, want)
		}
	}
	for _, name := range []string{"launch.log", "other.log"} {
		if text, err := os.ReadFile(filepath.Join(state, name)); err != nil || !strings.Contains(string(text), "callwright listens on ") {
			t.Errorf("%s has %q, %v", name, text, err)
		}
	}
}

// launch --trace records the requests of the agent in a file or a folder. It is an error beside a gateway that runs already.
func TestLaunchTrace(t *testing.T) {
	dir := t.TempDir()
	file, folder := filepath.Join(dir, "trace.jsonl"), filepath.Join(dir, "traces")+string(filepath.Separator)
	for _, trace := range []string{file, folder} {
		launchPlain(t, t.TempDir(), "--listen", "127.0.0.1:0", "--model", "sim/native", "--trace", trace, "claude", "--", "ask", "Hello traced").check(t, exitDone, `200 {"`, "")
	}
	written, _ := filepath.Glob(filepath.Join(folder, "*.jsonl"))
	for _, name := range append(written, file) {
		if text, err := os.ReadFile(name); err != nil || !strings.Contains(string(text), "Hello traced") {
			t.Errorf("%s has %q, %v", name, text, err)
		}
	}
	if len(written) == 0 {
		t.Error("nothing is written to the folder")
	}
	launchPlain(t, t.TempDir(), "--listen", "127.0.0.1:0", "--model", "sim/native", "--trace", filepath.Join(file, "below"), "claude").check(t, exitMisused, "", "trace.jsonl")
	s := serve(t, "providers: {sim: {}}\n", nil)
	launchPlain(t, t.TempDir(), "--listen", strings.TrimPrefix(s.url, "http://"), "--model", "sim/native", "--trace", file, "claude").
		check(t, exitMisused, "", "already runs and has its own trace")
}

// A log that cannot be kept is a warning, and one that was asked for an error.
func TestLaunchLog(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	state := t.TempDir()
	if err := os.Mkdir(filepath.Join(state, "launch.log"), 0o700); err != nil {
		t.Fatal(err)
	}
	launchPlain(t, state, "--listen", "127.0.0.1:0", "--model", "sim/native", "claude", "--", "ask", "Hello").check(t, exitDone, `200 {"`, "warning: the gateway has no log file: ")
	launchPlain(t, state, "--listen", "127.0.0.1:0", "--model", "sim/native", "--log", filepath.Join(file, "log"), "claude").check(t, exitMisused, "", "--log: ")
	full := filepath.Join(t.TempDir(), "full.log")
	if err := os.WriteFile(full, bytes.Repeat([]byte("x"), 5<<20), 0o600); err != nil {
		t.Fatal(err)
	}
	launchPlain(t, state, "--listen", "127.0.0.1:0", "--model", "sim/native", "--log", full, "claude").check(t, exitDone, "", "")
	if info, err := os.Stat(full); err != nil || info.Size() > 1<<20 {
		t.Errorf("the log has %v, %v", info, err)
	}
	if info, err := os.Stat(full + ".old"); err != nil || info.Size() != 5<<20 {
		t.Errorf("the old log has %v, %v", info, err)
	}
}
