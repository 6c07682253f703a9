package figures

import (
	"cmp"
	"context"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/archive"
	"github.com/callwright/callwright/internal/outcome"
)

// MostReports is the maximum number of reports that are read. mostRows is the maximum number of rows of each table.
const (
	MostReports = 5000
	mostRows    = 12
)

// A Source lists reports like archive.Reports.
type Source interface {
	List(ctx context.Context, q archive.Query) ([]*archive.Report, error)
}

// A Cost returns the cost of tokens of a model in US dollars. known is false for a model without a price.
type Cost func(m callwright.ModelID, u callwright.Usage) (usd float64, known bool)

// Figures are the metrics of the reports of a time span.
type Figures struct {
	Since    time.Time
	Cut      bool // there were more reports than MostReports
	Requests int
	Outcomes
	Latency
	Tokens
	Corrections, Fallbacks int
	HealingTime            time.Duration // time of attempts that corrections requested
	Faults, Rules          []Count       // repaired requests by failure class, and by rule of the repair
	Uses                   []Use         // usage of each model, most requests first
	Slots                  []Slot
	MostInSlot             int
	SlotTime               time.Duration

	cost                    Cost
	durations               []time.Duration
	faultCounts, ruleCounts map[string]int
	users                   users
}

// Latency has percentiles of the durations of requests.
type Latency struct{ P50, P90, P99 time.Duration }

// Tokens are the used tokens and, if the price is known, their cost in US dollars.
type Tokens struct {
	Input, CacheRead, Output int
	USD                      float64
	Unpriced                 int // number of requests without a known price
}

// Fresh returns the number of input tokens that were not read from a cache.
func (t *Tokens) Fresh() int { return max(t.Input-t.CacheRead, 0) }

// A Count is the number of occurrences of a name.
type Count struct {
	Name string
	Doc  string
	N    int
}

// A Slot has the metrics of one section of the time span.
type Slot struct {
	Began time.Time
	Outcomes
	Latency
	Tokens

	durations []time.Duration
}

// Outcomes counts requests by outcome.
type Outcomes struct{ Passed, Translated, Healed, Failed int }

func (o *Outcomes) add(came outcome.Outcome) {
	switch came {
	case outcome.Passed:
		o.Passed++
	case outcome.Translated:
		o.Translated++
	case outcome.Healed:
		o.Healed++
	case outcome.Failed:
		o.Failed++
	}
}

// Total returns the number of all requests.
func (o *Outcomes) Total() int { return o.AnsweredCount() + o.Failed }

// AnsweredCount returns the number of answered requests.
func (o *Outcomes) AnsweredCount() int { return o.Passed + o.Translated + o.Healed }

// Make computes the metrics of the time span that ends now and has the length while. slots is the number of its
// sections. cost may be nil.
func Make(ctx context.Context, from Source, now time.Time, while time.Duration, slots int, cost Cost) (*Figures, error) {
	f := &Figures{
		Since: now.Add(-while), SlotTime: while / time.Duration(slots), Slots: make([]Slot, slots), cost: cost,
		faultCounts: map[string]int{}, ruleCounts: map[string]int{}, users: users{},
	}
	for i := range f.Slots {
		f.Slots[i].Began = f.Since.Add(time.Duration(i) * f.SlotTime)
	}
	q := archive.Query{AnyOwner: true, Since: f.Since, Limit: archive.MostListed}
	for read := 0; ; {
		list, err := from.List(ctx, q)
		if err != nil {
			return nil, err
		}
		for _, r := range list {
			f.add(r)
		}
		read += len(list)
		if len(list) < archive.MostListed {
			break
		}
		if read >= MostReports {
			f.Cut = true
			break
		}
		q.Before = list[len(list)-1].Time
	}
	f.finish()
	return f, nil
}

// add adds a report.
func (f *Figures) add(r *archive.Report) {
	f.Requests++
	f.durations = append(f.durations, r.Duration)
	bar := &f.Slots[min(max(int(r.Time.Sub(f.Since)/max(f.SlotTime, 1)), 0), len(f.Slots)-1)]
	bar.durations = append(bar.durations, r.Duration)
	usd, known := f.costOf(r)
	f.Tokens.add(r, usd, known)
	bar.Tokens.add(r, usd, known)
	came := r.Came()
	f.users.add(r, came, usd, known)
	f.Outcomes.add(came)
	bar.Outcomes.add(came)
	if r.Report == nil {
		return
	}
	for i := range r.Report.Attempts {
		a := &r.Report.Attempts[i]
		switch a.Why {
		case callwright.AttemptCorrection:
			f.Corrections++
			f.HealingTime += a.Duration
		case callwright.AttemptFallback:
			f.Fallbacks++
		}
	}
	if came == outcome.Healed {
		f.addHealing(r.Report.Notes)
	}
}

// addHealing counts a repaired request once for each failure class and each rule. It ignores changes that are not
// repairs, such as translations to another API.
func (f *Figures) addHealing(notes []callwright.Note) {
	for i := range notes {
		n := &notes[i]
		if !outcome.Heals(n) {
			continue
		}
		before := func(same func(*callwright.Note) bool) bool {
			return slices.ContainsFunc(notes[:i], func(b callwright.Note) bool { return outcome.Heals(&b) && same(&b) })
		}
		if !before(func(b *callwright.Note) bool { return b.Rule == n.Rule }) {
			f.ruleCounts[n.Rule]++
		}
		if !before(func(b *callwright.Note) bool { return b.Fault == n.Fault }) {
			f.faultCounts[n.Fault]++
		}
	}
}

// costOf returns the cost of a request by the price of the model of the last attempt. known is false without a price.
func (f *Figures) costOf(r *archive.Report) (usd float64, known bool) {
	if f.cost == nil || r.Report == nil {
		return 0, false
	}
	served := r.Report.Model
	if n := len(r.Report.Attempts); n > 0 {
		served = r.Report.Attempts[n-1].Model
	}
	return f.cost(served, callwright.Usage{Known: true, Input: r.Usage.Input, CacheRead: r.Usage.CacheRead, Output: r.Usage.Output})
}

// add adds the tokens of a request and their cost.
func (t *Tokens) add(r *archive.Report, usd float64, known bool) {
	t.Input, t.CacheRead, t.Output = t.Input+r.Usage.Input, t.CacheRead+r.Usage.CacheRead, t.Output+r.Usage.Output
	if t.USD += usd; !known {
		t.Unpriced++
	}
}

func (f *Figures) finish() {
	f.Latency = latencyOf(f.durations)
	f.durations = nil
	f.Uses = f.users.list()
	f.Rules, f.Faults = most(f.ruleCounts), most(f.faultCounts)
	for i := range f.Rules {
		f.Rules[i].Doc = callwright.RuleOf(f.Rules[i].Name).Doc
	}
	for i := range f.Faults {
		f.Faults[i].Doc = outcome.Words(f.Faults[i].Name)
	}
	for i := range f.Slots {
		s := &f.Slots[i]
		f.MostInSlot = max(f.MostInSlot, s.Total())
		s.Latency = latencyOf(s.durations)
		s.durations = nil
	}
}

// latencyOf returns percentiles of durations. It sorts d.
func latencyOf(d []time.Duration) Latency {
	slices.Sort(d)
	return Latency{rank(d, 0.5), rank(d, 0.9), rank(d, 0.99)}
}

// rank returns the percentile of a sorted list at a share between 0 and 1, by the nearest-rank method.
func rank(sorted []time.Duration, share float64) time.Duration {
	if len(sorted) == 0 {
		return 0
	}
	return sorted[max(int(math.Ceil(share*float64(len(sorted)))), 1)-1]
}

// most returns the highest counts, highest first, at most mostRows.
func most(counts map[string]int) []Count {
	var out []Count
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		out = append(out, Count{Name: name, N: counts[name]})
	}
	slices.SortStableFunc(out, func(a, b Count) int { return cmp.Compare(b.N, a.N) })
	return out[:min(len(out), mostRows)]
}
