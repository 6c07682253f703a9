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

// A backend is the part of a gateway behind its server: the state, which is closed last, the models, the access gate,
// and the usage.
type backend struct {
	kept   *state.State
	models *config.Live
	gate   *access.Gate
	ring   *keyring.Ring
	book   *ledger.Book
	alerts atomic.Pointer[alert.Alerts] // told of limits that are used up to a share of them; nil for nobody
}

// openBackend opens the backend of the server. The caller closes it after the server.
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
	b.ring.Beside(b.gate)
	b.book.Start()
	return b, nil
}

// reportCrossing reports a limit whose usage reached a share of it to the alerts, if there are any.
func (b *backend) reportCrossing(c access.Crossing) {
	if to := b.alerts.Load(); to != nil {
		to.ReportCrossing(c)
	}
}

// lastUsage bounds the wait for the last write of usage at the end of a gateway.
const lastUsage = 2 * time.Second

// api returns the handlers for keys and their usage.
func (b *backend) api() *keyapi.API { return &keyapi.API{Gate: b.gate, Ring: b.ring, Book: b.book} }

// administer sets the handlers for keys, their usage, evidence bundles and the OpenAPI description.
func (b *backend) administer(c *gateway.Config, bundles *bundler) {
	api := b.api()
	c.Admin = map[string]gateway.AdminHandler{gateway.OpenAPIPath: serveOpenAPI(), gateway.UsagePath: api.Usage,
		gateway.BundlePath: bundles.serve}
	for path, h := range api.Handlers() {
		c.Admin[path] = gateway.AdminHandler(h)
	}
}

// keepIn sets the stores of answers and reports for later requests: those of the state, or memory if the state has
// none.
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
		log.Warn("the last usage of keys was not written", "error", err)
	}
	b.models.Close()
}

// closeState closes the state.
func (s *serveCommand) closeState(kept *state.State) {
	if err := kept.Close(); err != nil {
		s.log.Error("the state was not closed", "error", err)
	}
}
