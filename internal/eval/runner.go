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

// Version is the version of the format of results.
const Version = 1

// A Task is a cell that is about to be played.
type Task struct {
	Cell     Cell
	Scenario *Scenario // must not be changed
	// Trace records the cell; nil where no trace is requested. Open wraps the transport of each provider with the
	// Transport of Trace, so that the bytes are recorded too. The Runner records the model itself.
	Trace *trace.Writer
}

// A Session is the model and the options with which a cell is played. It belongs to that cell alone.
type Session struct {
	Model callwright.Model // should be a reliable client: its reports are where most of a Result comes from
	// Change is made to each request, such as for sampling parameters; nil for none. See agent.WithRequest.
	Change func(*callwright.Request)
	// Options are further options of the agent, after those of the scenario.
	Options []agent.Option
	// Skip is the reason why the combination makes no sense, such as a profile that is not for the model. The result is
	// then Skipped. "" for a combination that makes sense.
	Skip string
	// Close releases the resources of the session; nil for none.
	Close func()
}

// A Runner plays the cells of a plan. Its fields are set before Run and not changed afterwards.
type Runner struct {
	Plan *Plan
	// Header is the header of the run, as Plan.Header makes it.
	Header Header
	// Open makes the session of a cell. It is called concurrently. Its error makes the result of the cell Refused where
	// the error is a provider's, else Broken.
	Open func(ctx context.Context, t Task) (*Session, error)
	// Queue keeps the results of finished cells; nil is a queue in memory.
	Queue Queue
	// Jobs is the number of cells of one model that run at a time; 0 is 1. Total is that number for all models together; 0
	// is no bound.
	Jobs, Total int
	// Timeout bounds one cell; 0 is ten minutes, and less than 0 no bound.
	Timeout time.Duration
	// Strict has final texts compared byte for byte.
	Strict bool
	// Traces is the folder in which each cell has a trace of its own; empty: none is written.
	Traces string
	// KeepTrace reports whether the trace of a result is kept; nil keeps all.
	KeepTrace func(Result) bool
	// OnStart is called with the cells of the plan and the results that exist already, OnResult with each new result.
	// There is one call at a time. Both may be nil.
	OnStart  func(cells []Cell, done []Result)
	OnResult func(Result)
	// Now returns the current time; nil is time.Now. It is called concurrently.
	Now func() time.Time
}

// Run runs the cells that the queue has not finished, and returns the results of all finished cells, in the order of
// the plan. A cell that panics or does not end is Broken, and the others continue. When ctx ends, the remaining cells
// stay unfinished, and the error is that of ctx. When the queue fails, the error is the error of the queue, and the
// results also have those that could not be kept.
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

// work is the state of one run.
type work struct {
	r     *Runner
	queue Queue

	ahead int // of cells that are taken before they can begin

	mu      sync.Mutex
	changed *sync.Cond
	taken   bool // all that can be
	models  map[callwright.ModelID]*modelCells
	order   []*modelCells
	waiting int // of all models, not begun
	playing int
	err     error
	results []Result
	told    sync.Mutex
}

// A modelCells has the cells of one model that were taken and not begun.
type modelCells struct {
	cells   []Cell
	playing int
}

// ahead bounds the cells that are taken before they can begin. Where a queue is shared they are as many as can be
// played, and others get the rest.
const ahead = 256

// all plays all cells. A model that is slow does not hold up the others, as far as cells are taken ahead.
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

// take takes cells until none are left. Take of a queue may block while other cells run.
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

// next is a cell that can begin, once there is one. ok is false when all are finished.
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

// begin takes a cell out of the first model that has one and room for it.
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

// one plays a cell and keeps its result.
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
