// Package evallist lists the kept runs of the evaluation harness with the results of each, and has their reports.
package evallist

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/eval"
	"github.com/callwright/callwright/internal/eval/report"
	"github.com/callwright/callwright/internal/htmltemplate"
)

// A Run is a kept run, as far as that is known without reading it.
type Run struct {
	Name    string    // what it is asked for by
	Changed time.Time // when a result was added last
	Size    int64     // in bytes or in results: another one says that there is more
}

// A Source keeps runs. It is safe for concurrent use.
type Source interface {
	// Runs lists the runs, in any order.
	Runs(ctx context.Context) ([]Run, error)
	// Read sums up a run. One that is not there is KindNotFound.
	Read(ctx context.Context, name string) (*report.Summary, []eval.Result, error)
}

// Bounds of the cache.
const (
	maxRows    = 1024
	maxReports = 8
)

// A List is the runs of a source. Read runs are cached until they change. It is safe for concurrent use.
type List struct {
	source Source
	traces string // the address of the traces of runs

	mu      sync.Mutex
	rows    map[Run]*Row
	reports map[Run]htmltemplate.HTML
}

// New returns the list of a source. The trace of a trial is at traces + run + "/" + its name.
func New(source Source, traces string) *List {
	return &List{source: source, traces: traces, rows: map[Run]*Row{}, reports: map[Run]htmltemplate.HTML{}}
}

// A Row is the result of a run.
type Row struct {
	Run
	report.Success
	Header eval.Header
	Done   int // trials that were played, of Header.Cells
	Models []callwright.ModelID
	Took   time.Duration
	// Policies has the success by policy, where there are several. "off" is without healing.
	Policies []report.Row
	Problem  string // why it cannot be read; then there is the Run alone
}

// Page returns rows from a place on, the run that was changed last first, and how many runs there are.
func (l *List) Page(ctx context.Context, from, limit int) (rows []*Row, all int, err error) {
	runs, err := l.source.Runs(ctx)
	if err != nil {
		return nil, 0, err
	}
	slices.SortFunc(runs, func(a, b Run) int {
		if n := b.Changed.Compare(a.Changed); n != 0 {
			return n
		}
		return strings.Compare(a.Name, b.Name)
	})
	from = min(max(from, 0), len(runs))
	for _, run := range runs[from:min(from+limit, len(runs))] {
		row, err := l.row(ctx, run)
		if err != nil {
			return nil, 0, err
		}
		rows = append(rows, row)
	}
	return rows, len(runs), nil
}

func (l *List) row(ctx context.Context, run Run) (*Row, error) {
	l.mu.Lock()
	row := l.rows[run]
	l.mu.Unlock()
	if row != nil {
		return row, nil
	}
	s, _, err := l.source.Read(ctx, run.Name)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		return &Row{Run: run, Problem: callwright.Excerpt(err.Error())}, nil
	}
	t := &s.Total
	row = &Row{Run: run, Success: t.Success, Header: s.Run, Done: t.N + t.Refused + t.Broken + t.Skipped,
		Took: s.Times.Ended.Sub(s.Times.Started)}
	for _, m := range s.Models {
		row.Models = append(row.Models, m.Model)
	}
	if len(s.Policies) > 1 {
		row.Policies = s.Policies
	}
	keep(&l.mu, l.rows, run, row, maxRows)
	return row, nil
}

// Report returns the report of a run, as a fragment of a page. One that is not there is KindNotFound.
func (l *List) Report(ctx context.Context, name string) (htmltemplate.HTML, error) {
	runs, err := l.source.Runs(ctx)
	if err != nil {
		return "", err
	}
	i := slices.IndexFunc(runs, func(r Run) bool { return r.Name == name })
	if i < 0 {
		return "", callwright.Errorf("evallist.report", callwright.KindNotFound, "", "there is no run %q", callwright.Excerpt(name))
	}
	l.mu.Lock()
	page, ok := l.reports[runs[i]]
	l.mu.Unlock()
	if ok {
		return page, nil
	}
	s, results, err := l.source.Read(ctx, name)
	if err != nil {
		return "", err
	}
	folder := l.traces + name
	if _, ok := l.source.(Traces); !ok {
		results, folder = slices.Clone(results), ""
		for i := range results {
			results[i].Trace = "" // no browser reaches the files
		}
	}
	var b bytes.Buffer
	if err := report.Fragment(&b, s, results, folder); err != nil {
		return "", err
	}
	page = htmltemplate.HTML(b.String()) // the report escapes what it shows
	keep(&l.mu, l.reports, runs[i], page, maxReports)
	return page, nil
}

// keep remembers a value, in the place of all others where there are too many.
func keep[V any](mu *sync.Mutex, of map[Run]V, run Run, v V, most int) {
	mu.Lock()
	defer mu.Unlock()
	if len(of) >= most {
		clear(of)
	}
	of[run] = v
}
