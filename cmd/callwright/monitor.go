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

// A monitor contains the monitoring of a gateway: health, and metrics, spans and alerts if configured. The caller must
// call close.
type monitor struct {
	health  *health.Monitor
	metrics *telemetry.Metrics
	spans   *telemetry.Spans
	alerts  *alert.Alerts
}

// newMonitor returns the monitor for a configuration and the OpenTelemetry variables of the environment.
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

// modelNames returns the names of all models in the configuration: aliases, targets and fallbacks.
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

// showCaches adds the size of the gateway's history cache to the metrics.
func (m *monitor) showCaches(srv *gateway.Server) {
	if m.metrics != nil {
		m.metrics.HistoryCache(srv.HistoryBytes)
	}
}

// alert sends configured alerts about the gateway until ctx is done.
func (m *monitor) alert(ctx context.Context) {
	if m.alerts != nil {
		m.alerts.Run(ctx)
	}
}

// countAlert counts an alert in the metrics. outcome is the result of sending it.
func (m *monitor) countAlert(eventType, outcome string) {
	if m.metrics != nil {
		m.metrics.CountAlert(eventType, outcome)
	}
}

// observe adds health, metrics and spans to the configuration of a gateway.
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

// sendsSpans reports whether OpenTelemetry spans are exported.
func (m *monitor) sendsSpans() bool { return m.spans != nil }

// reload wraps the function that applies a new configuration, so that finished requests are first counted with the old
// prices.
func (m *monitor) reload(use func(context.Context, *config.Config) error) func(context.Context, *config.Config) error {
	if m.metrics == nil {
		return use
	}
	return func(ctx context.Context, next *config.Config) error {
		m.metrics.Settle()
		return use(ctx, next)
	}
}

// countReload counts a reload of the configuration. used is false if the new configuration was rejected.
func (m *monitor) countReload(used bool) {
	if m.metrics != nil {
		m.metrics.CountReload(used)
	}
}

// lastSpans is the maximum wait for the span collector when the gateway stops.
const lastSpans = 3 * time.Second

// close exports the remaining OpenTelemetry spans.
func (m *monitor) close() {
	if m.spans == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), lastSpans)
	defer cancel()
	_ = m.spans.Close(ctx) // the exporter logs lost spans
}
