package fitness

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/modestat"
)

// A Prefer is the criterion that orders the members of a group that can answer a request.
type Prefer string

// The values of Prefer.
const (
	Health  Prefer = "health"  // highest success rate of attempts
	Cost    Prefer = "cost"    // lowest cost of the request
	Latency Prefer = "latency" // lowest mean time of a response
	Order   Prefer = "order"   // order of the configuration
)

// Preferences returns all criteria.
func Preferences() []string {
	return []string{string(Health), string(Cost), string(Latency), string(Order)}
}

// Requirements are the requirements of a request.
type Requirements struct {
	// Tokens returns the estimated number of input tokens for a model.
	Tokens func(m callwright.ModelID) int
	Output int // maximum of output tokens in the request; 0 if not set
	Tools  int // number of declared tools
	Images bool
}

// A Member is a model of the group, with its known facts.
type Member struct {
	ID    callwright.ModelID
	Caps  caps.Caps
	Modes []caps.Mode // configured modes; empty if all may be tried
	// Unusable is the reason why no request can be sent to the model, such as a missing API key, or "".
	Unusable string
	// Away is the reason why the model is skipped at present, or "". Left is the remaining time.
	Away string
	Left time.Duration
	// Record contains the attempts with the model in the last three hours. Before contains the earlier attempts, and those
	// of other gateways. Before is used only if Record has fewer than five attempts (leastAttempts).
	Record Record
	Before modestat.Table
	// USD returns the cost in US dollars of a request with that many tokens. known is false if the price is unknown.
	USD func(input, output int) (usd float64, known bool)
}

// A Choice is the order in which members are tried, as indexes in the group, and a description of the reasons.
type Choice struct {
	Order []int
	Why   string
}

// An exclusion is the reason why a member is excluded: for this request, or at present. Both are "" for a usable
// member.
type exclusion struct{ request, now string }

// Choose orders the members that can answer a request, see the package documentation. There must be at least one
// member.
func Choose(ask *Requirements, members []Member, by Prefer) Choice {
	out := make([]exclusion, len(members))
	var fit, later, all []int
	for i := range members {
		m := &members[i]
		out[i] = exclusion{m.whyUnfit(ask), m.away()}
		all = append(all, i)
		switch {
		case out[i].request != "":
		case out[i].now != "":
			later = append(later, i)
		default:
			fit = append(fit, i)
		}
	}
	is, without := fit, ""
	if len(is) == 0 {
		is, without = later, "; no member is left, so excluded members are tried"
	}
	if len(is) == 0 {
		is = all
	}
	is = order(ask, members, is, by)
	return Choice{is, reason(ask, members, is, by) + leftOut(members, out) + without}
}

// whyUnfit returns the reason why a member cannot answer the request, or "" if it can.
func (m *Member) whyUnfit(ask *Requirements) string {
	switch {
	case m.Unusable != "":
		return m.Unusable
	case ask.Tools > 0 && m.lacksModes():
		return "it supports tools in none of the configured modes"
	case ask.Tools > 0 && m.Caps.MaxTools > 0 && ask.Tools > m.Caps.MaxTools && m.isNative():
		return fmt.Sprintf("it accepts %d of the %d tools", m.Caps.MaxTools, ask.Tools)
	case ask.Images && m.Caps.Images == caps.No:
		return "it accepts no images"
	}
	return m.tooLong(ask)
}

// tooLong returns the reason why the request exceeds the context of a member, or "" if it does not.
func (m *Member) tooLong(ask *Requirements) string {
	if m.Caps.MaxContext <= 0 {
		return ""
	}
	output := ask.Output
	if m.Caps.MaxOutput > 0 {
		output = min(output, m.Caps.MaxOutput)
	}
	n := ask.Tokens(m.ID)
	if n+output <= m.Caps.MaxContext {
		return ""
	}
	text := fmt.Sprintf("its context has %d tokens, the request about %d", m.Caps.MaxContext, n)
	if output > 0 {
		text += fmt.Sprintf(" and %d of output", output)
	}
	return text
}

// lacksModes reports whether modes are configured and the member is known to support none of them.
func (m *Member) lacksModes() bool {
	return len(m.Modes) > 0 && !slices.ContainsFunc(m.Modes, func(mode caps.Mode) bool { return mode.Lacking(m.Caps) == 0 })
}

// isNative reports whether the first mode declares tools natively, so that the API limits their number.
func (m *Member) isNative() bool {
	if len(m.Modes) > 0 {
		return m.Modes[0] == caps.Native
	}
	return caps.Native.Lacking(m.Caps) == 0
}

// away returns the reason why a member is skipped at present with the remaining seconds, or "".
func (m *Member) away() string {
	if m.Away == "" || m.Left <= 0 {
		return m.Away
	}
	return fmt.Sprintf("%s, %d s left", m.Away, int64((m.Left+time.Second-1)/time.Second))
}

// order returns a sorted copy of is, a list of indexes of members: the order in which the members are tried.
func order(ask *Requirements, members []Member, is []int, by Prefer) []int {
	is = slices.Clone(is)
	switch by {
	case Cost:
		slices.SortStableFunc(is, func(a, b int) int {
			x, knowsX := members[a].usd(ask)
			y, knowsY := members[b].usd(ask)
			if knowsX != knowsY {
				return cmp.Compare(rank(knowsX), rank(knowsY))
			}
			return cmp.Compare(x, y)
		})
	case Latency:
		return byLatency(members, is)
	case Health:
		return byHealth(members, is)
	}
	return is
}

// rank returns 0 for a known value and 1 for an unknown one, so that known values come first.
func rank(known bool) int {
	if known {
		return 0
	}
	return 1
}

// usualOutput is the assumed number of output tokens of a request, unless the client sets a lower limit.
const usualOutput = 1024

// usd returns the cost of the request with the member. known is false if it is unknown.
func (m *Member) usd(ask *Requirements) (usd float64, known bool) {
	if m.USD == nil {
		return 0, false
	}
	output := usualOutput
	if ask.Output > 0 {
		output = min(output, ask.Output)
	}
	return m.USD(ask.Tokens(m.ID), output)
}

// faster is the ratio of latencies below which a member precedes another. Smaller differences are ignored, so that a
// conversation keeps the prompt cache of its model.
const faster = 0.8

// byLatency orders members by their latency. Members without a response come first, so that their latency is measured.
func byLatency(members []Member, is []int) []int {
	left, out := slices.Clone(is), make([]int, 0, len(is))
	for len(left) > 0 {
		best := 0
		for i := range left {
			at, to := members[left[i]].Record.Latency(), members[left[best]].Record.Latency()
			if float64(at) < faster*float64(to) {
				best = i
			}
		}
		out = append(out, left[best])
		left = slices.Delete(left, best, best+1)
	}
	return out
}

// leastAttempts is the minimum number of attempts in Member.Record with which Member.Before is ignored.
const leastAttempts = 5

// row returns the numbers of successful and failed attempts of a member. earlier reports whether they include the
// attempts in Before.
func (m *Member) row() (r modestat.Row, earlier bool) {
	r = modestat.Row{Mode: string(m.ID), Clean: float64(m.Record.Right), Failed: float64(m.Record.Wrong)}
	if m.Record.Attempts() >= leastAttempts || len(m.Before.Rows) == 0 {
		return r, false
	}
	for i := range m.Before.Rows {
		b := &m.Before.Rows[i]
		r.Clean, r.Helped, r.Failed = r.Clean+b.Clean, r.Helped+b.Helped, r.Failed+b.Failed
	}
	return r, true
}

// byHealth orders members by their success rate. Members keep the configured order unless one is clearly better.
func byHealth(members []Member, is []int) []int {
	var t modestat.Table
	var names []string
	places := map[string]int{}
	for _, i := range is {
		row, _ := members[i].row()
		t.Rows = append(t.Rows, row)
		names, places[row.Mode] = append(names, row.Mode), i
	}
	out := make([]int, 0, len(is))
	for _, name := range t.Order(names) {
		out = append(out, places[name])
	}
	return out
}

// reason describes the values by which the members were ordered.
func reason(ask *Requirements, members []Member, is []int, by Prefer) string {
	if by == Order {
		return "order: the first member of the group that can answer"
	}
	var values []string
	for _, i := range is {
		values = append(values, string(members[i].ID)+" "+members[i].value(ask, by))
	}
	return string(by) + ": " + strings.Join(values, ", ")
}

// value describes the value of a member by which it was ordered.
func (m *Member) value(ask *Requirements, by Prefer) string {
	switch by {
	case Cost:
		if usd, known := m.usd(ask); known {
			return fmt.Sprintf("%.6f USD", usd)
		}
		return "unknown price"
	case Latency:
		if l := m.Record.Latency(); l > 0 {
			return fmt.Sprintf("%.2f s", l.Seconds())
		}
		return "not measured"
	}
	row, earlier := m.row()
	if row.Answers() == 0 {
		return "not measured"
	}
	since := "3 h"
	if earlier {
		since = "days"
	}
	return fmt.Sprintf("%.0f %% of %.0f answers correct in the last %s", 100*row.Success(), row.Answers(), since)
}

// leftOut lists the excluded members with the reasons.
func leftOut(members []Member, out []exclusion) string {
	var texts []string
	for i, h := range out {
		if why := cmp.Or(h.request, h.now); why != "" {
			texts = append(texts, string(members[i].ID)+" ("+why+")")
		}
	}
	if len(texts) == 0 {
		return ""
	}
	return "; left out: " + strings.Join(texts, ", ")
}
