package outcome

import (
	"context"
	"sync"

	"github.com/callwright/callwright"
)

// An Ending is the outcome of one request, which is decided once. The record of an answer that is made earlier waits
// for it. The zero Ending is undecided. It is safe for concurrent use.
type Ending struct {
	mu      sync.Mutex
	came    Outcome
	class   string
	waiting Recorder
}

// A Recorder records how a request of a model has ended. An empty outcome says that the request of the client goes on.
type Recorder func(came Outcome, class string)

// Decide decides the outcome by a report and by whether the request failed, as Of, and calls the waiting functions.
// Only the first call decides.
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

// Outcome is the outcome and, of one that is Healed, the class of the failure. Both are empty before they are decided.
func (e *Ending) Outcome() (came Outcome, class string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.came, e.class
}

// Await has record called once: when the outcome is decided, on the goroutine that decides, or at once where it is.
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

// Continue says that a model is asked again for the same request of a client: waiting entries are recorded without an
// outcome.
func (e *Ending) Continue() { e.release() }

// release calls the waiting functions.
func (e *Ending) release() {
	e.mu.Lock()
	record, came, class := e.waiting, e.came, e.class
	e.waiting = nil
	e.mu.Unlock()
	if record != nil {
		record(came, class)
	}
}

// endingKey is the key of the Ending in a context.
type endingKey struct{}

// With returns a context that has e.
func With(ctx context.Context, e *Ending) context.Context {
	return context.WithValue(ctx, endingKey{}, e)
}

// From returns the Ending of a context, nil where it has none.
func From(ctx context.Context) *Ending {
	e, _ := ctx.Value(endingKey{}).(*Ending)
	return e
}
