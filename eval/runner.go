package eval

import (
	"context"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/agent"
	"github.com/callwright/callwright/trace"
)

// Version is that of the form of results.
const Version = 1

// A Task is a cell that is about to be played.
type Task struct {
	Cell     Cell
	Scenario *Scenario // must not be changed
	// Trace records the cell, nil where nobody asks for it. Open puts its Transport around that of each provider, so that the bytes are
	// recorded too; the model itself is recorded by the runner.
	Trace *trace.Writer
}

// A Session is what a cell is played with. It belongs to that cell alone.
type Session struct {
	Model callwright.Model // should be a reliable client: its reports are where most of a Result comes from
	// Change is made to each request, such as for sampling parameters; nil for none. See agent.WithRequest.
	Change func(*callwright.Request)
	// Options go to the agent after those of the scenario.
	Options []agent.Option
	// Skip is why the combination makes no sense, such as a profile that is not for the model; the result is then Skipped. Empty: it does.
	Skip string
	// Close ends what the session holds; nil where there is nothing.
	Close func()
}

// A Runner plays the cells of a plan. Its members are set before Run and not changed afterwards.
type Runner struct {
	Plan *Plan
	// Header says what is measured, as Plan.Header makes it.
	Header Header
	// Open makes the session of a cell. It is called by several goroutines at once. An error is the cell's: Refused where it is a provider's, else Broken.
	Open func(ctx context.Context, t Task) (*Session, error)
	// Queue keeps what is done; nil is a queue in memory.
	Queue Queue
	// Jobs is how many cells of one model are played at a time, Total how many of all; 0 is 1, and no bound.
	Jobs, Total int
	// Timeout bounds one cell; 0 is ten minutes, and less than 0 no bound.
	Timeout time.Duration
	// Strict has final texts compared byte for byte.
	Strict bool
	// Traces is the folder in which each cell has a trace of its own; empty: none is written.
	Traces string
	// KeepTrace says which traces stay; nil: all.
	KeepTrace func(Result) bool
	// OnStart is told the cells of the plan and the results that are there already, OnResult each one that is kept anew; one call at a time. Nil:
	// nobody is told.
	OnStart  func(cells []Cell, done []Result)
	OnResult func(Result)
	// Now is the time; nil is time.Now. Several goroutines ask at once.
	Now func() time.Time
}

// Run plays the cells that the queue has not finished, and returns the results of all that are finished, in the order of the plan. A cell that
// panics or does not end is Broken, and the others go on. When ctx ends, cells that are not finished stay so, and the error is that of ctx.
func (r *Runner) Run(ctx context.Context) ([]Result, error) { return nil, nil }
