// Package modes orders the modes in which a model is asked, and counts how its calls come right in each of them. The
// package modestat has the rule of the order; these are the rules of the counts:
//
//   - An answer counts for its mode where it has calls, or should have: once for each request and mode, by the first answer that came. An answer of text
//     alone counts for nothing, nor does one that the provider failed to give, or that was cut at the client's own limit.
//   - It failed where the model had to be asked again for its calls, or the provider could not read them. It needed help where a note about it names a class
//     of failure.
//   - Counts wait in memory and are written with the next answer when some have come together, at most once in WriteEvery for each client and model.
package modes

import (
	"slices"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/mint"
	"github.com/callwright/callwright/internal/modestat"
)

// A Plan holds the inputs for the order of a model's modes.
type Plan struct {
	Caps       caps.Caps
	Configured []caps.Mode // in their order; none leaves it to the other fields
	OneMode    bool        // only the first is tried
	Format     bool        // the client wants the answer in a form, so that it is no document of ours
}

// Order is the order in which the modes of a model are tried. Configured modes come in their order; where none are, or
// the model lacks the first of them, capabilities and measurements decide. Modes that the model is known to lack come
// last.
func (p *Plan) Order() []caps.Mode { return p.order(caps.Mode("")) }

// OrderFrom is Order with a mode first, where it is one that the model may be asked in and no configuration decides.
func (p *Plan) OrderFrom(first caps.Mode) []caps.Mode { return p.order(first) }

func (p *Plan) order(first caps.Mode) []caps.Mode {
	order := slices.Clone(p.Configured)
	if len(order) == 0 {
		order = p.orderBySuccess(first)
	}
	// what is known not to work comes last
	slices.SortStableFunc(order, func(a, b caps.Mode) int { return a.Lacking(p.Caps) - b.Lacking(p.Caps) })
	if order[0].Lacking(p.Caps) == 1 {
		order = p.orderBySuccess(first)
	}
	if p.OneMode {
		order = order[:1]
	}
	return order
}

// orderBySuccess is the order of modes by their success.
func (p *Plan) orderBySuccess(first caps.Mode) []caps.Mode {
	order := p.auto()
	if t := p.table(); len(t.Rows) > 0 {
		order = orderOf(&t, order)
	}
	if i := slices.Index(order, first); i > 0 {
		order = slices.Insert(slices.Delete(order, i, i+1), 0, first)
	}
	return order
}

// table returns the measurements; none where the fact cannot be read.
func (p *Plan) table() modestat.Table {
	t, _ := modestat.Parse(p.Caps.Counted.ModeSuccess)
	return t
}

func orderOf(t *modestat.Table, order []caps.Mode) []caps.Mode {
	names := make([]string, len(order))
	for i, m := range order {
		names[i] = string(m)
	}
	out := make([]caps.Mode, len(order))
	for i, name := range t.Order(names) {
		out[i] = caps.Mode(name)
	}
	return out
}

// auto is the order of modes by capabilities alone. Text comes first where the server does not read the model's native
// calls: the model makes them.
func (p *Plan) auto() []caps.Mode {
	c, order := &p.Caps, make([]caps.Mode, 0, 4)
	switch {
	case c.Tools == caps.No:
	case c.ParsesCalls == caps.No:
		order = append(order, caps.Text)
	default:
		order = append(order, caps.Native)
	}
	if !p.Format { // else the schema of the answer is the client's
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

// Reason says why the first mode of an order leads, where it does so by measurements or by the conversation; else it is
// "".
func (p *Plan) Reason(order []caps.Mode) string {
	if len(p.Configured) > 0 {
		return ""
	}
	base, t := p.auto(), p.table()
	measured := base
	if len(t.Rows) > 0 {
		measured = orderOf(&t, base)
	}
	names := []string{string(order[0])}
	for _, m := range base {
		if m != order[0] {
			names = append(names, string(m))
		}
	}
	switch {
	case order[0] != measured[0]:
		return "the conversation began in " + string(order[0]) + " (" + t.Comparison(names) + ")"
	case order[0] != base[0]:
		return t.Comparison(names)
	}
	return ""
}

// Success says how often calls came right in a mode, "" where that is not known.
func (p *Plan) Success(m caps.Mode) string {
	t := p.table()
	row := t.Row(string(m))
	if row.Answers() == 0 {
		return ""
	}
	return row.String()
}

// KeptFor is how long after a change of the leading mode the conversations that began before it keep theirs. A
// provider's prompt cache of a conversation is of use only in the mode in which it was sent.
const KeptFor = 24 * time.Hour

// ChangeTime is when the leading mode changed, zero where that is not known or a configuration decides.
func (p *Plan) ChangeTime() time.Time {
	if len(p.Configured) > 0 {
		return time.Time{}
	}
	t := p.table()
	return t.Since
}

// BeganIn is the mode in which a conversation began, "" where that is not known: by the id of its first call. Ids that
// callwright made tell the time, and one of the provider's comes of a native call. minted says that ids of callwright's
// own have the form of package mint.
func (p *Plan) BeganIn(req *callwright.Request, minted bool) caps.Mode {
	t := p.table()
	id := firstCall(req)
	if id == "" {
		return ""
	}
	at, own := mint.TimeOf(id)
	switch {
	case own && at.Before(t.Since) && t.Before != "":
		return caps.Mode(t.Before)
	case own && at.Before(t.Since):
		return p.auto()[0]
	case !own && minted:
		return caps.Native
	}
	return ""
}

// firstCall is the id of the first call of a conversation.
func firstCall(req *callwright.Request) string {
	for _, m := range req.Summaries() {
		if len(m.Calls) > 0 {
			return m.Calls[0].ID
		}
	}
	return ""
}
