package reliable

import (
	"context"
	"slices"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/transformset"
	"github.com/callwright/callwright/reliable/internal/learning"
	"github.com/callwright/callwright/reliable/internal/outbound"
	"github.com/callwright/callwright/transform"
)

// A rung is one step of the ladder: a model in a mode, and why it is tried.
type rung struct {
	outbound.Receiver
	model callwright.Model
	why   string
	place int // the place of the model among those of the ladder
}

// A triedMode is a mode in which a model was tried.
type triedMode struct {
	place int // as in a rung
	mode  caps.Mode
}

// A planner makes the ladder of one request.
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

// A planned is the rungs of one model, and what they were made of. It does not change.
type planned struct {
	known         *caps.Caps // what the model says of itself
	learned       []caps.Fact
	tools, format bool // the request has tools, and says in which form the answer is wanted
	rungs         []rung
}

// ladder is the rungs of the request in the order in which they are tried: the modes of the model, then those of its fallbacks. Most
// are never tried; their dialects are found when they are. Requests share it: it is not written to.
func (p planner) ladder() []rung {
	out := slices.Clip(p.rungsOf(0, p.model))
	for i, m := range p.o.fallbacks {
		out = append(out, p.rungsOf(i+1, m)...)
	}
	return out
}

// rungsOf returns the rungs of the model at a place. They are kept for the next request while the pointer that Known of the model returns, the
// learned facts and the kind of the request stay the same. A model without a name or without Known has none kept.
func (p planner) rungsOf(place int, m callwright.Model) []rung {
	now, id := planned{tools: p.tools > 0, format: p.req.Params.Format != nil}, idOf(m)
	if k, ok := m.(interface{ Known() *caps.Caps }); ok && id != "" {
		now.known = k.Known()
	}
	if id == "" && place == 0 {
		id = p.req.Model
	}
	now.learned = p.learned(id)
	was := p.o.planned[place].Load()
	if was != nil && was.known == now.known && was.tools == now.tools && was.format == now.format && slices.Equal(was.learned, now.learned) {
		return was.rungs
	}
	now.rungs = p.newRungs(place, m, id, now.learned)
	if now.known != nil {
		now.learned = slices.Clone(now.learned)
		p.o.planned[place].Store(new(now))
	}
	return now.rungs
}

func (p planner) newRungs(place int, m callwright.Model, id callwright.ModelID, learned []caps.Fact) []rung {
	c, extended := p.known(m, learned)
	modes, set := p.modes(c), p.o.transformSet
	if !p.o.changesNothing() {
		set = transformset.Of(m).Then(set)
	}
	out := make([]rung, 0, len(modes))
	for n, mode := range modes {
		g := rung{Receiver: outbound.Receiver{ID: id, Caps: c, CapsExtended: extended, Mode: mode, Marks: p.o.marks, Strict: p.o.strictTools, Held: p.o.holdsAll() || set.Has(transform.ToolCalls, transform.Responses), Transforms: set}, model: m, why: callwright.AttemptFirst, place: place}
		switch {
		case n > 0:
			g.why = callwright.AttemptOtherMode
		case place > 0:
			g.why = callwright.AttemptFallback
		}
		out = append(out, g)
	}
	return out
}

// learned is what was learned of a model. A shelf that fails costs knowledge, not the answer.
func (p planner) learned(id callwright.ModelID) []caps.Fact {
	facts, _ := p.o.shelf.Facts(p.ctx, string(id))
	return facts
}

// known is what is known of a model: what it says of itself, under what was learned, under what was configured, under what was set over that. extended
// reports whether anything was added to what the model says.
func (p planner) known(m callwright.Model, learned []caps.Fact) (c caps.Caps, extended bool) {
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
		c, extended = c.Laid(others), true
	}
	if len(p.o.facts) > 0 {
		c, extended = c.Laid(p.o.facts), true
	}
	return c, extended
}

// modes is the order in which the modes of a model are tried. Without tools it is native alone.
func (p planner) modes(c caps.Caps) []caps.Mode {
	if p.tools == 0 || p.o.changesNothing() {
		return []caps.Mode{caps.Native}
	}
	order := slices.Clone(p.o.modes)
	if len(order) == 0 {
		order = p.autoModes(c)
	}
	slices.SortStableFunc(order, func(a, b caps.Mode) int { return a.Lacking(c) - b.Lacking(c) }) // what is known not to work comes last
	if order[0].Lacking(c) == 1 {
		order = p.autoModes(c)
	}
	if p.o.oneMode {
		order = order[:1]
	}
	return order
}

// furtherModes are rungs of a model in the modes that the plan comes to by the lessons of refusals, and that were not tried: where each
// configured mode was refused. There are none where the mode may not change.
func (p planner) furtherModes(g *rung, tried []triedMode, lessons []learning.Lesson) []rung {
	if p.o.oneMode {
		return nil
	}
	heeding := *g
	learning.Heed(&heeding.Receiver, lessons)
	var out []rung
	for _, mode := range p.modes(heeding.Caps) {
		if !slices.Contains(tried, triedMode{g.place, mode}) {
			next := heeding
			next.Mode, next.Dialect, next.why = mode, "", callwright.AttemptOtherMode
			out = append(out, next)
		}
	}
	return out
}

// autoModes is the order of modes where none is configured. Text comes first where the server does not read the model's native calls: the model makes them.
func (p planner) autoModes(c caps.Caps) []caps.Mode {
	order := make([]caps.Mode, 0, 4)
	switch {
	case c.Tools == caps.No:
	case c.ParsesCalls == caps.No:
		order = append(order, caps.Text)
	default:
		order = append(order, caps.Native)
	}
	if p.req.Params.Format == nil { // else the schema of the answer is the client's
		if c.JSONSchema == caps.Yes {
			order = append(order, caps.JSONSchema)
		}
		if c.JSONObject == caps.Yes {
			order = append(order, caps.JSONObject)
		}
	}
	if !slices.Contains(order, caps.Text) {
		order = append(order, caps.Text)
	}
	return order
}
