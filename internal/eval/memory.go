package eval

import (
	"context"
	"slices"
	"sync"

	"github.com/callwright/callwright"
)

// A RunState is the state of a run for implementations of Queue: its cells, which of them are taken, and the results of
// the finished ones. A Queue adds storage. The zero RunState has no run. It is not safe for concurrent use.
type RunState struct {
	header  Header
	open    bool           // the run was opened
	cells   map[CellID]int // index in order by cell ID
	order   []Cell
	next    int // index in order of the next cell to take
	taken   map[CellID]bool
	results map[CellID]Result
}

// Open starts a run or continues the existing one. done are the stored results. Open returns the known results of
// cells, in the order of cells. Cells that were taken but are not finished become available again.
func (s *RunState) Open(header Header, cells []Cell, done []Result) ([]Result, error) {
	const op = "eval.queue"
	if s.open && s.header != header {
		return nil, Conflict(s.header, header)
	}
	index := make(map[CellID]int, len(cells))
	for i, c := range cells {
		if _, twice := index[c.ID]; twice {
			return nil, callwright.Errorf(op, callwright.KindInvalid, "", "the plan has the cell %q twice", c.ID)
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

// Take returns the next cell, in the order of the plan, that is neither taken nor finished. ok is false if there is
// none.
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

// Check reports whether the result of a cell must be stored: the cell is not finished yet. An unknown cell is an error.
func (s *RunState) Check(r Result) (keep bool, err error) {
	if _, ok := s.cells[r.ID]; !ok {
		return false, callwright.Errorf("eval.queue", callwright.KindNotFound, "", "the run has no cell %q", callwright.Excerpt(string(r.ID)))
	}
	_, done := s.results[r.ID]
	return !done, nil
}

// Keep records the result of a finished cell.
func (s *RunState) Keep(r Result) { s.results[r.ID] = r }

// Conflict returns the error of a Queue that has a run with the header has, which differs from the header wants.
func Conflict(has, wants Header) error {
	what := "other models, settings, scenarios or trials"
	switch {
	case has.Version != wants.Version:
		what = "results of another format version"
	case has.Live != wants.Live:
		what = "live results instead of offline results, or vice versa"
	case has.Build != wants.Build:
		what = "results of another build, " + has.Build
	case has.Seed != wants.Seed:
		what = "another seed"
	}
	return callwright.Errorf("eval.queue", callwright.KindConflict, "", "there is a run of another plan, with %s", what)
}

// A Memory is a Queue in memory, for tests and for runs that need not outlive the program. Create it with [NewMemory].
type Memory struct {
	mu  sync.Mutex
	run RunState
}

var _ Queue = (*Memory)(nil)

// NewMemory returns a Memory that contains no evaluation run.
func NewMemory() *Memory { return &Memory{} }

// Open implements Queue.
func (m *Memory) Open(ctx context.Context, header Header, cells []Cell) ([]Result, error) {
	if err := Ready(ctx); err != nil {
		return nil, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.run.Open(header, cells, nil)
}

// Take implements Queue.
func (m *Memory) Take(ctx context.Context) (c Cell, ok bool, err error) {
	if err := Ready(ctx); err != nil {
		return Cell{}, false, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	c, ok = m.run.Take()
	return c, ok, nil
}

// Finish implements Queue.
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

// Ready returns an error if ctx is done, for implementations of Queue.
func Ready(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return &callwright.Error{Op: "eval.queue", Kind: callwright.KindCanceled, Err: context.Cause(ctx)}
	}
	return nil
}
