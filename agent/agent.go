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

// An Agent runs the tools that a model calls. It is immutable and safe for concurrent use.
type Agent struct {
	model   callwright.Model
	o       options
	err     error // the fault of the options, returned by each run; nil for none
	schemas *schema.Cache
}

// New returns an agent for the model m. m should be a reliable client (package reliable), which corrects invalid calls
// within one response. The agent handles the failures that remain. A nil model or an invalid option is not reported by
// New: each run returns the error.
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

// With returns a new agent with the options of a and further ones. Both agents share the journal. a does not change.
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

// Run starts a run: it sends the messages to the model, runs the tool calls of the response, and repeats both until the
// model answers without calls or the run waits for a person (StopParked). If a run fails, Run returns a *StopError and
// a Result with the progress until then. If an error occurs before the first request, the Result is nil.
func (a *Agent) Run(ctx context.Context, messages ...callwright.Message) (*Result, error) {
	return a.outcome(ctx, beginning(messages))
}

// Stream is like Run and yields the events of the run. The last event is EventFinal, or EventError together with an
// error. If the caller breaks the loop, the run stops; Resume can continue it.
func (a *Agent) Stream(ctx context.Context, messages ...callwright.Message) iter.Seq2[Event, error] {
	return a.events(ctx, beginning(messages))
}

// Resume continues the run id from the last entry of its journal, in this or another process. A call that has ended is
// not made again. A call that had only started is made again if the tool's Effects are EffectsNone or
// EffectsIdempotent. answers are decisions about the calls that wait for a person.
//
// For a run that has ended, Resume returns its result and its error. Errors are KindNotFound for an unknown run,
// KindInvalid for an answer to a call that does not wait, and KindConflict if another process has continued the run.
func (a *Agent) Resume(ctx context.Context, id RunID, answers ...Answer) (*Result, error) {
	return a.outcome(ctx, resuming(id, answers))
}

// StreamResume is like Resume and yields the events of the run, as Stream does.
func (a *Agent) StreamResume(ctx context.Context, id RunID, answers ...Answer) iter.Seq2[Event, error] {
	return a.events(ctx, resuming(id, answers))
}

// A start initializes r: it records a new run (beginning) or loads an existing one (resuming).
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

// outcome executes a run without emitting events and returns its result.
func (a *Agent) outcome(ctx context.Context, start start) (*Result, error) {
	r := &run{a: a, o: &a.o, emit: func(Event) {}}
	if err := r.open(ctx, start); err != nil {
		return nil, err
	}
	err := r.loop(ctx)
	return r.result(), err
}

// errStopped cancels a run when the caller of Stream breaks the loop.
var errStopped = errors.New("agent: the caller stopped reading the events of the run")

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
