package eval_test

import (
	"context"
	"slices"
	"sync"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/eval"
)

// A run is what workers share: cells, and what came of them.
type sharedRun struct {
	mu      sync.Mutex
	changed *sync.Cond
	state   eval.RunState
	once    sync.Once
	left    int // cells that nobody has finished
	results []eval.Result
}

// A worker is one of those who share a run.
type worker struct {
	*sharedRun
	mine int // cells that it holds
}

var _ eval.Shared = (*worker)(nil)

func (w *worker) Open(_ context.Context, h eval.Header, cells []eval.Cell) (done []eval.Result, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.once.Do(func() {
		w.left = len(cells)
		done, err = w.state.Open(h, cells, nil)
	})
	return done, err
}

// Take waits while others hold the cells that are left.
func (w *worker) Take(ctx context.Context) (eval.Cell, bool, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for {
		if c, ok := w.state.Take(); ok {
			w.mine++
			return c, true, nil
		}
		if w.left == w.mine || ctx.Err() != nil {
			return eval.Cell{}, false, ctx.Err()
		}
		w.changed.Wait()
	}
}

func (w *worker) Finish(_ context.Context, r eval.Result) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.state.Keep(r)
	w.results = append(w.results, r)
	w.mine--
	w.left--
	w.changed.Broadcast()
	return nil
}

func (w *worker) Results(context.Context) ([]eval.Result, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.results), nil
}

// Workers share a run while it lasts: none takes more than it can play, none waits for the others with cells in its hands, and each returns the results of all.
func TestWorkersShareARun(t *testing.T) {
	const workers, cells = 3, 24
	run := &sharedRun{}
	run.changed = sync.NewCond(&run.mu)
	p := chat(cells, "m")
	var meet sync.WaitGroup // all of them play at the same time
	meet.Add(workers)
	type end struct {
		results []eval.Result
		err     error
	}
	ends := make(chan end, workers)
	for range workers {
		var first sync.Once
		open := func(context.Context, eval.Task) (*eval.Session, error) {
			return &eval.Session{Model: model(func(context.Context) (*callwright.Report, error) {
				first.Do(func() {
					meet.Done()
					meet.Wait()
				})
				return nil, nil
			})}, nil
		}
		go func() {
			r := &eval.Runner{Plan: &p, Queue: &worker{sharedRun: run}, Open: open, Jobs: 2}
			results, err := r.Run(t.Context())
			ends <- end{results, err}
		}()
	}
	var ids []eval.CellID
	for _, c := range p.Cells() {
		ids = append(ids, c.ID)
	}
	for range workers {
		e := <-ends
		var got []eval.CellID
		for _, r := range e.results {
			got = append(got, r.ID)
		}
		if e.err != nil || !slices.Equal(got, ids) {
			t.Errorf("%v: got %v, want %v", e.err, got, ids)
		}
	}
}
