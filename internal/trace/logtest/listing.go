package logtest

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/outcome"
	"github.com/callwright/callwright/internal/trace"
	"pgregory.net/rapid"
)

// A drawn is a random request with the properties that a query may select but its summary may lack.
type drawn struct {
	trace.Summary
	said  string   // all searchable texts
	tools []string // all called tools
}

// isAsked reports whether a query matches the request.
func (d *drawn) isAsked(q trace.Query) bool {
	for _, text := range q.Text {
		if !strings.Contains(strings.ToLower(d.said), strings.ToLower(text)) {
			return false
		}
	}
	for _, tool := range q.Tools {
		if !slices.Contains(d.tools, tool) {
			return false
		}
	}
	q.Text, q.Tools = nil, nil
	return q.MayMatch(&d.Summary)
}

// one draws an element of a list, or "" with a higher probability.
func one[T ~string](rt *rapid.T, label string, list ...T) T {
	return rapid.SampledFrom(append(list, "", "")).Draw(rt, label)
}

// listing compares the results of random queries with the requests that they match.
func (l *log) listing(*testing.T) {
	l.with(trace.LogLimits{Age: 10 * 365 * 24 * time.Hour})
	series := 0
	rapid.Check(l.t, func(rt *rapid.T) {
		series++
		from := begin.Add(time.Duration(series) * time.Minute)
		all := l.draw(rt, series, from)
		for range 4 {
			q := trace.Query{
				Since:   from.Add(time.Duration(rapid.IntRange(0, 3).Draw(rt, "since")) * time.Second),
				Before:  from.Add(time.Duration(rapid.IntRange(3, 50).Draw(rt, "before")) * time.Second),
				Model:   one[callwright.ModelID](rt, "of model", "lab/one", "lab/two", "lab"),
				Rule:    one(rt, "of rule", "json.*", "json.trailing_comma", "json", "plan*"),
				Outcome: one(rt, "outcome", outcome.Answered, outcome.Passed, outcome.Translated, outcome.Healed, outcome.Failed, outcome.Unfinished),
				Key:     one(rt, "of key", keys...),
				Session: one(rt, "of session", sessions...),
				Kind:    one(rt, "of kind", callwright.KindTimeout, callwright.KindServer),
				Tools:   rapid.SliceOfN(rapid.SampledFrom(tools), 0, 2).Draw(rt, "tools asked"),
				Text:    rapid.SliceOfN(rapid.SampledFrom([]string{"Oslo", "in b", "no answer", "HELLO", "none"}), 0, 2).Draw(rt, "texts asked"),
				Limit:   rapid.IntRange(0, 4).Draw(rt, "limit"),
			}
			if rapid.Bool().Draw(rt, "broad") {
				q.Tools, q.Text = nil, nil
			}
			var want []trace.Summary
			for _, s := range all {
				if s.isAsked(q) && len(want) < q.Most() {
					want = append(want, s.Summary)
				}
			}
			l.list(q, want...)
		}
	})
}

// The values of random requests.
var (
	keys     = []string{"ada", `b"<ob>`}
	sessions = []string{"s-1", "s-2"}
	tools    = []string{"get_weather", "look up", "tool39"}
	places   = []string{"Oslo", "Bergen"}
)

// draw appends random requests to the log, some with the same start and ended in another order, and returns them in the
// order of a list.
func (l *log) draw(rt *rapid.T, series int, from time.Time) []drawn {
	var all []drawn
	var ends []trace.Entry
	for i := range rapid.IntRange(0, 8).Draw(rt, "requests") {
		l.Set(from.Add(time.Duration(rapid.IntRange(0, 5).Draw(rt, "second")) * time.Second))
		r := report(fmt.Sprintf("rep_%d_%d", series, i))
		entries := l.request(r.ID)[:2]
		place := rapid.SampledFrom(places).Draw(rt, "place")
		d := drawn{said: "Weather in " + place}
		asked := &entries[1]
		asked.Model = rapid.SampledFrom([]callwright.ModelID{"lab/one", "lab/two", "lab/three"}).Draw(rt, "model")
		asked.Key, asked.Session = one(rt, "key", keys...), one(rt, "session", sessions...)
		asked.Data = json.RawMessage(`{"messages":[{"role":"user","parts":[{"type":"text","text":"Weather in ` + place + `"}]}]}`)
		r.Untouched = rapid.Bool().Draw(rt, "untouched")
		if rapid.Bool().Draw(rt, "no notes") {
			r.Notes = r.Notes[:0]
		}
		d.call(rt, r)
		l.append(entries...)
		switch rapid.IntRange(0, 4).Draw(rt, "end") {
		case 0:
			e := l.failure(r)
			e.Failure.Kind = rapid.SampledFrom([]callwright.Kind{callwright.KindTimeout, callwright.KindServer}).Draw(rt, "kind")
			if d.said += "\nno answer"; rapid.Bool().Draw(rt, "begun") {
				e.Data = l.answer(r, d.valid(r)...).Data
				d.said += "\nHello."
			} else {
				d.tools = d.rejectedTools(r)
			}
			ends = append(ends, e)
		case 1:
			d.Summary, d.tools = trace.Summarize(entries), nil
			all = append(all, d)
			continue
		default:
			d.said += "\nHello."
			ends = append(ends, l.answer(r, d.valid(r)...))
		}
		d.said += "\n" + strings.Join(d.tools, "\n")
		// "" as written by an earlier version
		if came := rapid.SampledFrom([]outcome.Outcome{"", outcome.Passed, outcome.Translated, outcome.Healed,
			outcome.Failed}).Draw(rt, "came"); came != "" {
			end := &ends[len(ends)-1]
			if end.Outcome = came; came == outcome.Healed {
				end.Class = "F02"
			}
		}
		d.Summary = trace.Summarize(append(entries, ends[len(ends)-1]))
		all = append(all, d)
	}
	for _, e := range rapid.Permutation(ends).Draw(rt, "order") {
		l.append(e)
	}
	slices.SortFunc(all, func(a, b drawn) int { return trace.Latest(a.Summary, b.Summary) })
	return all
}

// call draws the calls of a request. The last one may be rejected. There may be more calls than a summary has names.
func (d *drawn) call(rt *rapid.T, r *callwright.Report) {
	d.tools = rapid.SliceOfN(rapid.SampledFrom(tools[:2]), 0, 2).Draw(rt, "calls")
	if rapid.IntRange(0, 5).Draw(rt, "many") == 0 {
		for i := range trace.SummaryTools + rapid.IntRange(-1, 9).Draw(rt, "more") {
			d.tools = append(d.tools, fmt.Sprintf("tool%d", i))
		}
	}
	if n := len(d.tools); n > 0 && rapid.Bool().Draw(rt, "rejected") {
		r.Invalid = []callwright.InvalidCall{{Name: d.tools[n-1], Why: callwright.InvalidUndeclared}}
	}
}

// valid returns the tools of valid calls, rejectedTools those of rejected calls.
func (d *drawn) valid(r *callwright.Report) []string { return d.tools[:len(d.tools)-len(r.Invalid)] }

func (d *drawn) rejectedTools(r *callwright.Report) []string {
	return d.tools[len(d.tools)-len(r.Invalid):]
}
