package config

import (
	"context"
	"path/filepath"
	"slices"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/probe"
	"github.com/callwright/callwright/internal/probe/background"
	"github.com/callwright/callwright/internal/probe/cardfile"
)

// probes reports whether any settings enable background probes of models.
func (c *Config) probes() bool {
	return slices.ContainsFunc(c.Providers, func(p Provider) bool { return p.Probe == ProbeUnknown }) ||
		slices.ContainsFunc(c.Models, func(m Model) bool { return m.Probe == ProbeUnknown })
}

// newProber creates the Prober that probes models in the background. It stores the results as facts of the registry
// and, if state.dir is set, as cards of probes.
func (r *Registry) newProber() *background.Prober {
	conf := background.Config{Logger: r.log, Now: r.now, IsKnown: r.isKnown,
		Learn: func(ctx context.Context, model callwright.ModelID, facts []caps.Fact) error {
			return r.Learn(ctx, string(model), facts)
		}}
	if r.c.State.Dir != "" {
		conf.Dir = filepath.Join(r.c.State.Dir, "probed")
		conf.Keep = func(card *probe.Card) error {
			return cardfile.Keep(filepath.Join(r.c.State.Dir, cardfile.Folder), card, r.now())
		}
	}
	return background.New(conf)
}

// isKnown reports whether a model needs no background probe: it was probed before, the configuration or a table says
// whether it supports tools, or it cannot be requested.
func (r *Registry) isKnown(ctx context.Context, model callwright.ModelID) bool {
	facts, _ := r.capsStore.Facts(ctx, string(model))
	if slices.ContainsFunc(facts, func(f caps.Fact) bool {
		return f.Source == caps.Probed || f.Source == caps.Override && f.Key == "tools"
	}) {
		return true
	}
	m, err := r.Direct(string(model))
	if err != nil {
		return true // it cannot be requested
	}
	d, ok := m.(callwright.Describer)
	return ok && d.Caps(ctx).Tools != caps.Unknown
}
