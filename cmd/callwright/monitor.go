package main

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/cmd/callwright/internal/alerting"
	"github.com/callwright/callwright/internal/alert"
	"github.com/callwright/callwright/internal/config"
	"github.com/callwright/callwright/internal/gateway"
	"github.com/callwright/callwright/internal/health"
	"github.com/callwright/callwright/internal/telemetry"
	"github.com/callwright/callwright/internal/version"
)

// A monitor reports on a gateway: its problems, and by metrics, spans and alerts as configured. Close it in the end.
type monitor struct {
	health  *health.Monitor
	metrics *telemetry.Metrics
	spans   *telemetry.Spans
	alerts  *alert.Alerts
}

// newMonitor returns the monitor for a configuration and for the OpenTelemetry variables of the environment.
func newMonitor(conf *config.Config, b *backend, traced *traceFile, env func(string) (string, bool), log *slog.Logger) (*monitor, error) {
	m := &monitor{health: newHealth(b, traced)}
	headers, err := conf.Telemetry.RevealedHeaders(env)
	if err != nil {
		return nil, err
	}
	if m.alerts, err = alerting.Open(conf,
		alerting.Gateway{Health: m.health, Counters: b.kept.Counters(), Counted: m.countAlert, Env: env, Logger: log}); err != nil {
		return nil, err
	}
	b.alerts.Store(m.alerts)
	to, err := telemetry.SpansFrom(env,
		telemetry.SpansConfig{Endpoint: conf.Telemetry.Endpoint, Headers: headers, Current: conf.Telemetry.CurrentHeaders()})
	if err != nil {
		return nil, err
	}
	if to.Endpoint != "" {
		to.Content, to.Version, to.Logger = conf.Telemetry.Content == config.On, version.This().Version, log
		if m.spans, err = telemetry.NewSpans(to); err != nil {
			return nil, err
		}
	}
	if conf.Metrics != config.Off {
		m.metrics = telemetry.NewMetrics(telemetry.MetricsConfig{Build: version.This(), Models: modelNames(conf),
			Price: b.gate.Cost, Breakers: b.models.Breakers, Targets: b.models.Targets, Spans: m.spans,
			Problems: m.health.Problems, Keys: b.gate.Busiest, TotalLimits: b.gate.TotalLimits})
	}
	return m, nil
}

// modelNames returns the names of all models in the configuration: aliases, their targets and their fallbacks.
func modelNames(conf *config.Config) []string {
	var names []string
	add := func(ids ...callwright.ModelID) {
		for _, id := range ids {
			if id != "" {
				names = append(names, string(id))
			}
		}
	}
	for i := range conf.Models {
		m := &conf.Models[i]
		add(callwright.ModelID(m.Name), m.Model)
		add(m.Any...)
		add(m.Fallbacks.Models()...)
	}
	for i := range conf.Providers {
		add(conf.Providers[i].Fallbacks.Models()...)
	}
	return names
}

// showCaches adds the size of the gateway's caches to the metrics.
func (m *monitor) showCaches(srv *gateway.Server) {
	if m.metrics != nil {
		m.metrics.HistoryCache(srv.HistoryBytes)
	}
}

// alert sends alerts until ctx ends.
func (m *monitor) alert(ctx context.Context) {
	if m.alerts != nil {
		m.alerts.Run(ctx)
	}
}

// countAlert counts the outcome of an alert.
func (m *monitor) countAlert(eventType, outcome string) {
	if m.metrics != nil {
		m.metrics.CountAlert(eventType, outcome)
	}
}

// observe adds the health, the metrics and spans to the configuration of a gateway, as observers, handlers and
// recorders.
func (m *monitor) observe(c *gateway.Config) {
	c.Health = m.health
	if m.metrics != nil {
		c.Observers = append(c.Observers, m.metrics)
		c.KeyedHandlers = map[string]http.Handler{"GET /metrics": m.metrics.Handler()}
	}
	if m.spans == nil {
		return
	}
	c.Observers = append(c.Observers, m.spans)
	record := c.Record
	c.Record = func(model callwright.Model) callwright.Model {
		if record != nil {
			model = record(model)
		}
		return m.spans.Around(model)
	}
}

// sendsSpans reports whether spans are sent.
func (m *monitor) sendsSpans() bool { return m.spans != nil }

// reload wraps use, so that ended requests are counted with the old prices before a new configuration is used.
func (m *monitor) reload(use func(context.Context, *config.Config) error) func(context.Context, *config.Config) error {
	if m.metrics == nil {
		return use
	}
	return func(ctx context.Context, next *config.Config) error {
		m.metrics.Settle()
		return use(ctx, next)
	}
}

// countReload counts a configuration that was read again.
func (m *monitor) countReload(used bool) {
	if m.metrics != nil {
		m.metrics.CountReload(used)
	}
}

// lastSpans is how long the end of a gateway may wait for the collector.
const lastSpans = 3 * time.Second

// close sends the spans that are left.
func (m *monitor) close() {
	if m.spans == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), lastSpans)
	defer cancel()
	_ = m.spans.Close(ctx) // what was lost was logged
}
