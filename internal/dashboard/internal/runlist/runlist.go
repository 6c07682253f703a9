// Package runlist lists the runs of agents page by page, of thousands of which it reads few.
package runlist

import (
	"cmp"
	"context"
	"sync"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/agent"
)

// A Source keeps runs and knows which there are.
type Source interface {
	agent.Journal
	agent.RunLister
}

// Most is how many runs a list reads at most for one page: a filter that finds few says where it has come to.
const Most = 500

// maxKept bounds the runs that are remembered because they have ended.
const maxKept = 4096

// A List is the runs of a source. The result of a run that has ended is cached, since nothing changes it. It is safe
// for concurrent use.
type List struct {
	source Source

	mu    sync.Mutex
	ended map[agent.RunID]*Row
}

// New returns the list of a source.
func New(source Source) *List { return &List{source: source, ended: map[agent.RunID]*Row{}} }

// A Row is the progress of a run, without its messages.
type Row struct {
	agent.RunStatus
	Problem string // why it cannot be read; then the row has the run's ID alone
}

// A Query asks for runs, the newest first.
type Query struct {
	Before  agent.RunID // those with lesser ids, which are older; empty for all
	Waiting bool        // only those that wait for a person
	Limit   int
}

// A Page is the runs that were asked for.
type Page struct {
	Rows []*Row
	Next agent.RunID // asks for those behind; empty where there are none
	All  int         // how many there are, of any kind
}

// Page returns runs. The error is that of the source's list, or of a context that has ended; a run that cannot be read
// has a row that says so.
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

// row returns how far a run has come.
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

// A State is how far a run has come, in words, with the class of the tag that has them.
type State struct{ Text, Class string }

// StateOf returns how far a run has come.
func StateOf(s *agent.RunStatus) State {
	switch {
	case s.Stop == agent.StopParked:
		return State{"waits", "implied"}
	case s.Answered:
		return State{"can go on", "passed"}
	case s.Stop == "":
		return State{"under way", ""}
	case s.Stop == agent.StopAnswered:
		return State{"done", "healed"}
	}
	return State{"ended: " + string(s.Stop), "failed"}
}
