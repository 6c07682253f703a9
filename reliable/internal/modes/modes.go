// Package modes determines the order of modes for a model and counts the success of calls in each mode. Package
// modestat has the rule for the order. The rules for the counts are:
//
//   - A response counts for its mode if it has calls or should have them: once for each request and mode, by the
//     first response. A response with only text does not count, neither does a failure of the provider or a response
//     truncated by the client's token limit.
//   - It counts as failed if a self-correction was necessary or the provider could not parse its calls. It counts as
//     repaired if a note has a failure class.
//   - Counts are collected in memory and stored with the next response, at most once in WriteEvery for each client
//     and model.
package modes

import (
	"slices"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/mint"
	"github.com/callwright/callwright/internal/modestat"
)

// A Plan has the inputs that determine the order of a model's modes.
type Plan struct {
	Caps       caps.Caps
	Configured []caps.Mode // configured modes in order; empty means that the other fields decide
	OneMode    bool        // only the first mode is tried
	Format     bool        // the request has a response format, which excludes document modes
}

// Order returns the modes of a model in the order in which they are tried. Configured modes come in their order. If
// none are configured, or the model supports none of them, capabilities and statistics decide. Configured modes that
// the model does not support come last.
func (p *Plan) Order() []caps.Mode { return p.order(caps.Mode("")) }

// OrderFrom returns the order with first in front, if first is a possible mode and no modes are configured.
func (p *Plan) OrderFrom(first caps.Mode) []caps.Mode { return p.order(first) }

func (p *Plan) order(first caps.Mode) []caps.Mode {
	order := slices.Clone(p.Configured)
	if len(order) == 0 {
		order = p.orderBySuccess(first)
	}
	// unsupported modes come last
	slices.SortStableFunc(order, func(a, b caps.Mode) int { return a.Lacking(p.Caps) - b.Lacking(p.Caps) })
	if order[0].Lacking(p.Caps) == 1 {
		order = p.orderBySuccess(first)
	}
	if p.OneMode {
		order = order[:1]
	}
	return order
}

// orderBySuccess returns the modes in the order of their success, with first in front.
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

// table returns the statistics, empty if the fact cannot be parsed.
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

// auto returns the modes in the order given by capabilities alone. Text comes first if the server does not parse the
// model's native calls.
func (p *Plan) auto() []caps.Mode {
	c, order := &p.Caps, make([]caps.Mode, 0, 4)
	switch {
	case c.Tools == caps.No:
	case c.ParsesCalls == caps.No:
		order = append(order, caps.Text)
	default:
		order = append(order, caps.Native)
	}
	if !p.Format { // otherwise the response schema is the client's
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

// Reason returns why the first mode of order is first, if statistics or the conversation determine this, otherwise "".
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

// Success returns the success rate of calls in a mode as text, "" if unknown.
func (p *Plan) Success(m caps.Mode) string {
	t := p.table()
	row := t.Row(string(m))
	if row.Answers() == 0 {
		return ""
	}
	return row.String()
}

// KeptFor is the time for which a conversation keeps its mode after another mode became the first choice for its model.
// The provider's prompt cache is useful only in the same mode.
const KeptFor = 24 * time.Hour

// ChangeTime returns the time when the first mode changed, zero if unknown or configured.
func (p *Plan) ChangeTime() time.Time {
	if len(p.Configured) > 0 {
		return time.Time{}
	}
	t := p.table()
	return t.Since
}

// BeganIn returns the mode in which a conversation began, "" if unknown. It is derived from the ID of the first call:
// IDs of package mint contain the time, and provider IDs are from native calls. minted reports that Callwright's IDs
// are from package mint.
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

// firstCall returns the ID of the first call of a conversation, "" if there is none.
func firstCall(req *callwright.Request) string {
	for _, m := range req.Summaries() {
		if len(m.Calls) > 0 {
			return m.Calls[0].ID
		}
	}
	return ""
}
