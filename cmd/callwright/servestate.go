package main

import (
	"context"
	"errors"
	"log/slog"
	"slices"

	"github.com/callwright/callwright/access"
	"github.com/callwright/callwright/archive"
	"github.com/callwright/callwright/cmd/callwright/monitor"
	"github.com/callwright/callwright/cmd/callwright/state"
	"github.com/callwright/callwright/config"
	"github.com/callwright/callwright/gateway"
)

// A back is what stands behind the gateway's server: its state, the models, and who may ask for them.
type back struct {
	log    *slog.Logger
	kept   *state.State
	models *config.Live
	gate   *access.Gate
}

// openBack opens what stands behind the server. The caller closes it after the server.
func (s *serveCommand) openBack(ctx context.Context, a *app, conf *config.Config, keys []access.Key, opts []config.Option) (*back, error) {
	kept, err := state.Open(ctx, conf, a.env, s.log.Logger)
	if err != nil {
		return nil, err
	}
	models, err := config.NewLive(conf, slices.Concat(opts, kept.Options(ctx), []config.Option{config.WithEnv(a.env), config.WithLogger(s.log.Logger)})...)
	if err != nil {
		return nil, errors.Join(err, kept.Close())
	}
	gate, err := openGate(conf, keys, kept.Counters(), a.env, s.log.Logger)
	if err != nil {
		models.Close()
		return nil, errors.Join(err, kept.Close())
	}
	return &back{s.log.Logger, kept, models, gate}, nil
}

// keepIn has the gateway keep what clients ask for later in the state, or in memory where that forgets.
func (b *back) keepIn(ctx context.Context, c *gateway.Config, st *config.State) {
	c.Answers, c.Reports, c.Health = b.kept.Answers(st.Answers.Archive()), b.kept.Reports(ctx, st.Reports.Archive()), b.health
	if c.Answers == nil {
		c.Answers = archive.NewMemoryAnswers(nil, st.Answers.Archive())
	}
	if c.Reports == nil {
		c.Reports = archive.NewMemoryReports(nil, st.Reports.Archive())
	}
}

// health lists what is wrong while requests are still answered.
func (b *back) health() []string { return append(b.kept.Health(), monitor.Breakers(b.models)...) }

func (b *back) close(ctx context.Context) {
	closeGate(ctx, b.gate)
	b.models.Close()
	if err := b.kept.Close(); err != nil {
		b.log.Error("the state was not closed", "error", err)
	}
}
