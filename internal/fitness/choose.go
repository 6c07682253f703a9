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

// A Prefer is the criterion for the order of the members that can answer.
type Prefer string

// The criteria.
const (
	Health  Prefer = "health"  // the success rate of their attempts
	Cost    Prefer = "cost"    // the cost of the request
	Latency Prefer = "latency" // the mean time of their answers
	Order   Prefer = "order"   // the configuration
)

// Preferences returns the names of the criteria.
func Preferences() []string {
	return []string{string(Health), string(Cost), string(Latency), string(Order)}
}

// An Ask holds the requirements of a request.
type Ask struct {
	// Tokens returns about how many tokens its input has for a model.
	Tokens func(m callwright.ModelID) int
	Output int // tokens that the client lets the answer have, 0 where it does not say
	Tools  int // declared tools
	Images bool
}

// A Member is a model of the group, with its known facts.
type Member struct {
	ID    callwright.ModelID
	Caps  caps.Caps
	Modes []caps.Mode // that are configured; none where all may be tried
	// Unusable is the reason why no request can be sent to the model, such as a key that is not set; "" for none.
	Unusable string
	// Away is the reason why the model is skipped now, "" for none. Left is the remaining time.
	Away string
	Left time.Duration
	// Record has the attempts with the model in the last hours. Before has the attempts of other gateways and of earlier
	// hours, which count where the Record is short.
	Record Record
	Before modestat.Table
	// USD returns the cost of a request of so many tokens in US dollars; known is false where the price is not known.
	USD func(input, output int) (usd float64, known bool)
}

// A Choice is the members in the order in which they are tried, by their places in the group, and why.
type Choice struct {
	Order []int
	Why   string
}

// why a member is left out: for this request, or for now.
type hindrance struct{ request, now string }

// Choose chooses among at least one member.
func Choose(ask *Ask, members []Member, by Prefer) Choice {
	out := make([]hindrance, len(members))
	var fit, later, all []int
	for i := range members {
		m := &members[i]
		out[i] = hindrance{m.whyUnfit(ask), m.away()}
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
		is, without = later, "; none is left, so that they are asked all the same"
	}
	if len(is) == 0 {
		is = all
	}
	is = order(ask, members, is, by)
	return Choice{is, reason(ask, members, is, by) + leftOut(members, out) + without}
}

// whyUnfit returns why a member cannot answer a request, "" where it can.
func (m *Member) whyUnfit(ask *Ask) string {
	switch {
	case m.Unusable != "":
		return m.Unusable
	case ask.Tools > 0 && m.lacksModes():
		return "it takes tools in none of the configured modes"
	case ask.Tools > 0 && m.Caps.MaxTools > 0 && ask.Tools > m.Caps.MaxTools && m.isNative():
		return fmt.Sprintf("it takes %d tools of the %d", m.Caps.MaxTools, ask.Tools)
	case ask.Images && m.Caps.Images == caps.No:
		return "it takes no images"
	}
	return m.tooLong(ask)
}

// tooLong returns why a request does not fit into the context of a member, "" where it does.
func (m *Member) tooLong(ask *Ask) string {
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

// lacksModes reports whether modes are configured, and the member is known to have none of them.
func (m *Member) lacksModes() bool {
	return len(m.Modes) > 0 && !slices.ContainsFunc(m.Modes, func(mode caps.Mode) bool { return mode.Lacking(m.Caps) == 0 })
}

// isNative reports whether tools are conveyed natively at first, where their number is limited.
func (m *Member) isNative() bool {
	if len(m.Modes) > 0 {
		return m.Modes[0] == caps.Native
	}
	return caps.Native.Lacking(m.Caps) == 0
}

// away returns the reason why a member is skipped now, "" for none.
func (m *Member) away() string {
	if m.Away == "" || m.Left <= 0 {
		return m.Away
	}
	return fmt.Sprintf("%s, %d s left", m.Away, int64((m.Left+time.Second-1)/time.Second))
}

// order puts members into the order in which they are tried.
func order(ask *Ask, members []Member, is []int, by Prefer) []int {
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

// rank puts known values first.
func rank(known bool) int {
	if known {
		return 0
	}
	return 1
}

// usualOutput is the assumed number of output tokens of a request where the client sets no limit or a higher one.
const usualOutput = 1024

// usd returns the cost of the request at a member.
func (m *Member) usd(ask *Ask) (usd float64, known bool) {
	if m.USD == nil {
		return 0, false
	}
	output := usualOutput
	if ask.Output > 0 {
		output = min(output, ask.Output)
	}
	return m.USD(ask.Tokens(m.ID), output)
}

// faster is the ratio of latencies below which a member goes ahead of another. A smaller difference does not count, so
// that the conversation keeps the prompt cache of its model.
const faster = 0.8

// byLatency orders members by their latency. Those without an answer come first, so that it is measured.
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

// leastAttempts are the attempts of a Record that count without those before.
const leastAttempts = 5

// row returns how often the attempts of a member came right.
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

// byHealth orders members by their success. The order of the configuration stays where no member is clearly better than
// one before it.
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

// reason says by which values the first of the members leads.
func reason(ask *Ask, members []Member, is []int, by Prefer) string {
	if by == Order {
		return "order: the first of the group that fits"
	}
	var values []string
	for _, i := range is {
		values = append(values, string(members[i].ID)+" "+members[i].value(ask, by))
	}
	return string(by) + ": " + strings.Join(values, ", ")
}

// value says for people the value of a member that decides about its place.
func (m *Member) value(ask *Ask, by Prefer) string {
	switch by {
	case Cost:
		if usd, known := m.usd(ask); known {
			return fmt.Sprintf("%.6f USD", usd)
		}
		return "of unknown price"
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
	return fmt.Sprintf("right in %.0f %% of %.0f answers of the last %s", 100*row.Success(), row.Answers(), since)
}

// leftOut says who is left out and why.
func leftOut(members []Member, out []hindrance) string {
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
