package modes

import (
	"slices"
	"sync"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/modestat"
	"github.com/callwright/callwright/internal/notes"
	"github.com/callwright/callwright/reliable/internal/correction"
	"github.com/callwright/callwright/reliable/internal/inbound"
)

// An Answer is the first response or error of a request in a mode.
type Answer struct {
	Mode  caps.Mode
	Out   *inbound.Outcome
	Rule  string // rule of the necessary self-correction, "" if the response was accepted
	Notes []callwright.Note
	Err   error
	Took  time.Duration
}

// row returns the response as a statistics row. ok is false if it does not count.
func (a *Answer) row() (r modestat.Row, ok bool) {
	switch out := a.Out; {
	case a.Err != nil:
		kind := callwright.KindOf(a.Err)
		if kind != callwright.KindRefusedCall && kind != callwright.KindInvalidCall {
			return r, false
		}
		r.Failed = 1
	case a.Rule == correction.RuleInvalid, a.Rule == correction.RuleEmpty:
		if out.CutAtLength && len(out.Good) == 0 {
			return r, false // truncated by the client's token limit
		}
		r.Failed = 1
	case a.Rule != "" || len(out.Good) == 0:
		return r, false
	case slices.ContainsFunc(a.Notes, notes.IsHelp):
		r.Helped = 1
	default:
		r.Clean = 1
	}
	r.Mode, r.Millis = string(a.Mode), float64(a.Took.Milliseconds())
	if a.Out != nil && a.Out.Usage.Known {
		r.Tokens = float64(a.Out.Usage.Input + a.Out.Usage.Output)
	}
	return r, true
}

// WriteEvery is the minimum time between two writes. firstWrite is the number of responses before the first write.
const (
	WriteEvery = 30 * time.Second
	firstWrite = 4
)

// A Tally collects the statistics of one model until they are stored. The zero Tally is ready for use and safe for
// concurrent use.
type Tally struct {
	mu      sync.Mutex
	pending modestat.Table
	answers int
	wrote   time.Time
}

// Count counts a response. It reports whether the caller must call Write now.
func (t *Tally) Count(a *Answer, now time.Time) (write bool) {
	row, ok := a.row()
	if !ok {
		return false
	}
	row.Day = modestat.Day(now)
	t.mu.Lock()
	defer t.mu.Unlock()
	t.pending.Add(row)
	t.answers++
	if t.answers < firstWrite && t.wrote.IsZero() || now.Sub(t.wrote) < WriteEvery {
		return false
	}
	t.wrote, t.answers = now, 0
	return true
}

// Write returns the fact with the pending counts added to the known counts in facts, which has all facts about the
// model. p is the plan of the model's modes. ok is false if the fact hardly differs from the known one; the counts
// then stay pending.
func (t *Tally) Write(facts []caps.Fact, p *Plan, now time.Time) (f caps.Fact, ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	known := Latest(facts)
	was, _ := modestat.Parse(known.Value)
	if known.Key == "" && p.Caps.Sources[modestat.Fact] == caps.Shipped {
		was = p.table() // counts are added to the shipped statistics
	}
	is := modestat.Table{Rows: slices.Clone(was.Rows), Lead: was.Lead, Before: was.Before, Since: was.Since}
	is.Age(now)
	for _, r := range t.pending.Rows {
		is.Add(r)
	}
	free := Plan{Caps: p.Caps} // independent of the settings of this request
	free.lead(&was, &is, now)
	if known.Source == caps.Learned && same(&was, &is) {
		return f, false
	}
	t.pending = modestat.Table{}
	return caps.Fact{Key: modestat.Fact, Value: is.String(), Source: caps.Learned, Seen: now, Expires: now.Add(modestat.MaxAge),
		Evidence: "answers counted by mode"}, true
}

// lead updates the first mode in the newest table, is. was is the table before the newest responses. If the first mode
// changes, is.Before gets the previous one and is.Since gets now.
func (p *Plan) lead(was, is *modestat.Table, now time.Time) {
	base := p.auto()
	led := base[0]
	if len(was.Rows) > 0 {
		led = orderOf(was, base)[0]
	}
	if is.Lead == was.Lead {
		is.Lead = string(led)
	}
	if lead := orderOf(is, base)[0]; lead != led {
		is.Before, is.Since, is.Lead = string(led), now, string(lead)
	}
	if is.Lead == string(base[0]) {
		is.Lead = ""
	}
}

// same reports whether two tables are nearly equal.
func same(was, is *modestat.Table) bool {
	if was.Lead != is.Lead || !was.Since.Equal(is.Since) || len(was.Rows) != len(is.Rows) {
		return false
	}
	for i := range is.Rows {
		now, then := &is.Rows[i], was.Row(is.Rows[i].Mode)
		if now.Day != then.Day || now.Answers() > 1.1*then.Answers() || max(now.Success()-then.Success(), then.Success()-now.Success()) >= 0.01 {
			return false
		}
	}
	return true
}

// Latest returns the latest learned or probed fact with mode statistics, or the zero Fact.
func Latest(facts []caps.Fact) (latest caps.Fact) {
	for _, f := range facts {
		if isCount(f) && (latest.Key == "" || !f.Seen.Before(latest.Seen)) {
			latest = f
		}
	}
	return latest
}

func isCount(f caps.Fact) bool {
	return f.Key == modestat.Fact && (f.Source == caps.Learned || f.Source == caps.Probed)
}
