package telemetry

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/callcheck"
	"github.com/callwright/callwright/internal/gateway"
	"github.com/callwright/callwright/internal/outcome"
	"github.com/prometheus/client_golang/prometheus"
)

// Values of the label outcome of callwright_requests_total. outcomeOK covers the outcomes passed, translated and
// healed.
const (
	outcomeOK      = "ok"
	outcomeError   = "error"
	outcomeAborted = "aborted" // the connection was reset: the client left, or the response broke off
)

// Labels of several metrics. In metrics of requests, the model is the requested name; in metrics of attempts, it is
// provider/model.
const (
	labelWire     = "wire"
	labelProvider = "provider"
	labelModel    = "model"
)

var (
	tokenSeconds   = []float64{.05, .1, .25, .5, 1, 2, 4, 8, 15, 30, 60, 120}
	requestSeconds = []float64{.05, .1, .25, .5, 1, 2, 5, 10, 20, 40, 80, 160, 320, 640}
	attemptCounts  = []float64{1, 2, 3, 4, 5, 8}
)

func (m *Metrics) counter(name, help string, labels ...string) *prometheus.CounterVec {
	v := prometheus.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, labels)
	m.registry.MustRegister(v)
	return v
}

func (m *Metrics) gauge(name, help string) prometheus.Gauge {
	g := prometheus.NewGauge(prometheus.GaugeOpts{Name: name, Help: help})
	m.registry.MustRegister(g)
	return g
}

func (m *Metrics) histogram(name, help string, buckets []float64, labels ...string) *prometheus.HistogramVec {
	v := prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: name, Help: help, Buckets: buckets}, labels)
	m.registry.MustRegister(v)
	return v
}

// countRequests registers the metrics of requests.
func (m *Metrics) countRequests() {
	m.requests = m.counter("callwright_requests_total",
		"Requests of clients by API, provider of the last attempt, requested model, HTTP status and outcome.",
		labelWire, labelProvider, labelModel, "status", "outcome")
	m.duration = m.histogram("callwright_request_duration_seconds", "Time from a request to the end of its answer.",
		requestSeconds, labelProvider, labelModel)
	m.firstToken = m.histogram("callwright_first_token_seconds",
		"Time from a request for a stream to the first chunk of its answer.", tokenSeconds, labelProvider, labelModel)
	m.written = m.counter("callwright_response_bytes_total", "Bytes of the bodies of answers.", labelWire)
	m.attemptsEach = m.histogram("callwright_request_attempts", "Attempts per request.", attemptCounts, labelProvider, labelModel)
	m.fallbacks = m.counter("callwright_fallback_requests_total",
		"Requests whose last attempt used another model than the requested one.", labelProvider, labelModel)
	m.outcomes.requests = m.counter("callwright_outcomes_total",
		"Requests for a model, by outcome: passed, translated, healed or failed.", labelProvider, labelModel, "outcome")
	m.outcomes.healed = m.counter("callwright_healed_requests_total", "Requests with the outcome healed.", labelProvider, labelModel)
	m.outcomes.notes = m.counter("callwright_healed_total",
		"Notes of repairs of answers, by failure class and rule.", "class", "rule", "risk")
	m.outcomes.invalid = m.counter("callwright_invalid_calls_total",
		"Tool calls in answers that were rejected, by reason.", labelProvider, labelModel, "why")
	m.outcomes.ruled = m.counter("callwright_call_rules_total",
		"Calls that match a call rule, by rule and outcome: refused, "+
			"parked (they need the approval of a person) or failed (the rule could not be evaluated).", "rule", "outcome")
	m.outcomes.claims = m.counter("callwright_claims_total",
		"Sentences of answers that claim work that no call did, by kind: done, quoted, tests or failed.",
		labelProvider, labelModel, "kind")
	m.inFlight = m.gauge("callwright_requests_in_flight", "Running requests.")
	m.streams = m.gauge("callwright_streams_open", "Open streams.")
	m.reloads = m.counter("callwright_config_reloads_total",
		"Configurations read while the gateway runs, by whether they were accepted.", "outcome")
	for _, outcome := range []string{"used", "refused"} { // so that the first reload is visible as an increase
		m.reloads.WithLabelValues(outcome)
	}
	m.reloaded = m.gauge("callwright_config_last_reload_success_timestamp_seconds", "Time of the last accepted configuration.")
	m.reloaded.SetToCurrentTime()
}

// request counts an ended request.
func (m *Metrics) request(o *gateway.Observation) {
	ended, answered := outcomeOf(o), o.Report != nil && len(o.Report.Attempts) > 0
	asked, by := "", ""
	if o.Model != "" {
		asked = m.names.models.of(string(o.Model), answered && ended == outcomeOK)
	}
	if answered {
		for i := range o.Report.Attempts {
			by = m.attempt(&o.Report.Attempts[i])
		}
	}
	s := m.requestSeries(requestKey{o.Wire, by, asked, o.Status, ended, o.Outcome})
	s.written().Add(float64(o.Written))
	s.requests().Inc()
	if o.Outcome != "" {
		s.outcomes().Inc()
	}
	if !answered {
		return
	}
	s.duration().Observe(o.Ended.Sub(o.Began).Seconds())
	if o.Streamed && !o.FirstContent.IsZero() {
		s.firstToken().Observe(o.FirstContent.Sub(o.Began).Seconds())
	}
	s.attempts().Observe(float64(len(o.Report.Attempts)))
	for i := range o.Report.Invalid {
		m.outcomes.invalid.WithLabelValues(by, asked, string(o.Report.Invalid[i].Why)).Inc()
	}
	if outcome.FellBack(o.Report) {
		s.fallbacks().Inc()
	}
	m.countCallRules(o.Report.Notes)
	m.countClaims(by, asked, o.Report.Notes)
	if o.Outcome == outcome.Healed {
		s.healed().Inc()
		m.countHealing(o.Report.Notes)
	}
}

func outcomeOf(o *gateway.Observation) string {
	switch {
	case o.Aborted:
		return outcomeAborted
	case o.Err != nil || o.Status >= 400:
		return outcomeError
	}
	return outcomeOK
}

// countHealing counts the notes about repairs.
func (m *Metrics) countHealing(notes []callwright.Note) {
	for i := range notes {
		if n := &notes[i]; outcome.Heals(n) {
			m.outcomes.notes.WithLabelValues(n.Fault, m.names.rules.of(n.Rule, true), string(n.Risk)).Add(float64(max(n.Count, 1)))
		}
	}
}

// ruleOutcomes are the outcomes of a call by the rule of the note about it.
var ruleOutcomes = map[string]string{callcheck.RuleRefused: "refused", callcheck.RuleParked: "parked", callcheck.RuleFailed: "failed"}

// countCallRules counts the calls that matched a call rule, unless the policy was observe, under which call rules have
// no effect.
func (m *Metrics) countCallRules(notes []callwright.Note) {
	for i := range notes {
		if came := ruleOutcomes[notes[i].Rule]; came != "" && !notes[i].Observed {
			m.outcomes.ruled.WithLabelValues(m.names.calls.of(notes[i].Now, true), came).Add(float64(max(notes[i].Count, 1)))
		}
	}
}
