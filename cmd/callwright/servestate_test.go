package main

import (
	"bytes"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A gateway has its folder for itself; commands look into the same folder while it runs; the next gateway finds it.
func TestStateFolder(t *testing.T) {
	dir := t.TempDir()
	conf := "state: {dir: " + dir + "}\nproviders: {sim: {}}\n"
	first := serve(t, conf, nil)
	file := filepath.Join(t.TempDir(), "conf.yaml")
	if err := os.WriteFile(file, []byte(conf), 0o600); err != nil {
		t.Fatal(err)
	}
	command := func(args ...string) (int, string) {
		var out bytes.Buffer
		code := run(t.Context(), append(args, "--config", file), streams{in: strings.NewReader(""), out: &out, err: &out}, func(string) (string, bool) { return "", false })
		return code, out.String()
	}
	if code, said := command("serve", "--listen", "127.0.0.1:0"); code != 1 || !strings.Contains(said, "another process uses "+dir) {
		t.Errorf("a second gateway: %d %s", code, said)
	}
	if code, said := command("models", "forget", "sim/native"); code != 0 {
		t.Errorf("a command beside the gateway: %d %s", code, said)
	}
	if info, err := os.Stat(filepath.Join(dir, "nats")); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("the folder: %v %v", info, err)
	}
	first.stop()
	if code := first.rest(); code != 0 {
		t.Errorf("the first one ended with %d:\n%s", code, first.said)
	}
	second := serve(t, conf, nil)
	second.stop()
	if code := second.rest(); code != 0 {
		t.Errorf("the second one ended with %d:\n%s", code, second.said)
	}
}

// A gateway that starts without its NATS serves requests and is not ready. It refuses requests of keys with limits: their use is unknown.
func TestStateAway(t *testing.T) {
	s := serve(t, "state: {nats: \"nats://127.0.0.1:1\"}\nproviders: {sim: {}}\nkeys: [free, {name: ci, key: sesame, requests_per_minute: 10}]\n", nil)
	if status, body := s.ask("sim/native", "free"); status != http.StatusOK {
		t.Errorf("got %d %s", status, body)
	}
	if status, body := s.ask("sim/native", "sesame"); status != http.StatusServiceUnavailable || !strings.Contains(body, "cannot be read") {
		t.Errorf("got %d %s", status, body)
	}
	resp, err := http.Get(s.url + "/readyz")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusServiceUnavailable || !strings.HasPrefix(string(text), `{"status":"not ready"`) || !strings.Contains(string(text), "nats://127.0.0.1:1 has been unavailable") {
		t.Errorf("got %d %s %v", resp.StatusCode, text, err)
	}
	http.DefaultClient.CloseIdleConnections()
	s.stop()
	if code := s.rest(); code != 0 {
		t.Errorf("it ended with %d:\n%s", code, s.said)
	}
}
