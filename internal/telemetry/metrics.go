package telemetry

import (
	"context"
	"net/http"
	"sync"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/access"
	"github.com/callwright/callwright/internal/gateway"
	"github.com/callwright/callwright/internal/health"
	"github.com/callwright/callwright/internal/provider"
	"github.com/callwright/callwright/internal/version"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// Maximum numbers of label values, in addition to those known at the start.
const (
	mostModels = 100  // for models
	mostRules  = 1000 // for rules of notes

	mostCallRules = 100 // for names of call rules
)

// mostEnded is the number of ended requests that are counted together. Counting a batch takes less than half the time
// of counting each request when it ends, because code and data stay in the processor's caches.
const mostEnded = 16

// A MetricsConfig has the sources of Metrics other than requests. Every field is optional.
type MetricsConfig struct {
	Build version.Build // build of the program
	// Models always have their own labels: names that clients request, and models as provider/model. Of other models, the
	// first hundred that answer a request get a label.
	Models []string
	// Price returns the cost of the tokens of an attempt in US dollars. known is false without a price. It is called when
	// requests are counted: sixteen at once, or when the metrics are read. Calls are never concurrent. It must not call
	// methods of Metrics. Call [Metrics.Settle] before prices change.
	Price func(model callwright.ModelID, u callwright.Usage) (usd float64, known bool)
	// Breakers returns the circuit breakers of all models. It is called when the metrics are read.
	Breakers func() []provider.Breaker
	// Targets returns the keys and hosts of providers that have several. It is called when the metrics are read.
	Targets func() []health.Target
	// Spans are the spans whose counts are reported; nil for none.
	Spans *Spans
	// Problems returns the problems of the gateway. Keys returns the usage of the busiest keys and the sum of all others.
	// TotalLimits returns the limits of all keys together. They are called when the metrics are read.
	Problems    func() []health.Problem
	Keys        func(ctx context.Context, most int) (list []access.Usage, others access.Total)
	TotalLimits func(ctx context.Context) []access.Limit
}

// Metrics are Prometheus metrics of a gateway. They are safe for concurrent use.
type Metrics struct {
	cfg      MetricsConfig
	registry *prometheus.Registry

	mu    sync.Mutex
	ended struct { // ended requests that are not yet counted
		list [mostEnded]gateway.Observation
		n    int
	}
	names struct {
		models *bounded // requested names
		served *bounded // models as provider/model
		rules  *bounded
		calls  *bounded // names of call rules
	}
	series struct { // by their labels
		requests map[requestKey]*requestSeries
		attempts map[attemptKey]*attemptSeries
	}

	// notes counts repairs, invalid counts rejected calls, ruled counts calls by call rules.
	outcomes struct{ requests, healed, notes, invalid, ruled, claims *prometheus.CounterVec }

	requests, attempts, retries, corrections, fallbacks *prometheus.CounterVec
	tokens, cacheHits, spend, unpriced, reloads         *prometheus.CounterVec
	duration, firstToken, attemptsEach                  *prometheus.HistogramVec
	written, alerts                                     *prometheus.CounterVec
	inFlight, streams, reloaded                         prometheus.Gauge
}

var _ gateway.StreamObserver = (*Metrics)(nil)

// NewMetrics returns Metrics with their own registry.
func NewMetrics(cfg MetricsConfig) *Metrics {
	m := &Metrics{cfg: cfg, registry: prometheus.NewRegistry()}
	m.names.models, m.names.served, m.names.rules = newBounded(mostModels, cfg.Models...), newBounded(mostModels, cfg.Models...),
		newBounded(mostRules)
	m.names.calls = newBounded(mostCallRules)
	m.series.requests, m.series.attempts = map[requestKey]*requestSeries{}, map[attemptKey]*attemptSeries{}
	m.countRequests()
	m.countAttempts()
	m.registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	build := prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: "callwright_build_info",
		Help: "1, with the version, the commit and the Go version of the program as labels."}, []string{"version", "commit", "go"})
	build.WithLabelValues(labelValue(cfg.Build.Version), labelValue(cfg.Build.Commit), labelValue(cfg.Build.Go)).Set(1)
	m.registry.MustRegister(build)
	if cfg.Breakers != nil {
		m.registry.MustRegister(breakers{cfg.Breakers})
	}
	if cfg.Targets != nil {
		m.registry.MustRegister(targets{cfg.Targets})
	}
	if cfg.Spans != nil {
		m.countSpans(cfg.Spans)
	}
	m.alerts = m.counter("callwright_alerts_total",
		"Messages to the alert webhook by type of event and outcome: sent, failed or dropped.", "type", "outcome")
	if cfg.Problems != nil {
		m.registry.MustRegister(problems{cfg.Problems})
	}
	if cfg.Keys != nil {
		m.registry.MustRegister(keys{cfg.Keys, cfg.TotalLimits})
	}
	return m
}

// Handler returns a handler that serves the metrics in the Prometheus format.
func (m *Metrics) Handler() http.Handler {
	all := promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{Registry: m.registry, MaxRequestsInFlight: 4})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		m.Settle()
		all.ServeHTTP(w, r)
	})
}

// HistoryCache registers a metric of the size in bytes of the cache of message histories.
func (m *Metrics) HistoryCache(size func() int) {
	m.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "callwright_history_cache_bytes",
		Help: "Bytes of the cache of parsed histories of the last requests."},
		func() float64 { return float64(size()) }))
}

// Settle counts the ended requests with the current prices. Call it before prices change.
func (m *Metrics) Settle() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.countEnded()
}

// CountReload counts a reload of the configuration. used is false if the new configuration was rejected.
func (m *Metrics) CountReload(used bool) {
	if !used {
		m.reloads.WithLabelValues("refused").Inc()
		return
	}
	m.reloads.WithLabelValues("used").Inc()
	m.reloaded.SetToCurrentTime()
}

// CountAlert counts a message to the alert webhook by event type and outcome.
func (m *Metrics) CountAlert(eventType, outcome string) {
	m.alerts.WithLabelValues(eventType, outcome).Inc()
}

// Begin implements gateway.Observer.
func (m *Metrics) Begin(ctx context.Context, o gateway.Observation) context.Context {
	if o.Method == http.MethodPost {
		m.inFlight.Inc()
	}
	return ctx
}

// Streams implements gateway.StreamObserver.
func (m *Metrics) Streams(context.Context, gateway.Observation) { m.streams.Inc() }

// End implements gateway.Observer.
func (m *Metrics) End(_ context.Context, o gateway.Observation) {
	if o.Method == http.MethodPost {
		m.inFlight.Dec()
	}
	if o.Streamed {
		m.streams.Dec()
	}
	if o.Wire == "" { // not a request of an API: a probe, a page, or the metrics themselves
		return
	}
	o.Header = nil // contains keys
	m.mu.Lock()
	defer m.mu.Unlock()
	e := &m.ended
	e.list[e.n] = o
	if e.n++; e.n == len(e.list) {
		m.countEnded()
	}
}

// countEnded counts the ended requests. The caller holds m.mu.
func (m *Metrics) countEnded() {
	list := m.ended.list[:m.ended.n]
	m.ended.n = 0
	for i := range list {
		m.request(&list[i])
	}
	clear(list)
}
