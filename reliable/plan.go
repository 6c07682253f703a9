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

// A candidate is one step of the fallback chain: a model in a mode, and the reason to try it.
type candidate struct {
	outbound.Receiver
	model callwright.Model
	why   string
	place int // index of the model in the fallback chain
	rules callcheck.Rules

	success         string // success rate of calls in the mode, "" if unknown
	counted         bool   // a response in the mode was counted
	firstModeReason string // reason why the mode is first, if statistics or the conversation determine this; otherwise ""
}

// A triedMode is a model and mode that was tried.
type triedMode struct {
	place int // index of the model in the fallback chain
	mode  caps.Mode
}

// A planner makes the fallback chain for one request.
type planner struct {
	ctx   context.Context
	o     *options
	model callwright.Model
	req   *callwright.Request
	tools int // number of tools that the model may call
}

func (r *run) planner() planner {
	return planner{r.ctx, r.o, r.c.model, r.req, len(r.tools.ByName)}
}

// A planned is a cache entry: the candidates of one model and the inputs from which they were made. It is immutable.
type planned struct {
	known         *caps.Caps // the model's own capabilities
	learned       []caps.Fact
	tools, format bool // the request has tools; the request has a response format
	candidates    []candidate
	changed       time.Time // time when the first mode last changed, zero if unknown
}

// chain returns the candidates of the request in the order in which they are tried: the modes of the first model, then
// those of its fallbacks. Requests share the elements, so they must not be modified.
func (p planner) chain() []candidate {
	out := slices.Clip(p.candidatesOf(0, p.model))
	for i, m := range p.o.fallbacks {
		out = append(out, p.candidatesOf(i+1, m)...)
	}
	return out
}

// candidatesOf returns the candidates of the model m with index place. It caches them if the model has an ID and a
// method SharedCaps. The cache entry is valid while the pointer from SharedCaps, the learned facts, and the presence
// of tools and response format stay the same.
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

// preferBegunMode returns the cached candidates. If the first mode changed recently, the mode in which the
// conversation began comes first instead.
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

// newCandidates makes the candidates of a model. If first is not "", this mode comes first.
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
		out[0].firstModeReason = plan.Reason(order)
	}
	return out
}

// learnedFacts returns the learned facts about a model. It ignores errors of the store.
func (p planner) learnedFacts(id callwright.ModelID) []caps.Fact {
	facts, _ := p.o.capsStore.Facts(p.ctx, string(id))
	return facts
}

// resolveCaps returns the known capabilities of a model. In ascending precedence these come from the model itself,
// learned facts, configured facts and overrides. extended reports whether anything was added to the model's own
// capabilities.
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

// modes returns the modes of a model in the order in which they are tried. Without tools it is only Native.
func (p planner) modes(c caps.Caps, first caps.Mode) []caps.Mode {
	if !p.hasModes() {
		return []caps.Mode{caps.Native}
	}
	plan := p.modePlan(c)
	return plan.OrderFrom(first)
}

// hasModes reports whether the request has tools and the policy permits to choose a mode.
func (p planner) hasModes() bool { return p.tools > 0 && !p.o.changesNothing() }

func (p planner) modePlan(c caps.Caps) modes.Plan {
	return modes.Plan{Caps: c, Configured: p.o.modes, OneMode: p.o.oneMode, Format: p.req.Params.Format != nil}
}

// furtherModes returns candidates of g's model for the modes that were not tried, in the order that the capabilities
// imply after the lessons from rejections. It returns nil with WithOneMode.
func (p planner) furtherModes(g *candidate, tried []triedMode, lessons []learning.Lesson) []candidate {
	if p.o.oneMode {
		return nil
	}
	heeding := *g
	learning.ApplyLessons(&heeding.Receiver, lessons)
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
