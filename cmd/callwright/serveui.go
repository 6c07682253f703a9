package main

import (
	"context"
	"fmt"
	"net/http"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/cmd/callwright/internal/replay"
	"github.com/callwright/callwright/internal/config"
	"github.com/callwright/callwright/internal/dashboard"
	"github.com/callwright/callwright/internal/gateway"
	"github.com/callwright/callwright/internal/progress"
	"github.com/callwright/callwright/internal/trace"
	"github.com/callwright/callwright/reliable"
)

// showPages adds the dashboard to the configuration of a gateway and prints its URL. If the configuration disables it,
// showPages does nothing.
func (s *serveCommand) showPages(c *gateway.Config, conf *config.Config, b *backend, hosts func() []string, traced *traceFile,
	bundles *bundler, url string) {
	if conf.UI == config.Off {
		return
	}
	models := shownModels{b.models}
	c.Running = new(progress.List)
	pages := dashboard.Config{
		Access: b.gate, Keys: b.api(), Hosts: hosts, Reports: c.Reports, Models: models, Facts: models, Explainer: models,
		Health: c.Health.Status, Running: c.Running.Now, Logger: s.log.Logger,
	}
	if traced != nil && traced.log != nil {
		pages.Traces, pages.Replayer, pages.Bundler = traced.log, player{b.models}, bundles
	}
	pages.Runs, pages.RunCommand = s.agentRuns(conf, b.kept)
	pages.Evals, pages.Probes = keptEvals(conf, b.kept), keptCards(conf)
	if c.Handlers == nil {
		c.Handlers = map[string]http.Handler{}
	}
	c.Handlers[dashboard.Root] = dashboard.New(pages)
	fmt.Fprintf(s.log.plain, "  pages for a browser         %s%s\n", url, dashboard.Root)
}

// shownModels provides the models of the current configuration to the dashboard.
type shownModels struct{ live *config.Live }

// All returns all models in the gateway's model list.
func (m shownModels) All(ctx context.Context) []dashboard.Model {
	var out []dashboard.Model
	for _, card := range m.live.Registry().Cards(ctx) {
		out = append(out, shownModel(&card))
	}
	return out
}

// One returns the model with the given name.
func (m shownModels) One(ctx context.Context, name callwright.ModelID) dashboard.Model {
	return shownModel(&m.live.Registry().Cards(ctx, name)[0])
}

func shownModel(c *config.Card) dashboard.Model {
	return dashboard.Model{Name: c.Name, Target: c.Model, Fallbacks: c.Fallbacks, Facts: c.Facts, Found: c.Learned,
		Overridden: c.Overridden, Problem: c.Problem}
}

// Explain returns the requests that would be sent for req, without sending them.
func (m shownModels) Explain(ctx context.Context, req *callwright.Request) (*reliable.Explanation, error) {
	client, err := m.live.Resolve(string(req.Model))
	if err != nil {
		return nil, err
	}
	return client.Explain(ctx, req)
}

// A player replays recorded requests with the current configuration.
type player struct{ live *config.Live }

// Replay replays the recorded request with these trace entries.
func (p player) Replay(ctx context.Context, entries []trace.Entry) (*dashboard.Replayed, error) {
	again := replay.Replay{Config: p.live.Config()}
	res, err := again.One(ctx, entries)
	if err != nil {
		return nil, err
	}
	out := &dashboard.Replayed{Same: res.Outcome == replay.Same, FromAnswer: res.From == replay.FromAnswer,
		Differences: res.Differences, Why: res.Why, Entries: res.Entries}
	if res.Outcome == replay.Unanswered {
		out.Why = "it has no answer"
	}
	return out, nil
}

// Learn stores a fact about a model, such as its context size.
func (m shownModels) Learn(ctx context.Context, model callwright.ModelID, f caps.Fact) error {
	return m.live.Registry().Learn(ctx, string(model), []caps.Fact{f})
}

// Forget deletes learned facts about a model; an empty key means all.
func (m shownModels) Forget(ctx context.Context, model callwright.ModelID, key string) error {
	_, err := m.live.Registry().Forget(ctx, string(model), key)
	return err
}
