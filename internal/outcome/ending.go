package outcome

import (
	"context"
	"sync"

	"github.com/callwright/callwright"
)

// An Ending is the outcome of one request, which is set once. A record of an answer that is written before the outcome
// is known waits for it. The zero Ending has no outcome yet. It is safe for concurrent use.
type Ending struct {
	mu      sync.Mutex
	came    Outcome  // "" before Decide
	class   string   // failure class if came is Healed
	waiting Recorder // called when the outcome is known
}

// A Recorder records the outcome of a model request. class is the failure class if the outcome is Healed. An empty
// outcome means that the client's request continues with another model request.
type Recorder func(came Outcome, class string)

// Decide sets the outcome, computed by Of, and calls the waiting Recorder. It returns the outcome. Only the first call
// sets it.
func (e *Ending) Decide(rep *callwright.Report, failed bool) Outcome {
	e.mu.Lock()
	if e.came == "" {
		if e.came = Of(rep, failed); e.came == Healed {
			e.class = Class(rep)
		}
	}
	came := e.came
	e.mu.Unlock()
	e.release()
	return came
}

// Outcome returns the outcome and, if it is Healed, the failure class. Both are empty before Decide.
func (e *Ending) Outcome() (came Outcome, class string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.came, e.class
}

// Await registers a Recorder, which is called once. If the outcome is already set, it is called immediately. Otherwise
// the next call of Decide or Continue calls it and waits until it returns.
func (e *Ending) Await(record Recorder) {
	e.mu.Lock()
	decided := e.came != ""
	if !decided {
		e.waiting = record
	}
	e.mu.Unlock()
	if decided {
		record(e.Outcome())
	}
}

// Continue is called if another model request follows for the same client request. It calls the waiting Recorder with
// an empty outcome.
func (e *Ending) Continue() { e.release() }

// release calls the waiting Recorder.
func (e *Ending) release() {
	e.mu.Lock()
	record, came, class := e.waiting, e.came, e.class
	e.waiting = nil
	e.mu.Unlock()
	if record != nil {
		record(came, class)
	}
}

// endingKey is the context key of an Ending.
type endingKey struct{}

// With returns a context that contains e.
func With(ctx context.Context, e *Ending) context.Context {
	return context.WithValue(ctx, endingKey{}, e)
}

// From returns the Ending of a context, or nil if there is none.
func From(ctx context.Context) *Ending {
	e, _ := ctx.Value(endingKey{}).(*Ending)
	return e
}
