package main

import (
	"context"
	"slices"
	"sync/atomic"

	"github.com/callwright/callwright/cmd/callwright/internal/reload"
	"github.com/callwright/callwright/cmd/callwright/internal/state"
	"github.com/callwright/callwright/internal/access"
	"github.com/callwright/callwright/internal/alert"
	"github.com/callwright/callwright/internal/archive"
	"github.com/callwright/callwright/internal/config"
	"github.com/callwright/callwright/internal/gateway"
)

// A backend is what stands behind the gateway's server: its state, which is closed after it, the models, and who may ask for them.
type backend struct {
	kept   *state.State
	models *config.Live
	gate   *access.Gate
	alerts atomic.Pointer[alert.Alerts] // told of limits that are used up to a share of them; nil for nobody
}

// openBackend opens what stands behind the server. The caller closes it after the server.
func (s *serveCommand) openBackend(ctx context.Context, a *app, conf *config.Config, kept *state.State, keys []access.Key, opts []config.Option) (*backend, error) {
	models, err := config.NewLive(conf, slices.Concat(opts, kept.Options(ctx), []config.Option{config.WithEnv(a.env), config.WithLogger(s.log.Logger)})...)
	if err != nil {
		return nil, err
	}
	b := &backend{kept: kept, models: models}
	b.gate, err = reload.OpenGate(conf, keys, access.Config{Counters: kept.Counters(), Logger: s.log.Logger, Crossed: b.crossed}, a.env)
	if err != nil {
		models.Close()
		return nil, err
	}
	return b, nil
}

// crossed hands on a limit that is used up to a share of it.
func (b *backend) crossed(c access.Crossing) {
	if to := b.alerts.Load(); to != nil {
		to.Crossed(c)
	}
}

// keepIn has the gateway keep what clients ask for later in the state, or in memory where that forgets.
func (b *backend) keepIn(c *gateway.Config, st *config.State) {
	c.Answers, c.Reports, c.Unready = b.kept.Answers(st.Answers.Archive()), b.kept.Reports(st.Reports.Archive()), b.unready
	if c.Answers == nil {
		c.Answers = archive.NewMemoryAnswers(nil, st.Answers.Archive())
	}
	if c.Reports == nil {
		c.Reports = archive.NewMemoryReports(nil, st.Reports.Archive())
	}
}

func (b *backend) close(ctx context.Context) {
	reload.CloseGate(ctx, b.gate)
	b.models.Close()
}

// closeState ends the use of the state.
func (s *serveCommand) closeState(kept *state.State) {
	if err := kept.Close(); err != nil {
		s.log.Error("the state was not closed", "error", err)
	}
}
