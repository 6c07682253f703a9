package main

import (
	"context"
	"errors"
	"log/slog"
	"slices"

	"github.com/callwright/callwright/access"
	"github.com/callwright/callwright/archive"
	"github.com/callwright/callwright/cmd/callwright/state"
	"github.com/callwright/callwright/config"
	"github.com/callwright/callwright/gateway"
)

// A back is what stands behind the gateway's server: its state, the models, and who may ask for them.
type back struct {
	log      *slog.Logger
	kept     *state.State
	registry *config.Registry
	gate     *access.Gate
}

// openBack opens what stands behind the server. The caller closes it after the server.
func (s *serveCommand) openBack(ctx context.Context, a *app, conf *config.Config, keys []access.Key, opts []config.Option) (*back, error) {
	kept, err := state.Open(ctx, conf, a.env, s.log.Logger)
	if err != nil {
		return nil, err
	}
	registry, err := config.NewRegistry(conf, slices.Concat(opts, kept.Options(ctx), []config.Option{config.WithEnv(a.env), config.WithLogger(s.log.Logger)})...)
	if err != nil {
		return nil, errors.Join(err, kept.Close())
	}
	gate, err := openGate(conf, keys, kept.Counters(), a.env, s.log.Logger)
	if err != nil {
		registry.Close()
		return nil, errors.Join(err, kept.Close())
	}
	return &back{s.log.Logger, kept, registry, gate}, nil
}

// keepIn has the gateway keep what clients ask for later in the state, or in memory where that forgets.
func (b *back) keepIn(ctx context.Context, c *gateway.Config, st *config.State) {
	c.Answers, c.Reports, c.Health = b.kept.Answers(st.Answers.Archive()), b.kept.Reports(ctx, st.Reports.Archive()), b.kept.Health
	if c.Answers == nil {
		c.Answers = archive.NewMemoryAnswers(nil, st.Answers.Archive())
	}
	if c.Reports == nil {
		c.Reports = archive.NewMemoryReports(nil, st.Reports.Archive())
	}
}

func (b *back) close(ctx context.Context) {
	closeGate(ctx, b.gate)
	b.registry.Close()
	if err := b.kept.Close(); err != nil {
		b.log.Error("the state was not closed", "error", err)
	}
}
