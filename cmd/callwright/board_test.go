package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/callwright/callwright/internal/freeport"
	"github.com/callwright/callwright/internal/prerequisite"
)

// A board is a dashboard of Grafana: its variables, panels and queries.
type board struct {
	Templating struct {
		List []struct{ Name, Type, Query string }
	}
	Panels []struct {
		Type, Title, Description string
		Targets                  []struct{ Expr, LegendFormat string }
	}
}

// loadedConf has a provider that fails, a fallback that answers, a model whose answers are healed, and a key with a budget.
const loadedConf = `
keys:
  - {name: prometheus, key: scrape, verbs: [metrics]}
  - {name: ci, key: sesame, spend: {usd: 100, per: day}}
prices_file: DIR/prices.yaml
alerts: {url: "HOOK", repeat_after: 1m}
providers:
  sim: {}
  lab: {base_url: "LAB/v1", api_key: any, discover: off}
  down: {base_url: "DOWN/v1", api_key: any, max_retries: 1, discover: off}
models:
  clean: {model: sim/native}
  healed: {model: sim/hermes-unclosed}
  safe: {model: down/m, fallbacks: [sim/native]}
  invalid: {model: sim/never_right, max_corrections: 1}
`

// Every query of the board is answered with data by a Prometheus that reads a gateway under load.
func TestBoard(t *testing.T) {
	needsLong(t)
	program := prerequisite.Program(t, "prometheus")
	raw, err := os.ReadFile("../../deploy/grafana/callwright.json")
	if err != nil {
		t.Fatal(err)
	}
	var b board
	if err := json.Unmarshal(raw, &b); err != nil {
		t.Fatal(err)
	}
	g := startLoad(t)
	prom := prometheusOf(t, program, g.url, "scrape")
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	queries := 0
	for _, p := range b.Panels {
		if p.Type != "row" && p.Title == "" {
			t.Error("a panel has no title")
		}
		for _, target := range p.Targets {
			queries++
			query := strings.NewReplacer("$__rate_interval", "20s", "$instance", ".*", "$model", ".*", "[1h]", "[20s]").Replace(target.Expr)
			if err := prom.until(ctx, query); err != nil {
				t.Fatalf("%s: %s: %v\n%s", p.Title, query, err, prom.targets(t))
			}
		}
	}
	if queries < 30 {
		t.Errorf("only %d queries", queries)
	}
	for _, v := range b.Templating.List {
		if label := strings.TrimSuffix(strings.TrimPrefix(v.Query, "label_values("), ")"); v.Type == "query" {
			metric, name, _ := strings.Cut(label, ", ")
			if err := prom.until(ctx, fmt.Sprintf("count by (%s) (%s{%s!=\"\"})", name, metric, name)); err != nil {
				t.Errorf("variable %s: %v", v.Name, err)
			}
		}
	}
}

// A prometheus is a Prometheus that reads a gateway.
type prometheus struct{ address string }

// prometheusOf starts a Prometheus that reads the metrics of a gateway with a key.
func prometheusOf(t *testing.T, program, gateway, key string) *prometheus {
	t.Helper()
	dir := t.TempDir()
	conf := filepath.Join(dir, "prometheus.yml")
	text := fmt.Sprintf("global: {scrape_interval: 1s}\nscrape_configs: [{job_name: callwright, authorization: {credentials: %s}, static_configs: [{targets: [%q]}]}]\n", key, strings.TrimPrefix(gateway, "http://"))
	if err := os.WriteFile(conf, []byte(text), 0o600); err != nil {
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
	return &prometheus{address}
}

// targets tells how the gateway was read last.
func (p *prometheus) targets(t *testing.T) string {
	t.Helper()
	resp, err := http.Get("http://" + p.address + "/api/v1/targets")
	if err != nil {
		return err.Error()
	}
	defer resp.Body.Close()
	text, _ := io.ReadAll(resp.Body)
	return string(text)
}

// until asks until there is data. An error of the query is returned at once.
func (p *prometheus) until(ctx context.Context, query string) error {
	again := time.NewTicker(200 * time.Millisecond)
	defer again.Stop()
	for {
		n, wrong, err := p.ask(ctx, query)
		switch {
		case wrong != "":
			return fmt.Errorf("refused: %s", wrong)
		case err == nil && n > 0:
			return nil
		}
		select {
		case <-again.C:
		case <-ctx.Done():
			return fmt.Errorf("no data: %d results, %w", n, errors.Join(err, ctx.Err()))
		}
	}
}

// ask sends a query once. results counts the values that are not NaN. wrong is the error text for an invalid query.
func (p *prometheus) ask(ctx context.Context, query string) (results int, wrong string, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+p.address+"/api/v1/query?query="+url.QueryEscape(query), http.NoBody)
	if err != nil {
		return 0, "", err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, "", err
	}
	defer resp.Body.Close()
	var got struct {
		ErrorType, Error string
		Data             struct{ Result []struct{ Value [2]any } }
	}
	if err := json.NewDecoder(resp.Body).Decode(&got); err != nil {
		return 0, "", err
	}
	if got.ErrorType == "bad_data" {
		return 0, got.Error, nil
	}
	for _, r := range got.Data.Result {
		if r.Value[1] != "NaN" {
			results++
		}
	}
	return results, "", nil
}

// startLoad runs a gateway that is asked all the time until the test ends.
func startLoad(t *testing.T) *served {
	t.Helper()
	lab := newPaidLab(t)
	down := newSickLab(t)
	down.set("500")
	hook := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	t.Cleanup(hook.Close)
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "prices.yaml"), []byte("\"*\": {input: 10, output: 10}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	conf := strings.NewReplacer("DIR", dir, "HOOK", hook.URL, "DOWN", down.URL, "LAB", lab.URL).Replace(loadedConf)
	g := serve(t, conf, nil, "--log-level", "error") // nobody reads the log
	t.Cleanup(func() {
		g.stop()
		g.rest()
	})
	ctx, stop := context.WithCancel(t.Context())
	var asking sync.WaitGroup
	t.Cleanup(func() {
		stop()
		asking.Wait()
		http.DefaultClient.CloseIdleConnections()
	})
	for _, model := range []string{"clean", "healed", "safe", "invalid", "down/n", "lab/m"} {
		for _, streamed := range []bool{false, true} {
			asking.Go(func() { askAlways(ctx, g.url, model, streamed) })
		}
	}
	return g
}

// askAlways asks a model for the weather again and again. Failures are a part of the load.
func askAlways(ctx context.Context, url, model string, streamed bool) {
	body := fmt.Sprintf(`{"model":%q,"stream":%t,"messages":[{"role":"user","content":"What is the weather in Oslo?"}],"tools":[{"type":"function","function":{"name":"get_weather",`+
		`"parameters":{"type":"object","properties":{"city":{"type":"string"}},"required":["city"]}}}]}`, model, streamed)
	again := time.NewTicker(300 * time.Millisecond)
	defer again.Stop()
	for ctx.Err() == nil {
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, url+"/v1/chat/completions", strings.NewReader(body))
		if err != nil {
			return
		}
		req.Header.Set("Authorization", "Bearer sesame")
		if resp, err := http.DefaultClient.Do(req); err == nil {
			_, _ = io.Copy(io.Discard, resp.Body)
			_ = resp.Body.Close()
		}
		select {
		case <-again.C:
		case <-ctx.Done():
		}
	}
}

// newPaidLab starts a provider whose answers take a thousand tokens of input, most of them out of its cache.
func newPaidLab(t *testing.T) *httptest.Server {
	lab := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, `{"id":"1","object":"chat.completion","model":"m","choices":[{"index":0,"finish_reason":"stop","message":{"role":"assistant","content":"Rain."}}],`+
			`"usage":{"prompt_tokens":1000,"completion_tokens":10,"total_tokens":1010,"prompt_tokens_details":{"cached_tokens":900}}}`)
	}))
	t.Cleanup(lab.Close)
	return lab
}
