package telemetry_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/callwright/callwright/internal/config"
	"github.com/callwright/callwright/internal/gateway"
	"github.com/callwright/callwright/internal/telemetry"
	"github.com/callwright/callwright/internal/version"
	"github.com/prometheus/client_golang/prometheus/testutil/promlint"
	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
)

// measured runs a gateway with figures at /metrics.
func measured(t testing.TB, models *config.Registry) (*httptest.Server, *telemetry.Metrics) {
	t.Helper()
	m := telemetry.NewMetrics(telemetry.MetricsConfig{Build: version.Build{Version: "v1.2.3", Commit: "abc", Go: "go1"}, Models: []string{"mine", "safe"}, Price: priced, Breakers: models.Breakers})
	return serve(t, gateway.Config{Models: models, Observers: []gateway.Observer{m}, KeyedHandlers: map[string]http.Handler{"GET /metrics": m.Handler()}}), m
}

// scrape reads the figures as Prometheus does: the value of each series, for histograms how many there were.
func scrape(t testing.TB, srv *httptest.Server) map[string]float64 {
	t.Helper()
	resp, err := http.Get(srv.URL + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	parser := expfmt.NewTextParser(model.LegacyValidation)
	families, err := parser.TextToMetricFamilies(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]float64{}
	for name, f := range families {
		for _, m := range f.GetMetric() {
			var labels []string
			for _, l := range m.GetLabel() {
				labels = append(labels, l.GetName()+"="+l.GetValue())
			}
			slices.Sort(labels)
			out[name+"{"+strings.Join(labels, ",")+"}"] = value(m)
		}
	}
	return out
}

func value(m *dto.Metric) float64 {
	if h := m.GetHistogram(); h != nil {
		return float64(h.GetSampleCount())
	}
	return m.GetCounter().GetValue() + m.GetGauge().GetValue() + m.GetUntyped().GetValue()
}

// Each request is counted once, by what was asked, who answered, what became of it and what was done to it.
func TestMetrics(t *testing.T) {
	models := registry(t, "")
	srv, _ := measured(t, models)
	for _, question := range []string{
		weather("mine", ""), weather("mine", `,"stream":true`), weather("safe", ""), weather("nobody", ""), weather("sim/midstream-cut", `,"stream":true`), `{`,
	} {
		ask(t, srv, question)
	}
	got := scrape(t, srv)
	for _, tc := range []struct {
		series string
		want   float64
	}{
		{"callwright_requests_total{model=mine,outcome=ok,provider=sim,status=200,wire=openai}", 2},
		{"callwright_requests_total{model=safe,outcome=ok,provider=sim,status=200,wire=openai}", 1},
		{"callwright_requests_total{model=other,outcome=error,provider=,status=404,wire=openai}", 1},
		{"callwright_requests_total{model=other,outcome=aborted,provider=sim,status=200,wire=openai}", 1},
		{"callwright_requests_total{model=,outcome=error,provider=,status=400,wire=openai}", 1},
		{"callwright_request_duration_seconds{model=mine,provider=sim}", 2},
		{"callwright_first_token_seconds{model=mine,provider=sim}", 1},
		{"callwright_request_attempts{model=safe,provider=sim}", 1},
		{"callwright_fallback_requests_total{model=safe,provider=sim}", 1},
		{"callwright_outcomes_total{model=mine,outcome=healed,provider=sim}", 2},
		{"callwright_outcomes_total{model=safe,outcome=translated,provider=sim}", 1},
		{"callwright_outcomes_total{model=other,outcome=failed,provider=}", 1},
		{"callwright_outcomes_total{model=other,outcome=failed,provider=sim}", 1},
		{"callwright_outcomes_total{model=,outcome=failed,provider=}", 1},
		{"callwright_healed_requests_total{model=mine,provider=sim}", 2},
		{"callwright_healed_total{class=F02,risk=implied,rule=dialect.hermes}", 2},
		{"callwright_attempts_total{error=,model=sim/hermes-unclosed,provider=sim,why=first}", 2},
		{"callwright_attempts_total{error=unavailable,model=other,provider=lab,why=first}", 1},
		{"callwright_attempts_total{error=,model=sim/native,provider=sim,why=fallback}", 1},
		{"callwright_breakers{provider=sim,state=closed}", 3},
		{"callwright_breakers{provider=sim,state=open}", 0},
		{"callwright_requests_in_flight{}", 0},
		{"callwright_streams_open{}", 0},
		{"callwright_build_info{commit=abc,go=go1,version=v1.2.3}", 1},
	} {
		if have, ok := got[tc.series]; !ok || have != tc.want {
			t.Errorf("%s: got %v %v, want %v", tc.series, have, ok, tc.want)
		}
	}
	checkTokens(t, got)
	if t.Failed() {
		for series, v := range got {
			if strings.HasPrefix(series, "callwright") {
				t.Log(series, v)
			}
		}
	}
}

// checkTokens checks that what was spent is what tokens cost.
func checkTokens(t *testing.T, got map[string]float64) {
	t.Helper()
	const who = "model=sim/native,provider=sim"
	in, out := got["callwright_tokens_total{"+who+",type=input}"], got["callwright_tokens_total{"+who+",type=output}"]
	if in <= 0 || out <= 0 || got["callwright_spend_usd_total{"+who+"}"] != in+out {
		t.Errorf("%v tokens in, %v out, %v spent", in, out, got["callwright_spend_usd_total{"+who+"}"])
	}
}

// However many names clients come up with, few get figures of their own, and none that is not a text breaks them.
func TestBoundedNames(t *testing.T) {
	srv, _ := measured(t, registry(t, ""))
	for i := range 130 {
		ask(t, srv, `{"model":"sim/native-`+fmt.Sprint(i)+`","messages":[{"role":"user","content":"hi"}]}`)
	}
	ask(t, srv, `{"model":"`+strings.Repeat("x", 10_000)+"\xff"+`","messages":[]}`)
	ask(t, srv, weather("mine", ""))
	shown, rest := 0, 0.0
	for series, v := range scrape(t, srv) {
		if labels, ok := strings.CutPrefix(series, "callwright_requests_total{model="); ok {
			shown++
			if strings.HasPrefix(labels, "other,") {
				rest += v
			}
		}
	}
	if shown > 105 || rest < 30 {
		t.Errorf("%d series, %v requests of other models", shown, rest)
	}
	if got := scrape(t, srv)["callwright_requests_total{model=mine,outcome=ok,provider=sim,status=200,wire=openai}"]; got != 1 {
		t.Errorf("the configured model has %v requests", got)
	}
}

// While a request is answered it is in flight, and its stream is open.
func TestInFlight(t *testing.T) {
	arrived, release := make(chan struct{}), make(chan struct{})
	lab := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost { // what the lab can do is asked beside
			http.NotFound(w, r)
			return
		}
		_, _ = io.Copy(io.Discard, r.Body)
		close(arrived)
		<-release
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, `data: {"choices":[{"index":0,"delta":{"content":"Hello."},"finish_reason":"stop"}]}`+"\n\ndata: [DONE]\n\n")
	}))
	t.Cleanup(lab.Close)
	srv, _ := measured(t, registry(t, lab.URL))
	done := make(chan struct{})
	go func() {
		defer close(done)
		ask(t, srv, `{"model":"lab/m","stream":true,"messages":[{"role":"user","content":"hi"}]}`)
	}()
	<-arrived
	got := scrape(t, srv)
	close(release)
	<-done
	if got["callwright_requests_in_flight{}"] != 1 || got["callwright_streams_open{}"] != 1 {
		t.Errorf("got %v in flight, %v streams", got["callwright_requests_in_flight{}"], got["callwright_streams_open{}"])
	}
}

// The figures follow the conventions of Prometheus.
func TestMetricNames(t *testing.T) {
	srv, m := measured(t, registry(t, ""))
	m.CountReload(true)
	m.CountReload(false)
	for _, model := range []string{"mine", "safe", "sim/native"} {
		ask(t, srv, weather(model, `,"stream":true`))
	}
	resp, err := http.Get(srv.URL + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	problems, err := promlint.New(resp.Body).Lint()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range problems {
		if strings.HasPrefix(p.Metric, "callwright") {
			t.Errorf("%s: %s", p.Metric, p.Text)
		}
	}
}
