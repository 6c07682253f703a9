package telemetry

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/gateway"
	"github.com/prometheus/client_golang/prometheus"
)

// Outcomes of a request, as the label outcome has them.
const (
	outcomeOK      = "ok"
	outcomeError   = "error"
	outcomeAborted = "aborted" // its connection was reset: the client left, or an answer broke off
)

// Labels that several figures share. A model is named as clients ask for it in figures of requests, and as provider/model in those of attempts.
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

// countRequests makes the figures of requests.
func (m *Metrics) countRequests() {
	m.requests = m.counter("callwright_requests_total", "Requests of clients by the API that they speak, the provider that was asked last, the model that was asked for, the HTTP status, and what became of them.",
		labelWire, labelProvider, labelModel, "status", "outcome")
	m.duration = m.histogram("callwright_request_duration_seconds", "Time from a request for a model to the end of its answer.", requestSeconds, labelProvider, labelModel)
	m.firstToken = m.histogram("callwright_first_token_seconds", "Time from a request for a stream to the first piece of its answer.", tokenSeconds, labelProvider, labelModel)
	m.written = m.counter("callwright_response_bytes_total", "Bytes of the bodies of answers.", labelWire)
	m.attemptsEach = m.histogram("callwright_request_attempts", "Attempts that a request took.", attemptCounts, labelProvider, labelModel)
	m.fallbacks = m.counter("callwright_fallback_requests_total", "Requests that another model than the one asked for was asked for in the end.", labelProvider, labelModel)
	m.changed = m.counter("callwright_healed_requests_total", "Requests on whose way anything was changed.", labelProvider, labelModel)
	m.healed = m.counter("callwright_healed_total", "Changes by the class of the failure that they mend, empty for none, and by their rule.", "class", "rule", "risk")
	m.inFlight = m.gauge("callwright_requests_in_flight", "Requests that are being answered.")
	m.streams = m.gauge("callwright_streams_open", "Streams that are being answered.")
	m.reloads = m.counter("callwright_config_reloads_total", "Configurations that were read while running, by whether they are used.", "outcome")
	m.reloaded = m.gauge("callwright_config_last_reload_success_timestamp_seconds", "When a configuration was last read and used.")
	m.reloaded.SetToCurrentTime()
}

// request counts a request that has ended.
func (m *Metrics) request(o *gateway.Observation) {
	outcome, answered := outcomeOf(o), o.Report != nil && len(o.Report.Attempts) > 0
	asked, by := "", ""
	if o.Model != "" {
		asked = m.names.models.of(string(o.Model), answered && outcome == outcomeOK)
	}
	if answered {
		for i := range o.Report.Attempts {
			by = m.attempt(&o.Report.Attempts[i])
		}
	}
	s := m.requestSeries(requestKey{o.Wire, by, asked, o.Status, outcome})
	s.written().Add(float64(o.Written))
	s.requests().Inc()
	if !answered {
		return
	}
	s.duration().Observe(o.Ended.Sub(o.Began).Seconds())
	if o.Streamed && !o.FirstContent.IsZero() {
		s.firstToken().Observe(o.FirstContent.Sub(o.Began).Seconds())
	}
	s.attempts().Observe(float64(len(o.Report.Attempts)))
	if fellBack(o.Report) {
		s.fallbacks().Inc()
	}
	if m.notes(o.Report.Notes) {
		s.changed().Inc()
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

// fellBack reports whether the last attempt was at another model than the request began with.
func fellBack(rep *callwright.Report) bool {
	first, last := &rep.Attempts[0], &rep.Attempts[len(rep.Attempts)-1]
	return first.Why == callwright.AttemptFallback || first.Model != last.Model
}

// notes counts the changes of a report, and says whether there are any.
func (m *Metrics) notes(notes []callwright.Note) (changed bool) {
	for i := range notes {
		n := &notes[i]
		if n.Risk == "" || n.Observed {
			continue
		}
		changed = true
		m.healed.WithLabelValues(n.Fault, m.names.rules.of(n.Rule, true), string(n.Risk)).Add(float64(max(n.Count, 1)))
	}
	return changed
}
