package agent

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/spelling"
)

// A run is the execution of one run in this process.
type run struct {
	a           *Agent
	o           *options
	st          *state
	tools       *toolset
	given       []Answer // decisions passed to Resume
	by          string   // the person who decided; "" if unknown
	recordsOnly bool     // Decide records decisions and does not continue the run
	streamed    bool
	emit        func(Event)
	failing     failing
	usables     map[string]bool // whether a source's tool can be offered, by name and schema
	notes       []callwright.Note
	told        map[callwright.Note]bool // emitted notes that later requests repeat
	clock       *time.Timer              // fires at the time limit of the run; nil without a limit
	until       time.Time
	expire      func() // the function that clock calls
}

// open calls start, which begins or loads a run, and then emits EventRun, followed by the events that start emitted.
func (r *run) open(ctx context.Context, start start) error {
	if r.a.err != nil {
		return r.a.err
	}
	tell := r.emit
	var early []Event // events before EventRun
	r.emit = func(ev Event) { early = append(early, ev) }
	if err := start(ctx, r); err != nil {
		return err
	}
	r.emit = func(ev Event) {
		if ev.Note != nil {
			n := *ev.Note
			if strings.HasPrefix(n.Rule, "loop.") { // notes in reports already have a class
				n = n.Classify()
			}
			r.notes, ev.Note = append(r.notes, n), &n
		}
		tell(ev)
	}
	r.emit(Event{Kind: EventRun})
	for _, ev := range early {
		r.emit(ev)
	}
	return nil
}

// begin creates a run with the given messages and records it in the journal.
func (r *run) begin(ctx context.Context, messages []callwright.Message) error {
	if len(messages) == 0 {
		return callwright.Errorf("agent.run", callwright.KindInvalid, "", "expected at least one message")
	}
	if r.o.mode == ModeEnforced && !r.o.allowUnreliable {
		if d, ok := r.a.model.(callwright.Describer); ok && unreliable(d.Caps(ctx)) {
			return callwright.Errorf("agent.run", callwright.KindUnsupported, "",
				"the mode enforced needs calls, but those of the model are known to be unreliable: set allow_unreliable to use it")
		}
	}
	id, err := callWithRecover("the function of WithRunID", func() (RunID, error) { return r.o.newID(), nil })
	if err != nil {
		return err
	}
	st := newState(id, r.o.cost)
	if r.tools, err = r.gather(ctx); err == nil {
		err = r.callable()
	}
	if err != nil {
		return err
	}
	r.st = st
	if r.o.system != "" {
		messages = append([]callwright.Message{{Role: callwright.RoleSystem,
			Parts: []callwright.Part{callwright.Text{Text: r.o.system}}}}, messages...)
	}
	return r.record(ctx, "", begun{append([]callwright.Message(nil), messages...), r.o.setup})
}

// callable returns an error if the options require a call and no offered tool permits it.
func (r *run) callable() error {
	o, offered := r.o, r.tools.offered
	if o.mode == ModeDisabled {
		return nil
	}
	if o.mode == ModeEnforced && len(offered) == 0 {
		return badOption("/tool_use_mode", "the mode enforced requires a call, but no tool is offered%s", r.tools.whyNone())
	}
	names := make([]string, len(offered))
	for i := range offered {
		names[i] = offered[i].Name
	}
	for _, name := range o.choice.Names {
		switch near := spelling.Nearest(name, names); {
		case r.tools.byName[name] != nil:
		case near != "":
			return badOption("/tool_choice", "no tool %q is offered: did you mean %s?", callwright.Excerpt(name), near)
		default:
			return badOption("/tool_choice", "no tool %q is offered", callwright.Excerpt(name))
		}
	}
	return nil
}

// load restores the state of a run from its journal.
func (r *run) load(ctx context.Context, id RunID) error {
	if _, err := r.read(ctx, id); err != nil {
		return err
	}
	r.st.at = time.Now()
	return nil
}

// read builds r.st from the journal entries of the run and returns them. An unknown run is KindNotFound.
func (r *run) read(ctx context.Context, id RunID) ([]Entry, error) {
	entries, last, err := r.o.journal.Load(ctx, id)
	if err != nil {
		return nil, err
	}
	if len(entries) == 0 || entries[0].Kind != entryBegun {
		return nil, callwright.Errorf("agent.resume", callwright.KindNotFound, "", "there is no run %q", callwright.Excerpt(string(id)))
	}
	r.st = newState(id, r.o.cost)
	for _, e := range entries {
		rec, err := decode(e)
		if err == nil {
			err = r.st.apply(rec, e.Call, e.Time)
		}
		if err != nil {
			return nil, err
		}
	}
	r.st.last = last
	return entries, nil
}

// record appends an entry to the journal and applies it to the state.
func (r *run) record(ctx context.Context, call string, rec record) error {
	data, err := encode(rec)
	if err != nil {
		return err
	}
	e := Entry{Kind: rec.kind(), Time: time.Now(), Call: call, Data: data}
	last, err := r.o.journal.Append(ctx, r.st.id, r.st.last, e)
	if err != nil {
		return err
	}
	r.st.last = last
	return r.st.apply(rec, call, e.Time)
}

// errTime is the cause that cancels the calls when the time limit of the run is reached.
var errTime = errors.New("agent: the time limit of the run is reached")

// loop executes the run until it ends, fails or is parked.
func (r *run) loop(ctx context.Context) error {
	inner, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	if r.o.maxTime > 0 {
		left := max(r.o.maxTime-r.st.spent, 0)
		r.until = time.Now().Add(left)
		r.expire = func() { cancel(errTime) }
		r.clock = time.AfterFunc(left, r.expire)
		defer r.clock.Stop()
	}
	err := r.work(inner)
	if err == nil || r.st.stopped != nil || ctx.Err() != nil || context.Cause(inner) != errTime {
		return err
	}
	if err := r.stop(ctx, StopTime, fmt.Sprintf("the run reached its time limit of %s", r.o.maxTime)); err != nil {
		return err
	}
	return r.stopError()
}

// hold stops the timer of the run's time limit while a person is asked. goOn restarts it.
func (r *run) hold() (goOn func()) {
	if r.clock == nil || !r.clock.Stop() {
		return func() {}
	}
	asked := time.Now()
	return func() {
		r.until = r.until.Add(time.Since(asked))
		r.clock.Reset(max(time.Until(r.until), 0))
	}
}

// work repeats requests and calls until the run ends or is parked.
func (r *run) work(ctx context.Context) (err error) {
	if r.st.stopped != nil && len(r.given) == 0 {
		return r.stopError() // first, because the tools may not exist any more
	}
	if r.tools == nil {
		if r.tools, err = r.gather(ctx); err != nil {
			return err
		}
	}
	if len(r.given) > 0 {
		if err := r.answers(ctx, r.given); err != nil {
			return err
		}
	}
	for r.st.stopped == nil {
		if r.clock != nil && !time.Now().Before(r.until) {
			r.expire() // the timer may be late on a busy machine
		}
		if err := context.Cause(ctx); err != nil {
			return err
		}
		if r.st.round != nil {
			parked, err := r.runRound(ctx)
			if err != nil || parked {
				return err
			}
			continue
		}
		if r.st.response != nil && r.st.lastAdd == "" && len(r.st.response.Calls()) == 0 {
			if err := r.afterAnswer(ctx); err != nil {
				return err
			}
			continue
		}
		if over, err := r.overBudget(ctx); over || err != nil {
			if err != nil {
				return err
			}
			continue
		}
		if err := r.askModel(ctx); err != nil {
			return err
		}
	}
	return r.stopError()
}

// stopError returns the *StopError of a run that has ended, nil if it ended with an answer.
func (r *run) stopError() error {
	if r.st.stopped.stop == StopAnswered {
		return nil
	}
	return &StopError{Run: r.st.id, Stop: r.st.stopped.stop, Message: r.st.stopped.message}
}

// stop records the end of the run with its reason in the journal.
func (r *run) stop(ctx context.Context, why Stop, message string) error {
	return r.record(ctx, "", stopped{why, message})
}

// overBudget ends the run if it has reached its limit of steps, tokens or cost. It reports whether it did.
func (r *run) overBudget(ctx context.Context) (bool, error) {
	u := r.st.usage
	switch o := r.o; {
	case o.maxSteps > 0 && r.st.steps >= o.maxSteps:
		return true, r.stop(ctx, StopSteps, fmt.Sprintf("no answer after %d steps", r.st.steps))
	case o.maxTokens > 0 && u.Input+u.Output >= o.maxTokens:
		return true, r.stop(ctx, StopTokens, fmt.Sprintf("the run used %d tokens and reached its limit of %d", u.Input+u.Output, o.maxTokens))
	case o.maxCost > 0 && u.Cost >= o.maxCost:
		return true, r.stop(ctx, StopCost, fmt.Sprintf("the run cost %g and reached its limit of %g", u.Cost, o.maxCost))
	}
	return false, nil
}

// result returns the Result for the current state of the run.
func (r *run) result() *Result {
	st := r.st
	res := &Result{ID: st.id, Response: st.response, Messages: st.messages, Steps: st.steps, Usage: st.usage, Notes: r.notes}
	if st.response != nil && len(st.response.Calls()) == 0 {
		res.Text = strings.TrimSpace(st.response.Text())
	}
	for _, p := range st.waiting() {
		res.Waiting, res.Stop = append(res.Waiting, r.question(p)), StopParked
	}
	if st.stopped != nil {
		res.Stop = st.stopped.stop
	}
	res.Suggested = r.suggestModel()
	return res
}

// suggestModel returns the id of the next model of the fallback chain after too many bad calls in a row. It returns ""
// if there is no next model or if that model has no id.
func (r *run) suggestModel() callwright.ModelID {
	if r.bad() >= r.o.failLimit && r.st.model < len(r.o.chain) {
		if m, ok := r.o.chain[r.st.model].(callwright.Identifier); ok {
			return m.ID()
		}
	}
	return ""
}
