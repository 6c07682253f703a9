package telemetry

import (
	"strconv"
	"sync"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/outcome"
	"github.com/prometheus/client_golang/prometheus"
)

// A counter or an observer returns a time series, which is created by the first call. A series that was never counted
// is thus not exported.
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

// add adds n to the counter if n is positive.
func (c counter) add(n int) {
	if n > 0 {
		c().Add(float64(n))
	}
}

// A requestKey holds the label values of a request.
type requestKey struct {
	wire            callwright.WireName
	provider, model string
	status          int
	ended           string // outcomeOK, outcomeError or outcomeAborted
	outcome         outcome.Outcome
}

// requestSeries are the time series of requests with the same labels.
type requestSeries struct {
	requests, written, fallbacks, healed, outcomes counter
	duration, firstToken, attempts                 observer
}

// requestSeries returns the time series of a requestKey. Their number is bounded, because the label values are.
func (m *Metrics) requestSeries(k requestKey) *requestSeries {
	if s := m.series.requests[k]; s != nil {
		return s
	}
	by, model := k.provider, k.model
	s := &requestSeries{
		requests:  counterOf(m.requests, string(k.wire), by, model, strconv.Itoa(k.status), k.ended),
		written:   counterOf(m.written, string(k.wire)),
		fallbacks: counterOf(m.fallbacks, by, model), healed: counterOf(m.outcomes.healed, by, model),
		outcomes: counterOf(m.outcomes.requests, by, model, string(k.outcome)),
		duration: observerOf(m.duration, by, model), firstToken: observerOf(m.firstToken, by, model),
		attempts: observerOf(m.attemptsEach, by, model),
	}
	m.series.requests[k] = s
	return s
}

// An attemptKey holds the label values of an attempt.
type attemptKey struct {
	provider, model, why string
	kind                 callwright.Kind
}

// attemptSeries are the time series of attempts with the same labels.
type attemptSeries struct {
	attempts, retries, corrections, cacheHits, spend, unpriced counter
	input, cached, cacheWrite, output, reasoning               counter // tokens
}

// attemptSeries returns the time series of an attemptKey. Their number is bounded, because the label values are.
func (m *Metrics) attemptSeries(k attemptKey) *attemptSeries {
	if s := m.series.attempts[k]; s != nil {
		return s
	}
	by, model := k.provider, k.model
	tokens := func(kind string) counter { return counterOf(m.tokens, by, model, kind) }
	s := &attemptSeries{
		attempts: counterOf(m.attempts, by, model, k.why, string(k.kind)), retries: counterOf(m.retries, by, model),
		corrections: counterOf(m.corrections, by, model),
		cacheHits:   counterOf(m.cacheHits, by, model), spend: counterOf(m.spend, by, model), unpriced: counterOf(m.unpriced, by, model),
		input: tokens("input"), cached: tokens("cached"), cacheWrite: tokens("cache_write"), output: tokens("output"),
		reasoning: tokens("reasoning"),
	}
	m.series.attempts[k] = s
	return s
}
