package telemetry_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/config"
	"github.com/callwright/callwright/internal/gateway"
	"github.com/callwright/callwright/simulate"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// registry has simulated models, and a lab behind an address.
func registry(t testing.TB, lab string) *config.Registry {
	t.Helper()
	if lab == "" {
		lab = "http://127.0.0.1:1"
	}
	c, err := config.Parse([]byte(`
providers: {sim: {}, lab: {base_url: "`+lab+`/v1", max_retries: 0}}
models:
  mine: {model: sim/hermes-unclosed}
  safe: {model: lab/gone, fallbacks: [sim/native]}
`), func(string) (string, bool) { return "", false })
	if err != nil {
		t.Fatal(err)
	}
	r, err := config.NewRegistry(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Close)
	return r
}

// serve runs a gateway that is observed.
func serve(t testing.TB, cfg gateway.Config) *httptest.Server {
	t.Helper()
	if cfg.Models == nil {
		cfg.Models = registry(t, "")
	}
	cfg.Reuse.Bodies = true
	srv := httptest.NewServer(gateway.New(cfg))
	t.Cleanup(func() {
		srv.Close()
		http.DefaultClient.CloseIdleConnections()
	})
	return srv
}

// weather asks a model for the weather by Chat Completions.
func weather(model, more string) string {
	return `{"model":"` + model + `","messages":[{"role":"user","content":"What is the weather in Oslo?"}],"tools":[{"type":"function","function":` +
		`{"name":"get_weather","parameters":` + simulate.WeatherSchema + `}}]` + more + `}`
}

// ask sends a question and gives the status and the body of its answer, which may break off.
func ask(t testing.TB, srv *httptest.Server, question string, header ...string) (status int, body string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, srv.URL+"/v1/chat/completions", strings.NewReader(question))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	for i := 0; i+1 < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, _ := io.ReadAll(resp.Body)
	return resp.StatusCode, string(text)
}

// priced says that a token of the simulator costs a dollar.
func priced(id callwright.ModelID, u callwright.Usage) (float64, bool) {
	by, _ := id.Split()
	return float64(u.Input + u.Output), by == "sim"
}
