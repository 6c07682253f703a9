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

// Bounds of the values of labels beside those known from the beginning.
const (
	mostModels = 100
	mostRules  = 1000

	mostCallRules = 100
)

// mostEnded is the number of requests that are counted together. Counted one after another they take less than half of
// the time that each takes at its own end, when code and memory of the counting are in none of the processor's caches.
const mostEnded = 16

// A MetricsConfig has the sources of Metrics beside requests. All of it may be left out.
type MetricsConfig struct {
	Build version.Build // of the program
	// Models are the models that always have labels of their own: names that clients ask for, and models as
	// provider/model. Of the other models, the first hundred that are answered have labels of their own.
	Models []string
	// Price returns the cost of the tokens of an attempt in US dollars; known is false where the price is not known. It is
	// called when requests are counted: sixteen at once, or when the metrics are read. There is one call at a time. It
	// must not call the Metrics. [Metrics.Settle] is called before prices change.
	Price func(model callwright.ModelID, u callwright.Usage) (usd float64, known bool)
	// Breakers returns the circuit breakers of all models. It is called for each reading of the metrics.
	Breakers func() []provider.Breaker
	// Targets returns the keys and hosts of providers with several. It is called for each reading of the metrics.
	Targets func() []health.Target
	// Spans are the spans to count; nil for none.
	Spans *Spans
	// Problems lists the problems of the gateway, Keys the usage of its busiest keys and the sum of all others,
	// TotalLimits the limits of all keys together. They are called for each reading.
	Problems    func() []health.Problem
	Keys        func(ctx context.Context, most int) (list []access.Usage, others access.Total)
	TotalLimits func(ctx context.Context) []access.Limit
}

// Metrics count the work of a gateway. It is safe for concurrent use.
type Metrics struct {
	cfg      MetricsConfig
	registry *prometheus.Registry

	mu    sync.Mutex
	ended struct { // requests that are not counted yet
		list [mostEnded]gateway.Observation
		n    int
	}
	names struct {
		models *bounded // as clients ask for them
		served *bounded // as providers have them
		rules  *bounded
		calls  *bounded // call rules
	}
	series struct { // by their labels
		requests map[requestKey]*requestSeries
		attempts map[attemptKey]*attemptSeries
	}

	// notes: notes on repairs; invalid: rejected calls
	outcomes struct{ requests, healed, notes, invalid, ruled, claims *prometheus.CounterVec }

	requests, attempts, retries, corrections, fallbacks *prometheus.CounterVec
	tokens, cacheHits, spend, unpriced, reloads         *prometheus.CounterVec
	duration, firstToken, attemptsEach                  *prometheus.HistogramVec
	written, alerts                                     *prometheus.CounterVec
	inFlight, streams, reloaded                         prometheus.Gauge
}

var _ gateway.StreamObserver = (*Metrics)(nil)

// NewMetrics makes Metrics with a registry of their own.
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
		Help: "1, with the version of the program, its commit and its Go."}, []string{"version", "commit", "go"})
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
		"Messages to the webhook of alerts, by the type of the event and by what became of them: sent, failed or dropped.", "type", "outcome")
	if cfg.Problems != nil {
		m.registry.MustRegister(problems{cfg.Problems})
	}
	if cfg.Keys != nil {
		m.registry.MustRegister(keys{cfg.Keys, cfg.TotalLimits})
	}
	return m
}

// Handler serves the figures as Prometheus reads them.
func (m *Metrics) Handler() http.Handler {
	all := promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{Registry: m.registry, MaxRequestsInFlight: 4})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		m.Settle()
		all.ServeHTTP(w, r)
	})
}

// HistoryCache shows the size of the cache of histories, in bytes.
func (m *Metrics) HistoryCache(size func() int) {
	m.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "callwright_history_cache_bytes",
		Help: "Bytes of the last requests' histories that are kept so that of a longer one only the new turns are read."},
		func() float64 { return float64(size()) }))
}

// Settle counts the requests that have ended by the prices that hold now. It is called before others hold.
func (m *Metrics) Settle() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.countEnded()
}

// CountReload counts a configuration that was read again, and whether it is used now.
func (m *Metrics) CountReload(used bool) {
	if !used {
		m.reloads.WithLabelValues("refused").Inc()
		return
	}
	m.reloads.WithLabelValues("used").Inc()
	m.reloaded.SetToCurrentTime()
}

// CountAlert counts the outcome of a message to the webhook of alerts.
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
	if o.Wire == "" { // it was for no client of a model: a probe, a page, the figures themselves
		return
	}
	o.Header = nil // it has keys
	m.mu.Lock()
	defer m.mu.Unlock()
	e := &m.ended
	e.list[e.n] = o
	if e.n++; e.n == len(e.list) {
		m.countEnded()
	}
}

// countEnded counts the requests that have ended. The caller holds mu.
func (m *Metrics) countEnded() {
	list := m.ended.list[:m.ended.n]
	m.ended.n = 0
	for i := range list {
		m.request(&list[i])
	}
	clear(list)
}
