package main

import (
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// replaceConfig puts another configuration in the place of the one that there is, whole.
func replaceConfig(p *process, text string) error {
	next := filepath.Join(p.Dir, "next.yaml")
	if err := os.WriteFile(next, []byte(text), 0o600); err != nil {
		return err
	}
	return os.Rename(next, filepath.Join(p.Dir, ownConfig))
}

// until reads what the gateway says up to a line with this text.
func (p *process) until(t *testing.T, text string) string {
	t.Helper()
	var said []string
	for p.said.Scan() {
		said = append(said, p.said.Text())
		if strings.Contains(p.said.Text(), text) {
			return p.said.Text()
		}
	}
	t.Fatalf("never said %q, but:\n%s", text, strings.Join(said, "\n"))
	return ""
}

// untilAll reads what the gateway says until each of the texts was in a line, in any order.
func (p *process) untilAll(t *testing.T, texts []string) {
	t.Helper()
	for left := slices.Clone(texts); len(left) > 0; {
		if !p.said.Scan() {
			t.Fatalf("never said %q", left)
		}
		left = slices.DeleteFunc(left, func(text string) bool { return strings.Contains(p.said.Text(), text) })
	}
}

// The configuration is read again when its file changes and when the process is told to. One that is wrong changes nothing and is told of with
// its place; what needs a restart is said.
func TestReload(t *testing.T) {
	p := startGateway(t, "", "providers: {sim: {}}\nmodels: {a: {model: sim/native}}\n")
	defer http.DefaultClient.CloseIdleConnections()
	check := func(want map[string]int) {
		t.Helper()
		for model, status := range want {
			if got, err := p.ask(http.DefaultClient, model); got != status {
				t.Errorf("%s: got %d, %v, want %d", model, got, err, status)
			}
		}
	}
	steps := []struct {
		config string
		hangup bool
		says   []string
		want   map[string]int
	}{
		{"providers: {sim: {}}\nmodels: {b: {model: sim/native}}\n", false, []string{"is used"}, map[string]int{"a": 404, "b": 200}},
		{"providers: {sim: {}}\nmodels:\n  c: {modal: sim/native}\n", false, []string{"callwright.yaml:3:7: models.c.modal"}, map[string]int{"b": 200, "c": 404}},
		{"providers: {sim: {}}\nmodels: {d: {model: sim/native}}\nlisten: 127.0.0.1:9\nstate: {dir: x}\n", true,
			[]string{"is read again", "restart only\" keys=\"listen, state\""}, map[string]int{"d": 200, "b": 404}},
	}
	for _, s := range steps {
		if err := replaceConfig(p, s.config); err != nil {
			t.Fatal(err)
		}
		if s.hangup {
			if err := p.Process.Signal(syscall.SIGHUP); err != nil {
				t.Fatal(err)
			}
		}
		p.untilAll(t, s.says)
		check(s.want)
	}
}
