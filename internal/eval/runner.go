package eval

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/agent"
	"github.com/callwright/callwright/internal/trace"
)

// Version is the version of the result format.
const Version = 1

// A Task is one cell (a trial of a scenario with a model and settings) for which Runner.Open opens a Session.
type Task struct {
	Cell     Cell
	Scenario *Scenario // must not be modified
	// Trace is the trace of the cell; nil if traces are disabled. Open should wrap the HTTP transport of each provider
	// with Trace.Transport to record the bytes too. The Runner records the model itself.
	Trace *trace.Writer
}

// A Session has the model and the options for playing one cell. It is not shared with other cells.
type Session struct {
	Model callwright.Model // should be a reliable client, since most of a Result comes from its reports
	// Change modifies each request, such as its sampling parameters; nil for none. See agent.WithRequest.
	Change func(*callwright.Request)
	// Options are additional options of the agent. They override those of the scenario.
	Options []agent.Option
	// Skip is the reason why the combination is meaningless, such as a profile for another model. If it is not "", the
	// cell is not played and its outcome is Skipped.
	Skip string
	// Close releases the resources of the session; nil for none.
	Close func()
}

// A Runner plays the cells of a plan. Its fields must not change after Run is called.
type Runner struct {
	Plan *Plan
	// Header is the header of the run, from Plan.Header.
	Header Header
	// Open opens the session of a cell. It is called concurrently. After an error, the outcome of the cell is Refused if
	// the provider rejected the request, otherwise Broken.
	Open func(ctx context.Context, t Task) (*Session, error)
	// Queue stores the results; nil means a queue in memory.
	Queue Queue
	// Jobs is the maximum number of concurrent cells of one model; 0 means 1. Total is the maximum of all models together;
	// 0 means no limit.
	Jobs, Total int
	// Timeout is the time limit of one cell; 0 means ten minutes, a negative value no limit.
	Timeout time.Duration
	// Strict compares final texts byte for byte.
	Strict bool
	// Traces is the directory for the trace files of the cells; "" disables traces.
	Traces string
	// KeepTrace reports whether to keep the trace file of a result; nil keeps all.
	KeepTrace func(Result) bool
	// OnStart is called once with the cells of the plan and the existing results, OnResult with each new result. Calls are
	// never concurrent. Both may be nil.
	OnStart  func(cells []Cell, done []Result)
	OnResult func(Result)
	// Now returns the current time; nil means time.Now. It is called concurrently.
	Now func() time.Time
}

// Run plays the unfinished cells and returns the results of all finished cells in the order of the plan. A cell that
// panics or exceeds its time limit has the outcome Broken, and the others continue. When ctx is done, Run returns its
// error and the remaining cells stay unfinished. If the queue fails, Run returns its error, and the results include
// those that could not be stored.
func (r *Runner) Run(ctx context.Context) ([]Result, error) {
	queue := r.Queue
	if queue == nil {
		queue = NewMemory()
	}
	cells := r.Plan.Cells()
	done, err := queue.Open(ctx, r.Header, cells)
	if err != nil {
		return nil, err
	}
	if r.OnStart != nil {
		r.OnStart(cells, slices.Clone(done))
	}
	w := &work{r: r, queue: queue, results: done, models: map[callwright.ModelID]*modelCells{}, ahead: ahead}
	shared, others := queue.(Shared)
	if others {
		w.ahead = max(r.Total, r.Jobs*len(r.Plan.Models), 1)
	}
	w.changed = sync.NewCond(&w.mu)
	err = w.all(ctx)
	if err == nil && others {
		w.results, err = shared.Results(ctx)
	}
	place := make(map[CellID]int, len(cells))
	for i, c := range cells {
		place[c.ID] = i
	}
	slices.SortFunc(w.results, func(a, b Result) int { return place[a.ID] - place[b.ID] })
	return w.results, err
}

// work is the state of a call of Run.
type work struct {
	r     *Runner
	queue Queue

	ahead int // maximum number of cells taken before they can start

	mu      sync.Mutex
	changed *sync.Cond
	taken   bool // no more cells can be taken
	models  map[callwright.ModelID]*modelCells
	order   []*modelCells
	waiting int // taken but not started cells of all models
	playing int // number of cells being played
	err     error
	results []Result
	told    sync.Mutex // held while a result is reported
}

// A modelCells holds the cells of one model that were taken and not started, and the number of its cells being played.
type modelCells struct {
	cells   []Cell
	playing int
}

// ahead is the maximum number of cells taken from an unshared queue before they can start. From a shared queue, Run
// takes only as many as can run at once, so that other processes get the rest.
const ahead = 256

// all plays all cells. A slow model does not delay the others, within the limit of cells taken ahead.
func (w *work) all(ctx context.Context) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	stop := context.AfterFunc(ctx, func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.changed.Broadcast()
	})
	defer stop()
	var group sync.WaitGroup
	defer group.Wait()
	group.Go(func() { w.take(ctx) })
	for {
		c, ok, err := w.next(ctx)
		if err != nil || !ok {
			group.Wait()
			return cmp.Or(w.err, err)
		}
		group.Go(func() { w.one(ctx, c, cancel) })
	}
}

// take takes cells from the queue until none is left. Queue.Take may block while other cells run.
func (w *work) take(ctx context.Context) {
	w.mu.Lock()
	defer w.mu.Unlock()
	defer w.changed.Broadcast()
	for !w.taken {
		if w.waiting >= w.ahead && ctx.Err() == nil {
			w.changed.Wait()
			continue
		}
		w.mu.Unlock()
		c, ok, err := w.queue.Take(ctx)
		w.mu.Lock()
		if err != nil && ctx.Err() == nil {
			w.err = cmp.Or(w.err, err)
		}
		if w.taken = !ok || err != nil; !w.taken {
			w.put(c)
			w.changed.Broadcast()
		}
	}
}

// next waits for a cell that can start. ok is false when all cells are finished, when the queue has failed, or when ctx
// has ended. Only in the last case, err is not nil.
func (w *work) next(ctx context.Context) (c Cell, ok bool, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for {
		if w.err != nil {
			return Cell{}, false, nil
		}
		if err := context.Cause(ctx); err != nil {
			return Cell{}, false, err
		}
		if c, ok := w.begin(); ok {
			w.changed.Broadcast()
			return c, true, nil
		}
		if w.taken && w.playing == 0 && w.waiting == 0 {
			return Cell{}, false, nil
		}
		w.changed.Wait()
	}
}

func (w *work) put(c Cell) {
	l := w.models[c.Model]
	if l == nil {
		l = &modelCells{}
		w.models[c.Model] = l
		w.order = append(w.order, l)
	}
	l.cells = append(l.cells, c)
	w.waiting++
}

// begin takes the next cell of the first model that has a waiting cell and is below its limit. It returns false if no
// cell can start.
func (w *work) begin() (Cell, bool) {
	if w.r.Total > 0 && w.playing >= w.r.Total {
		return Cell{}, false
	}
	for _, l := range w.order {
		if len(l.cells) > 0 && l.playing < max(w.r.Jobs, 1) {
			c := l.cells[0]
			l.cells = l.cells[1:]
			l.playing++
			w.waiting--
			w.playing++
			return c, true
		}
	}
	return Cell{}, false
}

// one plays a cell and stores its result. It drops the result if ctx has ended, unless the outcome is OK. If the queue
// fails, it calls cancel with the error.
func (w *work) one(ctx context.Context, c Cell, cancel context.CancelCauseFunc) {
	res := w.r.cell(ctx, c)
	var err error
	kept := context.Cause(ctx) == nil || res.Outcome == OK
	if kept {
		err = w.queue.Finish(context.WithoutCancel(ctx), res)
	}
	w.told.Lock()
	if kept && err == nil && w.r.OnResult != nil {
		w.r.OnResult(res)
	}
	w.told.Unlock()
	w.mu.Lock()
	defer w.mu.Unlock()
	w.playing--
	w.models[c.Model].playing--
	if err != nil {
		w.err = cmp.Or(w.err, err)
		cancel(err)
	}
	if kept {
		w.results = append(w.results, res)
	}
	w.changed.Broadcast()
}
