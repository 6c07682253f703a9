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
		{"providers: {sim: {}}\nmodels: {b: {model: sim/native}}\n", false, []string{"configuration was reloaded"}, map[string]int{"a": 404, "b": 200}},
		{"providers: {sim: {}}\nmodels:\n  c: {modal: sim/native}\n", false, []string{"callwright.yaml:3:7: models.c.modal"}, map[string]int{"b": 200, "c": 404}},
		{"providers: {sim: {}}\nmodels: {d: {model: sim/native}}\nlisten: 127.0.0.1:9\nstate: {dir: x}\n", true,
			[]string{"configuration is reloaded", "need a restart\" keys=\"listen, state\""}, map[string]int{"d": 200, "b": 404}},
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

// Keys, limits, prices, names, pages and passages are used as they are read, and a gateway that is reached from elsewhere never loses its keys.
func TestReloadAccess(t *testing.T) {
	p := startGateway(t, "", "providers: {sim: {}}\n")
	defer http.DefaultClient.CloseIdleConnections()
	ask := func(key string, host ...string) int {
		t.Helper()
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, p.url+"/v1/chat/completions", strings.NewReader(`{"model":"sim/native","messages":[{"role":"user","content":"Hello"}]}`))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Content-Type", "application/json")
		if key != "" {
			req.Header.Set("X-Api-Key", key)
		}
		for _, name := range host {
			req.Host = name
		}
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		_ = resp.Body.Close()
		return resp.StatusCode
	}
	expect := func(about string, got, want int) {
		t.Helper()
		if got != want {
			t.Errorf("%s: got %d, want %d", about, got, want)
		}
	}
	use := func(config, says string) {
		t.Helper()
		if err := replaceConfig(p, config); err != nil {
			t.Fatal(err)
		}
		p.until(t, says)
	}
	expect("another name", ask("", "gate.example"), 403)
	use("providers: {sim: {}}\nhosts: [gate.example]\n", "configuration was reloaded")
	expect("another name that is configured", ask("", "gate.example"), 200)
	use("providers: {sim: {}}\nkeys: [{name: a, key: one}]\n", "configuration was reloaded")
	expect("no key", ask(""), 401)
	expect("a key", ask("one"), 200)
	use("providers: {sim: {}}\nkeys: [{name: a, key: two, requests_per_minute: 1}]\nlimits: {body: 1000}\n", "configuration was reloaded")
	expect("the key of before", ask("one"), 401)
	expect("the new one", ask("two"), 200)
	expect("the new one, again", ask("two"), 429)
	if err := os.WriteFile(filepath.Join(p.Dir, "prices.yaml"), []byte("sim/*: {input: 1, output: 1}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	const priced = "providers: {sim: {}}\nkeys: [{name: b, key: two, spend: {usd: 1}}]\nprices_file: prices.yaml\n"
	use(priced, "configuration was reloaded")
	expect("a model that costs little", ask("two"), 200)
	expect("a model that costs little, again", ask("two"), 200)
	if err := os.WriteFile(filepath.Join(p.Dir, "prices.yaml"), []byte("sim/*: {input: 100000000, output: 1}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	p.until(t, "configuration was reloaded")
	expect("a price that changed", ask("two"), 429)
	use("providers: {sim: {}}\nagent: {mcp: {own: {command: [./callwright, mcp]}}}\nhosted_tools: {web_search: own/no-such-tool}\n", "no-such-tool")
	expect("a tool that is not there", ask(""), 401)
	use("providers: {sim: {}}\nagent: {mcp: {own: {command: [./callwright, mcp]}}}\nhosted_tools: {web_search: own/parse}\n", "configuration was reloaded")
	expect("a tool that is there", ask(""), 200)
}
