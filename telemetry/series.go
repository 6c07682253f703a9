package telemetry

import (
	"strconv"
	"sync"

	"github.com/callwright/callwright"
	"github.com/prometheus/client_golang/prometheus"
)

// A kept keeps groups of series by the labels that they share, so that a request looks up each group once. There are as many as combinations of
// labels, which are bounded. It is safe for concurrent use.
type kept[K comparable, S any] struct {
	mu    sync.RWMutex
	known map[K]*S
}

// of returns the series of a key, nil where there are none yet.
func (k *kept[K, S]) of(key K) *S {
	k.mu.RLock()
	defer k.mu.RUnlock()
	return k.known[key]
}

// keep keeps the series of a key, and returns them.
func (k *kept[K, S]) keep(key K, s *S) *S {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.known == nil {
		k.known = map[K]*S{}
	}
	k.known[key] = s
	return s
}

// A counter gives a series, which is made when it is first asked for: what was never counted is not shown.
type (
	counter  func() prometheus.Counter
	observer func() prometheus.Observer
)

func counterOf(v *prometheus.CounterVec, labels ...string) counter {
	return sync.OnceValue(func() prometheus.Counter { return v.WithLabelValues(labels...) })
}

func observerOf(v *prometheus.HistogramVec, labels ...string) observer {
	return sync.OnceValue(func() prometheus.Observer { return v.WithLabelValues(labels...) })
}

// add counts n, unless there are none.
func (c counter) add(n int) {
	if n > 0 {
		c().Add(float64(n))
	}
}

// A requestKey is what the labels of a request are made of.
type requestKey struct {
	wire            callwright.WireName
	provider, model string
	status          int
	outcome         string
}

// requestSeries are the series that requests with the same labels are counted in.
type requestSeries struct {
	requests, written, fallbacks, changed counter
	duration, firstToken, attempts        observer
}

// requestSeries returns the series of requests.
func (m *Metrics) requestSeries(k requestKey) *requestSeries {
	if s := m.series.requests.of(k); s != nil {
		return s
	}
	by, model := k.provider, k.model
	return m.series.requests.keep(k, &requestSeries{
		requests: counterOf(m.requests, string(k.wire), by, model, strconv.Itoa(k.status), k.outcome), written: counterOf(m.written, string(k.wire)),
		fallbacks: counterOf(m.fallbacks, by, model), changed: counterOf(m.changed, by, model),
		duration: observerOf(m.duration, by, model), firstToken: observerOf(m.firstToken, by, model), attempts: observerOf(m.attemptsEach, by, model),
	})
}

// An attemptKey is what the labels of an attempt are made of.
type attemptKey struct {
	provider, model, why string
	kind                 callwright.Kind
}

// attemptSeries are the series that attempts with the same labels are counted in.
type attemptSeries struct {
	attempts, retries, corrections, cacheHits, spend, unpriced counter
	input, cached, cacheWrite, output, reasoning               counter // tokens
}

// attemptSeries returns the series of attempts.
func (m *Metrics) attemptSeries(k attemptKey) *attemptSeries {
	if s := m.series.attempts.of(k); s != nil {
		return s
	}
	by, model := k.provider, k.model
	tokens := func(kind string) counter { return counterOf(m.tokens, by, model, kind) }
	return m.series.attempts.keep(k, &attemptSeries{
		attempts: counterOf(m.attempts, by, model, k.why, string(k.kind)), retries: counterOf(m.retries, by, model), corrections: counterOf(m.corrections, by, model),
		cacheHits: counterOf(m.cacheHits, by, model), spend: counterOf(m.spend, by, model), unpriced: counterOf(m.unpriced, by, model),
		input: tokens("input"), cached: tokens("cached"), cacheWrite: tokens("cache_write"), output: tokens("output"), reasoning: tokens("reasoning"),
	})
}
