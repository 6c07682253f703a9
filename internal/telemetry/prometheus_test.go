package telemetry_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/callwright/callwright/internal/freeport"
	"github.com/callwright/callwright/internal/prerequisite"
)

// A Prometheus of its own reads the figures and answers for them. Skipped where there is none (Debian has it as prometheus).
func TestRealPrometheus(t *testing.T) {
	program := prerequisite.Program(t, "prometheus")
	srv, _ := measured(t, registry(t, ""))
	ask(t, srv, weather("mine", `,"stream":true`))
	ask(t, srv, weather("mine", ""))
	address := startPrometheus(t, program, strings.TrimPrefix(srv.URL, "http://"))
	for query, want := range map[string]string{
		`sum(callwright_requests_total{model="mine",outcome="ok"})`: "2",
		`sum by (class) (callwright_healed_total{class="F02"})`:     "2",
		`sum(callwright_first_token_seconds_count)`:                 "1",
	} {
		if got := eventually(t, address, query); got != want {
			t.Errorf("%s: got %s, want %s", query, got, want)
		}
	}
}

// startPrometheus runs Prometheus with a target to read, and returns where it answers.
func startPrometheus(t *testing.T, program, target string) string {
	t.Helper()
	dir := t.TempDir()
	conf := filepath.Join(dir, "prometheus.yml")
	if err := os.WriteFile(conf, []byte("global: {scrape_interval: 200ms}\nscrape_configs: [{job_name: callwright, static_configs: [{targets: ["+target+"]}]}]\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	ports, err := freeport.Find(1)
	if err != nil {
		t.Fatal(err)
	}
	address := freeport.Address(ports[0])
	cmd := exec.CommandContext(t.Context(), program, "--config.file="+conf, "--storage.tsdb.path="+filepath.Join(dir, "data"), "--web.listen-address="+address, "--log.level=error")
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Wait() })
	return address
}

// eventually asks Prometheus until it knows the figure.
func eventually(t *testing.T, address, query string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	again := time.NewTicker(100 * time.Millisecond)
	defer again.Stop()
	for {
		if got, ok := known(ctx, address, query); ok {
			return got
		}
		select {
		case <-again.C:
		case <-ctx.Done():
			t.Fatalf("%s: Prometheus never knew it", query)
		}
	}
}

func known(ctx context.Context, address, query string) (value string, ok bool) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+address+"/api/v1/query?query="+url.QueryEscape(query), http.NoBody)
	if err != nil {
		return "", false
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return "", false
	}
	defer resp.Body.Close()
	var got struct {
		Data struct {
			Result []struct{ Value [2]any }
		}
	}
	if err := json.NewDecoder(resp.Body).Decode(&got); err != nil || len(got.Data.Result) == 0 {
		return "", false
	}
	value, ok = got.Data.Result[0].Value[1].(string)
	return value, ok
}
