package main

import (
	"crypto/tls"
	"crypto/x509"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/callwright/callwright/internal/testcert"
)

// fetch asks for a path with a key, and gives the status and the body.
func (s *served) fetch(path, key string) (status int, body string) {
	s.t.Helper()
	req, err := http.NewRequestWithContext(s.t.Context(), http.MethodGet, s.url+path, http.NoBody)
	if err != nil {
		s.t.Fatal(err)
	}
	if key != "" {
		req.Header.Set("Authorization", "Bearer "+key)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		s.t.Fatal(err)
	}
	defer resp.Body.Close()
	defer http.DefaultClient.CloseIdleConnections()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return resp.StatusCode, string(text)
}

// The gateway has figures for Prometheus, behind its keys where it has any, and sends spans to the collector of the environment.
func TestServeMonitored(t *testing.T) {
	spans := make(chan string, 10)
	collector := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		spans <- r.URL.Path + " " + r.Header.Get("X-Tenant") + " " + string(body)
	}))
	t.Cleanup(collector.Close)
	env := map[string]string{"GATE": "sesame", "OTEL_EXPORTER_OTLP_ENDPOINT": collector.URL, "OTEL_EXPORTER_OTLP_HEADERS": "x-tenant=acme"}
	s := serve(t, "keys: [env:GATE]\nproviders: {sim: {}}\nmodels: {fast: {model: sim/hermes-unclosed}}\n", env)
	if status, _ := s.ask("fast", "sesame"); status != 200 {
		t.Fatalf("got %d", status)
	}
	if status, body := s.fetch("/metrics", ""); status != 401 || strings.Contains(body, "callwright_") {
		t.Errorf("without a key: %d %s", status, body)
	}
	status, body := s.fetch("/metrics", "sesame")
	if want := `callwright_requests_total{model="fast",outcome="ok",provider="sim",status="200",wire="openai"} 1`; status != 200 || !strings.Contains(body, want) {
		t.Errorf("got %d %s", status, body)
	}
	s.stop()
	if code := s.rest(); code != exitDone {
		t.Errorf("exit status %d", code)
	}
	if got := <-spans; !strings.HasPrefix(got, "/v1/traces acme {") || !strings.Contains(got, `"chat fast"`) || strings.Contains(got, "Oslo") {
		t.Errorf("got %s", got)
	}
}

// Models that the configuration names have labels of their own in the metrics, also where they have never answered: as the model of an
// alias, as a fallback, and as the fallback of a provider.
func TestServeMetricsNameFailedModels(t *testing.T) {
	provider := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusUnauthorized)
		io.WriteString(w, `{"error": {"message": "Incorrect API key provided", "code": "invalid_api_key"}}`)
	}))
	t.Cleanup(provider.Close)
	at := "{wire: openai, base_url: \"" + provider.URL + "/v1\", api_key: wrong, max_retries: 0"
	s := serve(t, "providers: {a: "+at+"}, b: "+at+"}, c: "+at+", fallbacks: [d/last]}, d: "+at+"}}\n"+
		"models: {fast: {model: a/first, fallbacks: [b/second]}, slow: {model: c/third}}\n", nil)
	for _, alias := range []string{"fast", "slow"} {
		if status, _ := s.ask(alias, ""); status != http.StatusUnauthorized {
			t.Errorf("%s: got %d", alias, status)
		}
	}
	_, body := s.fetch("/metrics", "")
	for _, model := range []string{"a/first", "b/second", "c/third", "d/last"} {
		if want := `callwright_attempts_total{error="authentication",model="` + model + `"`; !strings.Contains(body, want) {
			t.Errorf("no line %s in\n%s", want, body)
		}
	}
	s.stop()
	s.rest()
}

// Without keys the figures are open, to this machine; switched off they are not there.
func TestServeMetricsOff(t *testing.T) {
	for conf, want := range map[string]int{"providers: {sim: {}}\n": 200, "providers: {sim: {}}\nmetrics: off\n": 404} {
		s := serve(t, conf, nil)
		if status, _ := s.fetch("/metrics", ""); status != want {
			t.Errorf("%q: got %d, want %d", conf, status, want)
		}
		s.stop()
		s.rest()
	}
}

// readyNow is what /readyz answers where nothing is wrong.
const readyNow = `{"status":"ready"}` + "\n"

// A provider that fails and fails is left alone, and /readyz says so.
func TestServeDegraded(t *testing.T) {
	broken := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusInternalServerError) }))
	t.Cleanup(broken.Close)
	s := serve(t, `providers: {lab: {base_url: "`+broken.URL+`/v1", max_retries: 0, discover: off}}`, nil)
	if _, body := s.fetch("/readyz", ""); body != readyNow {
		t.Errorf("got %q", body)
	}
	for range 20 {
		s.ask("lab/m", "")
	}
	if status, body := s.fetch("/readyz", ""); status != 200 || !strings.Contains(body, "lab/m: the circuit breaker is open") {
		t.Errorf("got %d %q", status, body)
	}
	s.stop()
	s.rest()
}

// Clients speak TLS, and HTTP/2, by the certificate in the files that are named.
func TestServeTLS(t *testing.T) {
	dir := t.TempDir()
	cert, key := testcert.Write(t, dir, "one.example", time.Now())
	s := serve(t, `
server: {tls: {cert: "`+cert+`", key: "`+key+`"}, header_bytes: 8192}
providers: {sim: {}}
`, nil)
	roots := x509.NewCertPool()
	if text, err := os.ReadFile(cert); err != nil || !roots.AppendCertsFromPEM(text) {
		t.Fatal(err)
	}
	c := &http.Client{Transport: &http.Transport{ForceAttemptHTTP2: true, TLSClientConfig: &tls.Config{RootCAs: roots}}}
	resp, err := c.Get(s.url + "/healthz")
	if err != nil {
		t.Fatal(err)
	}
	_ = resp.Body.Close()
	if resp.Proto != "HTTP/2.0" || !strings.HasPrefix(s.url, "https://") {
		t.Errorf("got %s from %s", resp.Proto, s.url)
	}
	c.CloseIdleConnections()
	s.stop()
	s.rest()
}
