package reliable

import (
	"slices"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/dialect"
	"github.com/callwright/callwright/reliable/internal/inbound"
	"github.com/callwright/callwright/reliable/internal/outbound"
)

// Why an attempt is made, as its report says it.
const (
	whyFirst      = "first"
	whyFallback   = "fallback"
	whyOtherMode  = "other mode"
	whyCorrection = "correction"
	whyPause      = "after a pause"
)

// plan is the ladder of a request: the modes of the model, then those of its fallbacks.
func (r *run) plan() []rung {
	models := append([]callwright.Model{r.c.model}, r.o.fallbacks...)
	var out []rung
	for i, m := range models {
		id := idOf(m)
		if id == "" && i == 0 {
			id = r.req.Model
		}
		c, more := r.known(m, id)
		for n, mode := range r.modes(c) {
			g := rung{Receiver: outbound.Receiver{ID: id, Caps: c, More: more, Mode: mode}, model: m, why: whyFirst}
			switch {
			case i > 0 && n == 0:
				g.why = whyFallback
			case n > 0:
				g.why = whyOtherMode
			}
			if mode == caps.Text || mode == caps.Parsed {
				g.Dialect = r.dialectOf(id, c)
			}
			out = append(out, g)
		}
	}
	return out
}

// known is what is known of a model: what it says of itself, what was learned, what was configured. It is more where the model
// did not say all of it.
func (r *run) known(m callwright.Model, id callwright.ModelID) (c caps.Caps, more bool) {
	if d, ok := m.(callwright.Describer); ok {
		c = d.Caps(r.ctx)
	}
	if learned, err := r.o.shelf.Facts(r.ctx, string(id)); err == nil {
		for _, f := range learned {
			if c.Sources[f.Key] == caps.Configured {
				continue
			}
			if with, err := c.With(f); err == nil {
				c, more = with, true
			}
		}
	}
	for _, f := range r.o.facts {
		if with, err := c.With(f); err == nil {
			c, more = with, true
		}
	}
	return c, more
}

// modes is the order in which modes are tried. Without tools there is nothing to convey: native.
func (r *run) modes(c caps.Caps) []caps.Mode {
	if len(r.s.ByName) == 0 || r.o.policy == callwright.PolicyOff || r.o.policy == callwright.PolicyObserve {
		return []caps.Mode{caps.Native}
	}
	order := slices.Clone(r.o.modes)
	if len(order) == 0 {
		order = r.autoModes(c)
	}
	if c.Tools == caps.No { // what is known never to work is tried last
		order = slices.DeleteFunc(order, func(m caps.Mode) bool { return m == caps.Native })
		if len(order) == 0 {
			order = r.autoModes(c)
		}
	}
	if r.o.oneMode {
		order = order[:1]
	}
	return order
}

func (r *run) autoModes(c caps.Caps) []caps.Mode {
	var order []caps.Mode
	if c.Tools != caps.No && (c.MaxTools == 0 || len(r.s.ByName) <= c.MaxTools) {
		order = append(order, caps.Native)
	}
	if r.req.Params.Format == nil { // the answer's schema is the client's
		if c.JSONSchema == caps.Yes {
			order = append(order, caps.JSONSchema)
		}
		if c.JSONObject == caps.Yes {
			order = append(order, caps.JSONObject)
		}
	}
	return append(order, caps.Text)
}

// dialectOf is the dialect asked for in text mode: configured, else the family's, else hermes.
func (r *run) dialectOf(id callwright.ModelID, c caps.Caps) string {
	_, name := id.Split()
	for _, d := range []string{r.o.dialect, c.Dialect, dialect.ForModel(name)} {
		if f, ok := dialect.Lookup(d); ok && f.Renders() {
			return d
		}
	}
	return "hermes"
}

// teach puts a fact on the shelf. A shelf that fails costs knowledge, not the answer.
func (r *run) teach(id callwright.ModelID, key, value, evidence string) {
	if id == "" {
		return
	}
	_ = r.o.shelf.Learn(r.ctx, string(id), caps.Fact{
		Key: key, Value: value, Source: caps.Learned, Expires: r.o.now().Add(caps.LearnedTTL), Evidence: evidence,
	})
}

// learn keeps what an attempt taught: typed evidence only.
func (r *run) learn(g rung, a *inbound.Answer) {
	if g.Mode != caps.Native || r.o.policy == callwright.PolicyOff {
		return
	}
	if a.Changed && g.Caps.NeedsHelp != caps.Yes {
		r.teach(g.ID, "needs_help", "yes", "a native call had to be changed")
	}
	if a.FromText > 0 && g.Caps.TextCalls != caps.Yes {
		r.teach(g.ID, "text_calls", "yes", "calls came as text although tools were sent")
	}
}

// adapt answers a refusal that names a feature: what was learned is laid over the rung, and the attempt is worth repeating
// where that changes the request. It names what will be left out.
func (r *run) adapt(g *rung, e *callwright.Error) (string, bool) {
	if e.Kind != callwright.KindUnsupported || e.Feature == "" || r.o.policy == callwright.PolicyOff || r.o.policy == callwright.PolicyObserve {
		return "", false
	}
	fact, ok := e.Feature.Fact(g.Caps)
	if !ok {
		return "", false
	}
	with, err := g.Caps.With(fact)
	if err != nil {
		return "", false
	}
	key, value := fact.Key, fact.Value
	r.teach(g.ID, key, value, "the provider refused "+string(e.Feature))
	g.Caps, g.More = with, true
	r.report.Notes = append(r.report.Notes, callwright.Note{Rule: "plan.learned", Stage: callwright.StagePlan, Now: key + "=" + value, Why: e.Message})
	modeGone := (key == "tools" || key == "max_tools") && g.Mode == caps.Native || key == "json_schema" && g.Mode == caps.JSONSchema || key == "json_object" && g.Mode == caps.JSONObject
	return string(e.Feature), !modeGone
}
