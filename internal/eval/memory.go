package eval

import (
	"context"
	"slices"
	"sync"

	"github.com/callwright/callwright"
)

// A RunState is the state of a run that a Queue needs: its cells, those that are taken and the results of those that
// are finished. Queues are built on it, and add the storage. The zero RunState has no run. It is not safe for
// concurrent use.
type RunState struct {
	header  Header
	open    bool
	cells   map[CellID]int
	order   []Cell
	next    int
	taken   map[CellID]bool
	results map[CellID]Result
}

// Open begins a run, or continues with the one that is there. done are results that were kept elsewhere. Cells that
// were taken and not finished are there to be taken again.
func (s *RunState) Open(header Header, cells []Cell, done []Result) ([]Result, error) {
	const op = "eval.queue"
	if s.open && s.header != header {
		return nil, Conflict(s.header, header)
	}
	index := make(map[CellID]int, len(cells))
	for i, c := range cells {
		if _, twice := index[c.ID]; twice {
			return nil, callwright.Errorf(op, callwright.KindInvalid, "", "the cell %q stands twice", c.ID)
		}
		index[c.ID] = i
	}
	if s.results == nil {
		s.results = map[CellID]Result{}
	}
	for _, r := range done {
		if _, ok := s.results[r.ID]; !ok {
			s.results[r.ID] = r
		}
	}
	s.header, s.open, s.cells, s.order, s.next, s.taken = header, true, index, slices.Clone(cells), 0, map[CellID]bool{}
	var out []Result
	for _, c := range cells {
		if r, ok := s.results[c.ID]; ok {
			out = append(out, r)
		}
	}
	return out, nil
}

// Take gives the next cell that is neither taken nor finished, in the order of the plan.
func (s *RunState) Take() (c Cell, ok bool) {
	for ; s.next < len(s.order); s.next++ {
		c := s.order[s.next]
		if _, done := s.results[c.ID]; !done && !s.taken[c.ID] {
			s.taken[c.ID] = true
			s.next++
			return c, true
		}
	}
	return Cell{}, false
}

// Check reports whether the result of a cell is to be kept: it is one of the run and not finished yet.
func (s *RunState) Check(r Result) (keep bool, err error) {
	if _, ok := s.cells[r.ID]; !ok {
		return false, callwright.Errorf("eval.queue", callwright.KindNotFound, "", "the run has no cell %q", callwright.Excerpt(string(r.ID)))
	}
	_, done := s.results[r.ID]
	return !done, nil
}

// Keep notes that a cell is finished.
func (s *RunState) Keep(r Result) { s.results[r.ID] = r }

// Conflict is the error of a Queue that has another run than the one that is to be opened.
func Conflict(has, wants Header) error {
	what := "other models, settings, scenarios or trials"
	switch {
	case has.Version != wants.Version:
		what = "results of another form"
	case has.Live != wants.Live:
		what = "live results in place of offline ones, or the other way round"
	case has.Build != wants.Build:
		what = "results of another build, " + has.Build
	case has.Seed != wants.Seed:
		what = "another seed"
	}
	return callwright.Errorf("eval.queue", callwright.KindConflict, "", "there is a run of another plan, with %s", what)
}

// A Memory is a Queue in memory, for tests and for runs that need not outlive the program. Use [NewMemory].
type Memory struct {
	mu  sync.Mutex
	run RunState
}

var _ Queue = (*Memory)(nil)

// NewMemory is a Queue that has no run yet.
func NewMemory() *Memory { return &Memory{} }

// Open begins or continues with a run.
func (m *Memory) Open(ctx context.Context, header Header, cells []Cell) ([]Result, error) {
	if err := Ready(ctx); err != nil {
		return nil, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.run.Open(header, cells, nil)
}

// Take gives a cell.
func (m *Memory) Take(ctx context.Context) (c Cell, ok bool, err error) {
	if err := Ready(ctx); err != nil {
		return Cell{}, false, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	c, ok = m.run.Take()
	return c, ok, nil
}

// Finish keeps a result.
func (m *Memory) Finish(ctx context.Context, r Result) error {
	if err := Ready(ctx); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	keep, err := m.run.Check(r)
	if keep {
		m.run.Keep(r)
	}
	return err
}

// Ready reports why an operation of a Queue cannot begin: its context has ended. It is for those who write one.
func Ready(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return &callwright.Error{Op: "eval.queue", Kind: callwright.KindCanceled, Err: context.Cause(ctx)}
	}
	return nil
}
