package agent

import (
	"context"
	"errors"
	"iter"
	"slices"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/schema"
	"github.com/google/uuid"
)

// An Agent runs tools for a model. It does not change, and is safe for concurrent use.
type Agent struct {
	model   callwright.Model
	o       options
	err     error // what is wrong with the options
	schemas *schema.Cache
}

// New returns an agent of a model, which should be a reliable client: it corrects within one answer, and the agent acts
// on the remaining failures. A nil model and invalid options are the error of each run.
func New(m callwright.Model, opts ...Option) *Agent {
	a := &Agent{model: m, schemas: schema.NewCache(0), o: options{limits: limits{
		maxArguments: DefaultMaxBytes, maxOutput: DefaultMaxBytes, maxSteps: defaultMaxSteps, parallel: defaultParallel, timeout: defaultTimeout,
	}}}
	for _, opt := range opts {
		opt(&a.o)
	}
	if a.o.journal == nil {
		a.o.journal = NewMemory()
	}
	if a.o.failLimit == 0 {
		a.o.failLimit = defaultFailLimit
	}
	if a.o.newID == nil {
		a.o.newID = newRunID
	}
	a.err = a.check()
	return a
}

func newRunID() RunID {
	id, err := uuid.NewV7()
	if err != nil {
		id = uuid.New()
	}
	return RunID("run_" + id.String())
}

// With returns an agent with further options, in the same journal. a stays as it is.
func (a *Agent) With(opts ...Option) *Agent {
	all := func(o *options) {
		*o = a.o
		o.tools, o.sources, o.allow, o.deny = slices.Clip(o.tools), slices.Clip(o.sources), slices.Clip(o.allow), slices.Clip(o.deny)
		o.overrides, o.approvals = slices.Clip(o.overrides), slices.Clip(o.approvals)
		for _, opt := range opts {
			opt(o)
		}
	}
	more := New(a.model, all)
	more.schemas = a.schemas
	return more
}

// Run sends the messages to the model and runs its calls, until it has answered or the run waits for a person
// (StopParked). A run that fails has a *StopError beside the Result, which says how far it came; errors before the
// first request have no Result.
func (a *Agent) Run(ctx context.Context, messages ...callwright.Message) (*Result, error) {
	return a.outcome(ctx, beginning(messages))
}

// Stream is Run with events. The last event is EventFinal, or EventError beside an error. Stopping the loop ends the
// run, which Resume can continue.
func (a *Agent) Stream(ctx context.Context, messages ...callwright.Message) iter.Seq2[Event, error] {
	return a.events(ctx, beginning(messages))
}

// Resume continues with a run from where its journal ends, in any process: a call that has ended is not made again, and
// one that had started only if its effects allow it. answers decide about calls that wait. A run that has ended gives
// its result and its error. An unknown run is KindNotFound, an answer that no call waits for KindInvalid; where another
// process has moved the run on, it is KindConflict.
func (a *Agent) Resume(ctx context.Context, id RunID, answers ...Answer) (*Result, error) {
	return a.outcome(ctx, resuming(id, answers))
}

// StreamResume is Resume with events.
func (a *Agent) StreamResume(ctx context.Context, id RunID, answers ...Answer) iter.Seq2[Event, error] {
	return a.events(ctx, resuming(id, answers))
}

// A start begins a run or loads one.
type start func(ctx context.Context, r *run) error

func beginning(messages []callwright.Message) start {
	return func(ctx context.Context, r *run) error { return r.begin(ctx, messages) }
}

func resuming(id RunID, answers []Answer) start {
	return func(ctx context.Context, r *run) error {
		r.given = answers
		return r.load(ctx, id)
	}
}

// outcome runs without telling of it.
func (a *Agent) outcome(ctx context.Context, start start) (*Result, error) {
	r := &run{a: a, o: &a.o, emit: func(Event) {}}
	if err := r.open(ctx, start); err != nil {
		return nil, err
	}
	err := r.loop(ctx)
	return r.result(), err
}

// errStopped ends a run whose events nobody takes any more.
var errStopped = errors.New("agent: nobody takes the events of the run any more")

func (a *Agent) events(ctx context.Context, start start) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		ctx, cancel := context.WithCancelCause(ctx)
		defer cancel(nil)
		r := &run{a: a, o: &a.o, streamed: true}
		gone := false
		r.emit = func(ev Event) {
			ev.Run = r.st.id
			if ev.Step == 0 {
				ev.Step = r.st.steps
			}
			if !gone && !yield(ev, nil) {
				gone = true
				cancel(errStopped)
			}
		}
		err := r.open(ctx, start)
		if err == nil {
			err = r.loop(ctx)
		}
		if gone {
			return
		}
		if err == nil {
			res := r.result()
			r.emit(Event{Kind: EventFinal, Text: res.Text, Stop: res.Stop, Usage: &res.Usage, Suggested: res.Suggested, Final: res})
			return
		}
		last := Event{Kind: EventError, Text: err.Error()}
		if r.st != nil {
			last.Run, last.Step, last.Usage, last.Suggested = r.st.id, r.st.steps, &r.st.usage, r.suggestModel()
		}
		if stop, ok := errors.AsType[*StopError](err); ok {
			last.Stop = stop.Stop
		}
		yield(last, err)
	}
}
