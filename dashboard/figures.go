package dashboard

import (
	"cmp"
	"context"
	"maps"
	"math"
	"slices"
	"sync"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/archive"
)

// Of the figures.
const (
	figureReports = 5000 // the most reports that figures are made of
	figureAge     = 5 * time.Second
	figureSlots   = 24
	figureRows    = 12
)

// figures are made of the reports of some time.
type figures struct {
	Since                     time.Time
	Cut                       bool // there were more reports than are read
	Requests                  int
	Untouched, Healed, Failed int
	latency
	Input, CacheRead, Output           int
	Attempts, Corrections, Fallbacks   int
	HealingTime                        time.Duration // of attempts that corrections asked for
	Faults, Rules, Models              []count
	Slots                              []slot
	MostInSlot                         int
	SlotTime                           time.Duration
	durations                          []time.Duration
	faultCounts, ruleCounts, modelUses map[string]int
}

// latency is how long most requests took.
type latency struct{ P50, P90, P99 time.Duration }

// A count says how often something was there.
type count struct {
	Name string
	Doc  string
	N    int
}

// A slot is a bar of the chart.
type slot struct {
	Began                     time.Time
	Untouched, Healed, Failed int
}

// Answered counts the requests that were answered.
func (f *figures) Answered() int { return f.Untouched + f.Healed }

// figureCache keeps figures for some seconds: they are made of many reports.
type figureCache struct {
	mu   sync.Mutex
	made map[time.Duration]*madeFigures
}

type madeFigures struct {
	at time.Time
	*figures
}

// figuresOf returns the figures of the last while.
func (s *server) figuresOf(ctx context.Context, while time.Duration) (*figures, error) {
	c := &s.figures
	c.mu.Lock()
	defer c.mu.Unlock()
	now := s.Now()
	if m := c.made[while]; m != nil && now.Sub(m.at) < figureAge && !now.Before(m.at) {
		return m.figures, nil
	}
	f, err := makeFigures(ctx, s.Reports, now, while)
	if err != nil {
		return nil, err
	}
	if c.made == nil {
		c.made = map[time.Duration]*madeFigures{}
	}
	c.made[while] = &madeFigures{now, f}
	return f, nil
}

func makeFigures(ctx context.Context, from Reports, now time.Time, while time.Duration) (*figures, error) {
	f := &figures{
		Since: now.Add(-while), SlotTime: while / figureSlots, Slots: make([]slot, figureSlots),
		faultCounts: map[string]int{}, ruleCounts: map[string]int{}, modelUses: map[string]int{},
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
		if read >= figureReports {
			f.Cut = true
			break
		}
		q.Before = list[len(list)-1].Time
	}
	f.finish()
	return f, nil
}

// add counts a report.
func (f *figures) add(r *archive.Report) {
	f.Requests++
	f.durations = append(f.durations, r.Duration)
	f.Input, f.CacheRead, f.Output = f.Input+r.Usage.Input, f.CacheRead+r.Usage.CacheRead, f.Output+r.Usage.Output
	bar := &f.Slots[min(max(int(r.Time.Sub(f.Since)/max(f.SlotTime, 1)), 0), len(f.Slots)-1)]
	switch outcomeOf(r) {
	case archive.Failed:
		f.Failed++
		bar.Failed++
	case archive.Untouched:
		f.Untouched++
		bar.Untouched++
	default:
		f.Healed++
		bar.Healed++
	}
	if r.Report == nil {
		return
	}
	f.modelUses[string(r.Report.Model)]++
	for i := range r.Report.Attempts {
		a := &r.Report.Attempts[i]
		f.Attempts++
		switch a.Why {
		case callwright.AttemptCorrection:
			f.Corrections++
			f.HealingTime += a.Duration
		case callwright.AttemptFallback:
			f.Fallbacks++
		}
	}
	for i := range r.Report.Notes {
		n := &r.Report.Notes[i]
		if n.Risk == "" || n.Observed {
			continue // nothing was changed
		}
		f.ruleCounts[n.Rule] += max(n.Count, 1)
		if n.Fault != "" {
			f.faultCounts[n.Fault] += max(n.Count, 1)
		}
	}
}

func outcomeOf(r *archive.Report) archive.Outcome {
	switch {
	case r.Failed != "":
		return archive.Failed
	case r.Report != nil && r.Report.Untouched:
		return archive.Untouched
	}
	return archive.Healed
}

func (f *figures) finish() {
	slices.Sort(f.durations)
	f.P50, f.P90, f.P99 = rank(f.durations, 0.5), rank(f.durations, 0.9), rank(f.durations, 0.99)
	f.durations = nil
	f.Rules, f.Faults, f.Models = most(f.ruleCounts), most(f.faultCounts), most(f.modelUses)
	for i := range f.Rules {
		f.Rules[i].Doc = callwright.RuleOf(f.Rules[i].Name).Doc
	}
	for i := range f.Slots {
		f.MostInSlot = max(f.MostInSlot, f.Slots[i].Untouched+f.Slots[i].Healed+f.Slots[i].Failed)
	}
}

// rank returns the value of a sorted list below or at which a share of it is.
func rank(sorted []time.Duration, share float64) time.Duration {
	if len(sorted) == 0 {
		return 0
	}
	return sorted[max(int(math.Ceil(share*float64(len(sorted)))), 1)-1]
}

// most returns the greatest counts, the greatest first.
func most(counts map[string]int) []count {
	var out []count
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		out = append(out, count{Name: name, N: counts[name]})
	}
	slices.SortStableFunc(out, func(a, b count) int { return cmp.Compare(b.N, a.N) })
	return out[:min(len(out), figureRows)]
}
