// Package evallist lists the stored evaluation runs with a summary of each, and renders their reports.
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

// A Run is a stored evaluation run, without its results.
type Run struct {
	Name    string    // unique name
	Changed time.Time // time of the last added result
	Size    int64     // in bytes or results; a different size means that the run has changed
}

// A Source stores evaluation runs. It is safe for concurrent use.
type Source interface {
	// Runs lists the runs in any order.
	Runs(ctx context.Context) ([]Run, error)
	// Read returns the summary and the results of a run. An unknown run is an error of KindNotFound.
	Read(ctx context.Context, name string) (*report.Summary, []eval.Result, error)
}

// Limits of the caches.
const (
	maxRows    = 1024 // number of cached rows
	maxReports = 8    // number of cached reports
)

// A List lists the runs of a source. It caches runs until they change. It is safe for concurrent use.
type List struct {
	source Source
	traces string // URL prefix of the traces of runs

	mu      sync.Mutex
	rows    map[Run]*Row
	reports map[Run]htmltemplate.HTML
}

// New returns the List of a source. The URL of a trial's trace is traces + run + "/" + its name.
func New(source Source, traces string) *List {
	return &List{source: source, traces: traces, rows: map[Run]*Row{}, reports: map[Run]htmltemplate.HTML{}}
}

// A Row is a run with its success rate.
type Row struct {
	Run
	report.Success
	Header eval.Header
	Done   int // number of played trials, of Header.Cells
	Models []callwright.ModelID
	Took   time.Duration
	// Policies has the success rate of each policy, if there are several. The policy "off" means without repairs.
	Policies []report.Row
	Problem  string // why the run cannot be read; then only Run is set
}

// Page returns up to limit rows, beginning with the index from, latest change first. all is the number of all runs.
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

// Report returns the report of a run as an HTML fragment. An unknown run is an error of KindNotFound.
func (l *List) Report(ctx context.Context, name string) (htmltemplate.HTML, error) {
	runs, err := l.source.Runs(ctx)
	if err != nil {
		return "", err
	}
	i := slices.IndexFunc(runs, func(r Run) bool { return r.Name == name })
	if i < 0 {
		return "", callwright.Errorf("evallist.report", callwright.KindNotFound, "", "there is no evaluation %q", callwright.Excerpt(name))
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
			results[i].Trace = "" // a browser cannot reach the files
		}
	}
	var b bytes.Buffer
	if err := report.Fragment(&b, s, results, folder); err != nil {
		return "", err
	}
	page = htmltemplate.HTML(b.String()) // the report is escaped
	keep(&l.mu, l.reports, runs[i], page, maxReports)
	return page, nil
}

// keep stores a value in the cache of. If the cache has reached its maximum size, it is cleared first.
func keep[V any](mu *sync.Mutex, of map[Run]V, run Run, v V, most int) {
	mu.Lock()
	defer mu.Unlock()
	if len(of) >= most {
		clear(of)
	}
	of[run] = v
}
