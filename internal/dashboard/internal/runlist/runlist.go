// Package runlist lists the runs of agents in pages. It reads only few of them.
package runlist

import (
	"cmp"
	"context"
	"sync"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/agent"
)

// A Source stores and lists runs.
type Source interface {
	agent.Journal
	agent.RunLister
}

// Most is the maximum number of runs that are read for one page. If a filter matches few of them, Page.Next continues
// after them.
const Most = 500

// maxKept is the maximum number of cached runs.
const maxKept = 4096

// A List lists the runs of a source. It caches the rows of ended runs, because they do not change. It is safe for
// concurrent use.
type List struct {
	source Source

	mu    sync.Mutex
	ended map[agent.RunID]*Row
}

// New returns the list of a source.
func New(source Source) *List { return &List{source: source, ended: map[agent.RunID]*Row{}} }

// A Row is the status of a run without its messages.
type Row struct {
	agent.RunStatus
	Problem string // why the run cannot be read; then only ID is set
}

// A Query selects runs. The newest come first.
type Query struct {
	Before  agent.RunID // only runs with lesser ids, which are older; "" for all
	Waiting bool        // only runs that wait for a person
	Limit   int
}

// A Page is the result of a Query.
type Page struct {
	Rows []*Row
	Next agent.RunID // Query.Before of the next page; "" if there is none
	All  int         // number of all runs
}

// Page returns the runs that match a query. It returns an error only if the source cannot list its runs or ctx is done.
// A run that cannot be read has a row with a Problem.
func (l *List) Page(ctx context.Context, q Query) (*Page, error) {
	ids, err := l.source.Runs(ctx)
	if err != nil {
		return nil, err
	}
	p := &Page{All: len(ids)}
	looked := 0
	for _, id := range ids {
		if q.Before != "" && id >= q.Before {
			continue
		}
		if len(p.Rows) == q.Limit || looked == Most {
			return p, nil
		}
		looked++
		row, err := l.row(ctx, id)
		if err != nil {
			return nil, err
		}
		if p.Next = id; !q.Waiting || len(row.Waiting) > 0 && row.Stop == agent.StopParked {
			p.Rows = append(p.Rows, row)
		}
	}
	p.Next = ""
	return p, nil
}

// row returns the row of a run.
func (l *List) row(ctx context.Context, id agent.RunID) (*Row, error) {
	l.mu.Lock()
	kept := l.ended[id]
	l.mu.Unlock()
	if kept != nil {
		return kept, nil
	}
	s, err := agent.Status(ctx, l.source, id)
	if ctx.Err() != nil {
		return nil, cmp.Or(err, ctx.Err())
	}
	if err != nil {
		return &Row{RunStatus: agent.RunStatus{ID: id}, Problem: callwright.Excerpt(err.Error())}, nil
	}
	row := &Row{RunStatus: *s}
	row.Messages, row.Setup, row.Text = nil, nil, ""
	if s.Stop != "" && s.Stop != agent.StopParked {
		l.keep(row)
	}
	return row, nil
}

func (l *List) keep(row *Row) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.ended) >= maxKept {
		clear(l.ended)
	}
	l.ended[row.ID] = row
}

// A State is the state of a run as text, with the CSS class of its tag.
type State struct{ Text, Class string }

// StateOf returns the state of a run.
func StateOf(s *agent.RunStatus) State {
	switch {
	case s.Stop == agent.StopParked:
		return State{"waits", "implied"}
	case s.Answered:
		return State{"resumable", "passed"}
	case s.Stop == "":
		return State{"running or interrupted", ""}
	case s.Stop == agent.StopAnswered:
		return State{"done", "healed"}
	}
	return State{"ended: " + string(s.Stop), "failed"}
}
