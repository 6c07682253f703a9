package remedy

import (
	"slices"
	"sync"
	"time"

	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/modestat"
	"github.com/callwright/callwright/internal/remedystat"
)

// writeEvery is the minimum time between two writes of a tally.
const writeEvery = 30 * time.Second

// A Tally counts the corrections of one model until the counts are stored as a fact. The zero Tally is ready for use.
// It is safe for concurrent use.
type Tally struct {
	mu      sync.Mutex
	pending remedystat.Table
	wrote   time.Time
}

// Count counts a correction for each of its new remedies. helped reports whether the corrected response was valid.
func (t *Tally) Count(f Failure, made []Applied, helped bool, now time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, a := range made {
		if !a.Fresh {
			continue
		}
		row := remedystat.Row{Failure: string(f), Remedy: a.Name, Failed: 1, Day: modestat.Day(now)}
		if helped {
			row.Helped, row.Failed = 1, 0
		}
		t.pending.Add(row)
	}
}

// CurrentTable returns the counts of the model: the stored counts in value, plus the counts that are not stored yet. A
// value that cannot be parsed counts as empty.
func (t *Tally) CurrentTable(value string, now time.Time) remedystat.Table {
	known, _ := remedystat.Parse(value)
	t.mu.Lock()
	defer t.mu.Unlock()
	known.Merge(&t.pending)
	known.Age(now)
	return known
}

// Write returns the fact to store: the stored counts, from facts, plus the counts that are not stored yet. It then
// resets the latter. facts must have all facts of the model. ok is false if there are no new counts, or if the last
// write was less than 30 seconds ago.
func (t *Tally) Write(facts []caps.Fact, now time.Time) (f caps.Fact, ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.pending.Rows) == 0 || now.Sub(t.wrote) < writeEvery {
		return f, false
	}
	var known remedystat.Table
	if i := slices.IndexFunc(facts, func(f caps.Fact) bool { return f.Key == remedystat.Fact && f.Source == caps.Learned }); i >= 0 {
		known, _ = remedystat.Parse(facts[i].Value)
	}
	known.Merge(&t.pending)
	known.Age(now)
	t.pending, t.wrote = remedystat.Table{}, now
	return caps.Fact{Key: remedystat.Fact, Value: known.String(), Source: caps.Learned, Seen: now, Expires: now.Add(remedystat.MaxAge),
		Evidence: "corrections counted by remedy"}, true
}
