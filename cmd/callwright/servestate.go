package main

import (
	"context"
	"log/slog"
	"slices"
	"sync/atomic"
	"time"

	"github.com/callwright/callwright/cmd/callwright/internal/reload"
	"github.com/callwright/callwright/cmd/callwright/internal/state"
	"github.com/callwright/callwright/internal/access"
	"github.com/callwright/callwright/internal/alert"
	"github.com/callwright/callwright/internal/archive"
	"github.com/callwright/callwright/internal/config"
	"github.com/callwright/callwright/internal/gateway"
	"github.com/callwright/callwright/internal/keyapi"
	"github.com/callwright/callwright/internal/keyring"
	"github.com/callwright/callwright/internal/ledger"
)

// A backend contains the parts of a gateway behind its HTTP server: the state, models, access control, keys and usage.
type backend struct {
	kept   *state.State
	models *config.Live
	gate   *access.Gate
	ring   *keyring.Ring
	book   *ledger.Book
	alerts atomic.Pointer[alert.Alerts] // receives key limits that are nearly used up; nil for no alerts
}

// openBackend opens the backend. The caller must close it after the HTTP server has stopped.
func (s *serveCommand) openBackend(ctx context.Context, a *app, conf *config.Config, kept *state.State, keys []access.Key,
	opts []config.Option) (*backend, error) {
	models, err := config.NewLive(conf,
		slices.Concat(opts, kept.Options(ctx), []config.Option{config.WithEnv(a.env), config.WithLogger(s.log.Logger)})...)
	if err != nil {
		return nil, err
	}
	b := &backend{kept: kept, models: models, ring: kept.Keys(ctx), book: ledger.New(kept.Usage(), nil, s.log.Logger)}
	b.gate, err = reload.OpenGate(conf, keys,
		access.Config{Counters: kept.Counters(), Source: b.ring, Ledger: b.book, Logger: s.log.Logger, Crossed: b.reportCrossing}, a.env)
	if err != nil {
		models.Close()
		return nil, err
	}
	b.ring.SetConfigured(b.gate)
	b.book.Start()
	return b, nil
}

// reportCrossing passes a limit whose usage crossed a threshold to the alerts, if there are any.
func (b *backend) reportCrossing(c access.Crossing) {
	if to := b.alerts.Load(); to != nil {
		to.ReportCrossing(c)
	}
}

// lastUsage is the maximum wait for the last write of usage when the gateway stops.
const lastUsage = 2 * time.Second

// api returns the HTTP handlers for keys and usage.
func (b *backend) api() *keyapi.API { return &keyapi.API{Gate: b.gate, Ring: b.ring, Book: b.book} }

// administer adds the admin handlers to c: keys, usage, evidence bundles and the OpenAPI document.
func (b *backend) administer(c *gateway.Config, bundles *bundler) {
	api := b.api()
	c.Admin = map[string]gateway.AdminHandler{gateway.OpenAPIPath: serveOpenAPI(), gateway.UsagePath: api.Usage,
		gateway.BundlePath: bundles.serve}
	for path, h := range api.Handlers() {
		c.Admin[path] = gateway.AdminHandler(h)
	}
}

// keepIn sets the stores of responses and reports in c: those of the shared state or, without one, in memory.
func (b *backend) keepIn(c *gateway.Config, st *config.State) {
	c.Answers, c.Reports, c.Unready = b.kept.Answers(st.Answers.Archive()), b.kept.Reports(st.Reports.Archive()), b.unready
	if c.Answers == nil {
		c.Answers = archive.NewMemoryAnswers(nil, st.Answers.Archive())
	}
	if c.Reports == nil {
		c.Reports = archive.NewMemoryReports(nil, st.Reports.Archive())
	}
}

func (b *backend) close(ctx context.Context, log *slog.Logger) {
	reload.CloseGate(ctx, b.gate)
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastUsage)
	defer cancel()
	if err := b.book.Close(ctx); err != nil {
		log.Warn("the latest usage of keys was not written", "error", err)
	}
	b.models.Close()
}

// closeState closes the state and logs an error.
func (s *serveCommand) closeState(kept *state.State) {
	if err := kept.Close(); err != nil {
		s.log.Error("the state was not closed", "error", err)
	}
}
