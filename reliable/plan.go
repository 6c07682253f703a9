package reliable

import (
	"context"
	"slices"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/callcheck"
	"github.com/callwright/callwright/internal/transformset"
	"github.com/callwright/callwright/reliable/internal/learning"
	"github.com/callwright/callwright/reliable/internal/modes"
	"github.com/callwright/callwright/reliable/internal/outbound"
	"github.com/callwright/callwright/transform"
)

// A candidate is one step of the fallback chain: a model in a mode, and why it is tried.
type candidate struct {
	outbound.Receiver
	model callwright.Model
	why   string
	place int // the place of the model among those of the fallback chain
	rules callcheck.Rules

	success string // how often calls came right in the mode, "" where that is not known
	counted bool   // an answer in the mode was counted
	leads   string // why the mode is the first of its model, where measurements or the conversation decide that
}

// A triedMode is a mode in which a model was tried.
type triedMode struct {
	place int // as in a candidate
	mode  caps.Mode
}

// A planner makes the fallback chain of one request.
type planner struct {
	ctx   context.Context
	o     *options
	model callwright.Model
	req   *callwright.Request
	tools int // how many tools the model may call
}

func (r *run) planner() planner {
	return planner{r.ctx, r.o, r.c.model, r.req, len(r.tools.ByName)}
}

// A planned holds the candidates of one model, and their inputs. It does not change.
type planned struct {
	known         *caps.Caps // what the model says of itself
	learned       []caps.Fact
	tools, format bool // the request has tools, and says in which form the answer is wanted
	candidates    []candidate
	changed       time.Time // when the leading mode changed, zero where that is not known
}

// fallback chain is the candidates of the request in the order in which they are tried: the modes of the model, then
// those of its fallbacks. Most are never tried; their dialects are found when they are. Requests share it: it is not
// written to.
func (p planner) chain() []candidate {
	out := slices.Clip(p.candidatesOf(0, p.model))
	for i, m := range p.o.fallbacks {
		out = append(out, p.candidatesOf(i+1, m)...)
	}
	return out
}

// candidatesOf returns the candidates of the model at a place. They are kept for the next request while the pointer
// that SharedCaps of the model returns, the learned facts and the kind of the request stay the same. A model without a
// name or without SharedCaps has none kept.
func (p planner) candidatesOf(place int, m callwright.Model) []candidate {
	now, id := planned{tools: p.tools > 0, format: p.req.Params.Format != nil}, idOf(m)
	if k, ok := m.(interface{ SharedCaps() *caps.Caps }); ok && id != "" {
		now.known = k.SharedCaps()
	}
	if id == "" && place == 0 {
		id = p.req.Model
	}
	now.learned = p.learnedFacts(id)
	was := p.o.places[place].planned.Load()
	if was != nil && was.known == now.known && was.tools == now.tools && was.format == now.format && slices.Equal(was.learned, now.learned) {
		return p.preferBegunMode(place, m, was)
	}
	now.candidates = p.newCandidates(place, m, id, now.learned, "")
	if plan := p.modePlan(now.candidates[0].Caps); p.hasModes() {
		now.changed = plan.ChangeTime()
	}
	if now.known != nil {
		now.learned = slices.Clone(now.learned)
		p.o.places[place].planned.Store(new(now))
	}
	return p.preferBegunMode(place, m, &now)
}

// preferBegunMode are planned candidates with the mode first in which the conversation began, where the leading mode of
// the model changed lately.
func (p planner) preferBegunMode(place int, m callwright.Model, as *planned) []candidate {
	if as.changed.IsZero() || p.o.now().Sub(as.changed) >= modes.KeptFor {
		return as.candidates
	}
	plan := p.modePlan(as.candidates[0].Caps)
	if began := plan.BeganIn(p.req, p.o.mint == nil); began != "" && began != as.candidates[0].Mode {
		return p.newCandidates(place, m, as.candidates[0].ID, as.learned, began)
	}
	return as.candidates
}

// newCandidates makes the candidates of a model, with a mode first where one is given.
func (p planner) newCandidates(place int, m callwright.Model, id callwright.ModelID, learned []caps.Fact, first caps.Mode) []candidate {
	c, extended := p.resolveCaps(m, learned)
	order, set := p.modes(c, first), p.o.transformSet
	plan := p.modePlan(c)
	if !p.o.changesNothing() {
		set = transformset.Of(m).Then(set)
	}
	out := make([]candidate, 0, len(order))
	for n, mode := range order {
		g := candidate{Receiver: outbound.Receiver{ID: id, Caps: c, CapsExtended: extended, Mode: mode, Marks: p.o.marks,
			Strict: p.o.strictTools, Constrain: p.o.constrain, Held: p.o.holdsAll() ||
				set.Has(transform.ToolCalls, transform.Responses), Transforms: set}, model: m, rules: rulesOf(m),
			why: callwright.AttemptFirst, place: place, success: plan.Success(mode)}
		switch {
		case n > 0:
			g.why = callwright.AttemptOtherMode
		case place > 0:
			g.why = callwright.AttemptFallback
		}
		out = append(out, g)
	}
	if p.hasModes() {
		out[0].leads = plan.Reason(order)
	}
	return out
}

// learnedFacts returns the learned facts of a model. A failing store costs knowledge, not the answer.
func (p planner) learnedFacts(id callwright.ModelID) []caps.Fact {
	facts, _ := p.o.capsStore.Facts(p.ctx, string(id))
	return facts
}

// resolveCaps returns the known facts of a model: its own, under the learned, under the configured ones, under the
// overrides. extended reports whether any was added to the model's own.
func (p planner) resolveCaps(m callwright.Model, learned []caps.Fact) (c caps.Caps, extended bool) {
	if d, ok := m.(callwright.Describer); ok {
		c = d.Caps(p.ctx)
	}
	var others []caps.Fact
	for _, f := range learned {
		if !learning.ApplyCount(&c, f) {
			others = append(others, f)
		}
	}
	if len(others) > 0 {
		c, extended = c.WithFacts(others), true
	}
	if len(p.o.facts) > 0 {
		c, extended = c.WithFacts(p.o.facts), true
	}
	return c, extended
}

// modes are the modes of a model in the order in which they are tried. Without tools it is native alone.
func (p planner) modes(c caps.Caps, first caps.Mode) []caps.Mode {
	if !p.hasModes() {
		return []caps.Mode{caps.Native}
	}
	plan := p.modePlan(c)
	return plan.OrderFrom(first)
}

// hasModes reports whether there is anything to convey in one mode or another.
func (p planner) hasModes() bool { return p.tools > 0 && !p.o.changesNothing() }

func (p planner) modePlan(c caps.Caps) modes.Plan {
	return modes.Plan{Caps: c, Configured: p.o.modes, OneMode: p.o.oneMode, Format: p.req.Params.Format != nil}
}

// furtherModes are candidates of a model in the modes that the plan comes to by the lessons of refusals, and that were
// not tried: where each configured mode was refused. There are none where the mode may not change.
func (p planner) furtherModes(g *candidate, tried []triedMode, lessons []learning.Lesson) []candidate {
	if p.o.oneMode {
		return nil
	}
	heeding := *g
	learning.Heed(&heeding.Receiver, lessons)
	var out []candidate
	for _, mode := range p.modes(heeding.Caps, "") {
		if !slices.Contains(tried, triedMode{g.place, mode}) {
			next := heeding
			next.Mode, next.Dialect, next.why = mode, "", callwright.AttemptOtherMode
			out = append(out, next)
		}
	}
	return out
}
