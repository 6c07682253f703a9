package telemetry

import (
	"strconv"
	"sync"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/outcome"
	"github.com/prometheus/client_golang/prometheus"
)

// A counter returns a series, which is made when it is first asked for: a series without a count is not shown.
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

// A requestKey holds the values of a request's labels.
type requestKey struct {
	wire            callwright.WireName
	provider, model string
	status          int
	ended           string // outcomeOK and the others
	outcome         outcome.Outcome
}

// requestSeries are the series that requests with the same labels are counted in.
type requestSeries struct {
	requests, written, fallbacks, healed, outcomes counter
	duration, firstToken, attempts                 observer
}

// requestSeries returns the series of requests. There are as many as combinations of labels, which are bounded.
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

// An attemptKey holds the values of an attempt's labels.
type attemptKey struct {
	provider, model, why string
	kind                 callwright.Kind
}

// attemptSeries are the series that attempts with the same labels are counted in.
type attemptSeries struct {
	attempts, retries, corrections, cacheHits, spend, unpriced counter
	input, cached, cacheWrite, output, reasoning               counter // tokens
}

// attemptSeries returns the series of attempts, as bounded as those of requests.
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
