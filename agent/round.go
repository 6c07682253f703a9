package agent

import (
	"context"
	"fmt"
	"sync"

	"github.com/callwright/callwright"
)

// A runnableCall is a tool call with valid arguments that may run now.
type runnableCall struct {
	p         *pending
	tool      *Tool
	arguments []byte
	warnings  []string
}

// runRound runs the calls of the last response that need no approval. parked is true if other calls wait for a person's
// decision.
func (r *run) runRound(ctx context.Context) (parked bool, err error) {
	var calls []runnableCall
	for _, p := range r.st.round.calls {
		if p.ended {
			continue
		}
		one, err := r.prepare(ctx, p)
		if err != nil || r.st.stopped != nil {
			return false, err
		}
		if one != nil {
			calls = append(calls, *one)
		}
	}
	if err := r.runAll(ctx, calls); err != nil || r.st.round == nil {
		return false, err
	}
	decided, err := r.ask(ctx)
	return !decided, err
}

// prepare checks a call. It returns the call if it may run now, and nil if the call has ended with an error or waits
// for a person.
func (r *run) prepare(ctx context.Context, p *pending) (*runnableCall, error) {
	tool, arguments, bad := r.check(ctx, p)
	switch {
	case p.started && (bad != nil || !tool.Effects.areRepeatable()):
		return nil, r.end(ctx, p, failure(CodeInterrupted,
			"the call had started when the run was broken off, and nobody knows whether it ended; it was not made again"))
	case bad != nil:
		if over, err := r.endless(ctx, p); over || err != nil {
			return nil, err
		}
		return nil, r.end(ctx, p, bad)
	case p.decision == No:
		return nil, r.end(ctx, p, failure(CodeDenied, "a person has denied this call"))
	}
	one := &runnableCall{p: p, tool: tool, arguments: arguments}
	if p.started {
		one.warnings = append(one.warnings, "the run was broken off during this call, which was made again")
	} else if over, err := r.guard(ctx, one); over || err != nil {
		return nil, err
	}
	if waits, err := r.waits(ctx, one); waits || err != nil {
		return nil, err
	}
	return one, nil
}

// waits reports whether a call needs a decision of a person that is not given yet. It records the question once. A
// resumed run may have an agent that requires fewer approvals.
func (r *run) waits(ctx context.Context, one *runnableCall) (bool, error) {
	p := one.p
	if p.decision != "" || p.started {
		return false, nil
	}
	ask := r.whyAsk(ctx, one.tool, one.arguments)
	if ask.why == "" || p.asked != "" && (p.each || !ask.each) { // the call rules may have changed
		return ask.why != "", nil
	}
	if err := r.record(ctx, p.call.ID, ask); err != nil {
		return false, err
	}
	r.emit(Event{Kind: EventApproval, Call: p.call.ID, Name: p.call.Name, Arguments: p.call.Arguments, Text: ask.why})
	return true, nil
}

// guard reacts to calls that the model repeats with equal results: it adds a warning, refuses the call, or ends the
// run. over is true if the call must not run.
func (r *run) guard(ctx context.Context, one *runnableCall) (over bool, err error) {
	if one.tool.Polling {
		return false, nil
	}
	if over, err := r.endless(ctx, one.p); over || err != nil {
		return over, err
	}
	switch n := r.st.history.repeats(r.st.round.sum()); {
	case n >= loopRefused:
		r.note(one.p, "loop.repeated", "refused", fmt.Sprintf("made %d times before with the same result", n))
		return true, r.end(ctx, one.p, failure(CodeNotAllowed,
			"this call was made %d times with the same result and is not made again; use what it gave, or do something else", n))
	case n >= loopTold:
		r.note(one.p, "loop.repeated", "told", fmt.Sprintf("made %d times before with the same result", n))
		one.warnings = append(one.warnings, fmt.Sprintf("this call was made %d times before with the same result", n))
	}
	return false, nil
}

// endless ends the run if the model has repeated the same calls loopEnds times. over is true if it did. It is also used
// for calls that cannot be run.
func (r *run) endless(ctx context.Context, p *pending) (over bool, err error) {
	n := r.st.history.repeats(r.st.round.sum())
	if n < loopEnds {
		return false, nil
	}
	return true, r.stop(ctx, StopLoop, fmt.Sprintf("the model repeats the same calls: %s, %d times",
		callwright.Excerpt(p.call.Name), n+1))
}

// end records and reports the result e of a call that was not run.
func (r *run) end(ctx context.Context, p *pending, e *Envelope) error {
	if err := r.record(ctx, p.call.ID, ended{result: e.result(&p.call, nil), code: e.code()}); err != nil {
		return err
	}
	r.emit(Event{Kind: EventResult, Call: p.call.ID, Name: p.call.Name, Arguments: p.call.Arguments, Result: e})
	return nil
}

// runAll runs the calls, at most WithParallel at a time. It records each call before it starts and after it has ended.
func (r *run) runAll(ctx context.Context, calls []runnableCall) error {
	inner, cancel := context.WithCancel(ctx)
	outcomes := make(chan outcome, len(calls)) // buffered, so that a call never blocks if the receiver panics
	var board *progressBoard
	var news chan struct{}
	if r.streamed {
		board = newProgressBoard()
		news = board.ready
	}
	var running sync.WaitGroup
	defer running.Wait()
	defer cancel()
	next, open := 0, 0
	var failed error
	for {
		for failed == nil && next < len(calls) && open < r.o.parallel {
			one := calls[next]
			next++
			if failed = r.start(ctx, one.p); failed != nil {
				break
			}
			open++
			running.Go(func() { outcomes <- r.call(inner, one, board) })
		}
		if failed == nil && ctx.Err() != nil {
			failed = ctx.Err()
		}
		if failed != nil {
			cancel()
		}
		if open == 0 {
			return failed
		}
		select {
		case <-news:
			r.tellProgress(board)
		case out := <-outcomes:
			open--
			r.tellProgress(board) // progress precedes the result
			if err := r.finish(ctx, out); err != nil && failed == nil {
				failed = err
			}
		}
	}
}

// start records that a call starts, unless a previous process recorded it, and emits an EventCall.
func (r *run) start(ctx context.Context, p *pending) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if !p.started {
		if err := r.record(ctx, p.call.ID, started{}); err != nil {
			return err
		}
	}
	r.emit(Event{Kind: EventCall, Call: p.call.ID, Name: p.call.Name, Arguments: p.call.Arguments})
	return nil
}

// finish records and reports the outcome of a call. It also records after ctx is canceled, so that the call is not
// repeated.
func (r *run) finish(ctx context.Context, out outcome) error {
	if out.broken {
		return nil
	}
	ms := float64(out.took.Microseconds()) / 1000
	if err := r.record(context.WithoutCancel(ctx), out.p.call.ID, ended{out.result, out.code, ms}); err != nil {
		return err
	}
	r.emit(Event{Kind: EventResult, Call: out.p.call.ID, Name: out.p.call.Name, Arguments: out.p.call.Arguments,
		Result: envelopeOf(out.result), MS: ms})
	return nil
}

// note emits an EventNote about a tool call. rule, now (the reaction, such as "refused") and why become fields of Note.
func (r *run) note(p *pending, rule, now, why string) {
	n := callwright.Note{Rule: rule, Call: p.call.Name, Now: now, Why: why}
	r.emit(Event{Kind: EventNote, Call: p.call.ID, Name: p.call.Name, Note: &n})
}
