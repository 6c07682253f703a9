package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/callwright/callwright/internal/eval"
	"github.com/callwright/callwright/internal/stats"
)

// A tally accumulates the trials of a row.
type tally struct {
	sum       Group
	durations []time.Duration
	latencies []time.Duration
	classes   map[string]int // number of failures by class
}

func (t *tally) add(r *eval.Result) {
	switch r.Outcome {
	case eval.OK:
		t.sum.OK++
	case eval.Failed:
		if t.classes == nil {
			t.classes = map[string]int{}
		}
		t.classes[classOf(r)]++
	case eval.Refused:
		t.sum.Refused++
	case eval.Skipped:
		t.sum.Skipped++
	case eval.Broken:
		t.sum.Broken++
	}
	if counts(r) {
		t.sum.N++
		t.durations = append(t.durations, r.Duration)
		t.latencies = append(t.latencies, r.Latency...)
	}
	t.sum.Work.add(r)
	t.sum.Usage.add(r.Usage)
	t.sum.Healing.add(r.Healing)
}

func (w *Work) add(r *eval.Result) {
	w.Steps += r.Steps
	w.Requests += r.Requests
	first := r.Steps // number of requests that are the first of a step
	if r.Kind != "" {
		first++ // an error ended one more step
	}
	w.Retries += max(0, r.Requests-first)
	w.Corrections += r.Corrections
	w.OtherMode += r.OtherMode
	w.Fallback += r.Fallback
	w.Transport += r.Transport
	w.Calls += r.Calls
	w.InvalidJSON += r.InvalidJSON
	w.UnknownName += r.UnknownName
	w.SchemaMismatch += r.SchemaMismatch
}

func (t *Tokens) add(used eval.Tokens) {
	if !used.Known {
		return
	}
	t.Known++
	t.Input += used.Input
	t.CacheRead += used.CacheRead
	t.Output += used.Output
}

// row returns the totals as a Row. It sorts the collected times; do not call add afterwards.
func (t *tally) row(key Key) Row {
	g := t.sum
	g.Success = newSuccess(g.OK, g.N)
	g.Work.RetriesPerCall = stats.Ratio(g.Work.Retries, g.Work.Calls)
	g.Work.FallbackShare = stats.Ratio(g.Work.Fallback, g.Work.Requests)
	slices.Sort(t.durations)
	slices.Sort(t.latencies)
	g.Times = Times{
		P50: stats.PercentileMS(t.durations, 50), P95: stats.PercentileMS(t.durations, 95), P99: stats.PercentileMS(t.durations, 99),
		RequestP50: stats.PercentileMS(t.latencies, 50), RequestP95: stats.PercentileMS(t.latencies, 95),
		RequestP99: stats.PercentileMS(t.latencies, 99),
	}
	return Row{Key: key, Group: g, Notes: t.notes()}
}

// notedClasses is the maximum number of failure classes in the notes of a row.
const notedClasses = 3

// notes returns notes about a row: the failure classes, the trials that do not count, and the number of retries.
func (t *tally) notes() []string {
	var out []string
	classes := byCount(t.classes)
	left := t.sum.N - t.sum.OK
	for i, class := range classes {
		if i == notedClasses {
			out = append(out, fmt.Sprintf("%d of other classes", left))
			break
		}
		left -= t.classes[class]
		out = append(out, fmt.Sprintf("%d %s", t.classes[class], class))
	}
	for _, c := range []struct {
		n    int
		what string
	}{
		{t.sum.Refused, "refused"}, {t.sum.Broken, "broken"}, {t.sum.Skipped, "skipped"},
		{t.sum.Work.Corrections, "corrected"}, {t.sum.Work.OtherMode, "in other modes"}, {t.sum.Work.Fallback, "by other models"},
	} {
		if c.n > 0 {
			out = append(out, fmt.Sprintf("%d %s", c.n, c.what))
		}
	}
	return out
}

// byCount returns the names of counts, the most frequent first.
func byCount(counts map[string]int) []string {
	return slices.SortedFunc(maps.Keys(counts), func(a, b string) int { return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b)) })
}

// A table maps keys to their tallies.
type table map[Key]*tally

func (t table) add(key Key, r *eval.Result) {
	sum := t[key]
	if sum == nil {
		sum = &tally{}
		t[key] = sum
	}
	sum.add(r)
}

func (t table) rows() []Row {
	out := make([]Row, 0, len(t))
	for key, sum := range t {
		out = append(out, sum.row(key))
	}
	slices.SortFunc(out, func(a, b Row) int { return compareKeys(a.Key, b.Key) })
	return out
}
