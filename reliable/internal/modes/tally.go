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

// An Answer is the first answer of a request in a mode, or the error in its place.
type Answer struct {
	Mode  caps.Mode
	Out   *inbound.Outcome
	Rule  string // by which the model has to be asked again, "" where the answer stands
	Notes []callwright.Note
	Err   error
	Took  time.Duration
}

// row is the answer as a count. ok is false for one that says nothing of its mode.
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
			return r, false // the client's own limit
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

// The bounds of writing: WriteEvery lies between two writes of a tally, and firstWrite answers have to wait for the
// first one.
const (
	WriteEvery = 30 * time.Second
	firstWrite = 4
)

// A Tally counts the answers of one model until they are written. The zero Tally is ready for use by many goroutines.
type Tally struct {
	mu      sync.Mutex
	pending modestat.Table
	answers int
	wrote   time.Time
}

// Count counts an answer, and reports whether the counts are to be written now by the caller, who calls Write.
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

// Write takes the waiting counts, and returns the fact that has them beside those of facts, which are all known facts
// of the model. p is the plan by which the model was asked. ok is false where the fact would be nearly the known one;
// the counts then keep waiting.
func (t *Tally) Write(facts []caps.Fact, p *Plan, now time.Time) (f caps.Fact, ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	known := Latest(facts)
	was, _ := modestat.Parse(known.Value)
	if known.Key == "" && p.Caps.Sources[modestat.Fact] == caps.Shipped {
		was = p.table() // the first counts of traffic follow those of the table
	}
	is := modestat.Table{Rows: slices.Clone(was.Rows), Lead: was.Lead, Before: was.Before, Since: was.Since}
	is.Age(now)
	for _, r := range t.pending.Rows {
		is.Add(r)
	}
	free := Plan{Caps: p.Caps} // whatever this request is bound to
	free.lead(&was, &is, now)
	if known.Source == caps.Learned && same(&was, &is) {
		return f, false
	}
	t.pending = modestat.Table{}
	return caps.Fact{Key: modestat.Fact, Value: is.String(), Source: caps.Learned, Seen: now, Expires: now.Add(modestat.MaxAge),
		Evidence: "answers counted by mode"}, true
}

// lead sets the leading mode of a table that follows another one.
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

// Latest is the fact on the success of modes that was found last, by traffic or by a probe; the zero Fact where there
// is none.
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
