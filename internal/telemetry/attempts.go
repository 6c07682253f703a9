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
		"Requests to providers by why they were made, and by the kind of error that they ended with, empty for none.",
		labelProvider, labelModel, "why", "error")
	m.retries = m.counter("callwright_retries_total",
		"Attempts that were sent again because the connection or the provider failed.", labelProvider, labelModel)
	m.corrections = m.counter("callwright_corrections_total",
		"Attempts in which a model was told what was wrong with its calls.", labelProvider, labelModel)
	m.tokens = m.counter("callwright_tokens_total",
		"Tokens that providers counted: input, of it cached (found in a prompt cache) and cache_write, output, and of it reasoning.",
		labelProvider, labelModel, "type")
	m.cacheHits = m.counter("callwright_cache_hits_total",
		"Attempts of whose input the provider found a part in its prompt cache.", labelProvider, labelModel)
	m.spend = m.counter("callwright_spend_usd_total", "What tokens cost in US dollars, where prices are known.", labelProvider, labelModel)
	m.unpriced = m.counter("callwright_unpriced_attempts_total", "Attempts with tokens whose price is not known.", labelProvider, labelModel)
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
	"Models of a provider by what their breaker does with requests: closed lets them through, half_open one of them, open none.",
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
		{"callwright_spans_sent_total", "Spans that the collector took.", s.SentCount},
		{"callwright_spans_dropped_total", "Spans that were lost, as the collector was away, slow or refused them.", s.DroppedCount},
	} {
		m.registry.MustRegister(prometheus.NewCounterFunc(prometheus.CounterOpts{Name: c.name, Help: c.help},
			func() float64 { return float64(c.n()) }))
	}
}
