package telemetry

import (
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/provider"
	"github.com/prometheus/client_golang/prometheus"
)

// countAttempts registers the metrics of attempts.
func (m *Metrics) countAttempts() {
	m.attempts = m.counter("callwright_attempts_total",
		"Attempts (requests to providers) by reason and by kind of error, empty for none.",
		labelProvider, labelModel, "why", "error")
	m.retries = m.counter("callwright_retries_total",
		"Retries of attempts after a failure of the connection or the provider.", labelProvider, labelModel)
	m.corrections = m.counter("callwright_corrections_total",
		"Attempts that asked a model to correct its calls.", labelProvider, labelModel)
	m.tokens = m.counter("callwright_tokens_total",
		"Tokens as reported by providers: input, of it cached and cache_write (prompt cache), output, of it reasoning.",
		labelProvider, labelModel, "type")
	m.cacheHits = m.counter("callwright_cache_hits_total",
		"Attempts with a part of the input in the provider's prompt cache.", labelProvider, labelModel)
	m.spend = m.counter("callwright_spend_usd_total",
		"Cost of tokens in US dollars, for models with a known price.", labelProvider, labelModel)
	m.unpriced = m.counter("callwright_unpriced_attempts_total",
		"Attempts with tokens of models without a known price.", labelProvider, labelModel)
}

// attempt counts an attempt and returns the label of its provider. Provider labels are bounded, because providers come
// from the configuration and a fixed table.
func (m *Metrics) attempt(a *callwright.Attempt) (by string) {
	name, _ := a.Model.Split()
	by = labelValue(name)
	s := m.attemptSeries(attemptKey{by, m.names.served.of(string(a.Model), a.Kind == ""), why(a), a.Kind})
	s.attempts().Inc()
	if a.Tries > 1 {
		s.retries().Add(float64(a.Tries - 1))
	}
	if a.Why == callwright.AttemptCorrection {
		s.corrections().Inc()
	}
	if u := &a.Usage; u.Known {
		s.input.add(u.Input)
		s.cached.add(u.CacheRead)
		s.cacheWrite.add(u.CacheWrite)
		s.output.add(u.Output)
		s.reasoning.add(u.Reasoning)
		if u.CacheRead > 0 {
			s.cacheHits().Inc()
		}
		m.price(a, s)
	}
	return by
}

// why returns the reason of an attempt as a label. Reasons that name a rejected feature, which may be any text, share
// one label.
func why(a *callwright.Attempt) string {
	if strings.HasPrefix(a.Why, "without ") {
		return "without what was refused"
	}
	return a.Why
}

// price counts the cost of an attempt.
func (m *Metrics) price(a *callwright.Attempt, s *attemptSeries) {
	if m.cfg.Price == nil {
		return
	}
	if usd, known := m.cfg.Price(a.Model, a.Usage); known && usd >= 0 {
		s.spend().Add(usd)
	} else {
		s.unpriced().Inc()
	}
}

// breakers is a prometheus.Collector of the number of circuit breakers by provider and state.
type breakers struct{ list func() []provider.Breaker }

var breakersDesc = prometheus.NewDesc("callwright_breakers",
	"Models of a provider by the state of their circuit breaker: closed (all requests are sent), "+
		"half_open (one request is sent) or open (none).",
	[]string{labelProvider, "state"}, nil)

// Describe implements prometheus.Collector.
func (b breakers) Describe(ch chan<- *prometheus.Desc) { ch <- breakersDesc }

// Collect implements prometheus.Collector.
func (b breakers) Collect(ch chan<- prometheus.Metric) {
	count := map[string]map[provider.BreakerState]int{}
	for _, one := range b.list() {
		name, _ := one.Model.Split()
		if count[name] == nil {
			count[name] = map[provider.BreakerState]int{}
		}
		count[name][one.State]++
	}
	for name, states := range count {
		for _, state := range provider.BreakerStates() {
			ch <- prometheus.MustNewConstMetric(breakersDesc, prometheus.GaugeValue, float64(states[state]), labelValue(name), string(state))
		}
	}
}

// countSpans registers the counts of sent and dropped spans.
func (m *Metrics) countSpans(s *Spans) {
	for _, c := range []struct {
		name, help string
		n          func() uint64
	}{
		{"callwright_spans_sent_total", "Spans that the collector accepted.", s.SentCount},
		{"callwright_spans_dropped_total", "Spans that were lost, as the collector was unavailable or slow, or refused them.",
			s.DroppedCount},
	} {
		m.registry.MustRegister(prometheus.NewCounterFunc(prometheus.CounterOpts{Name: c.name, Help: c.help},
			func() float64 { return float64(c.n()) }))
	}
}
