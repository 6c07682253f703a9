package agent

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/callwright/callwright"
)

// A state is the progress of a run. It is derived from the entries of the journal alone, so that a run can be resumed
// from its journal.
type state struct {
	id       RunID
	setup    json.RawMessage // of the program
	last     uint64          // the number of the last entry
	messages []callwright.Message
	response *callwright.Response // the last answer
	steps    int                  // answers
	usage    Usage
	round    *round // the calls of the last answer, until each has ended
	allowed  map[string]bool
	ids      map[string]bool // of calls
	history  history
	added    map[string]int // messages of the loop to the model, by reason
	lastAdd  string         // the reason of the message that was added since the last answer
	own      []int          // the places of these messages
	bad      int            // answers on end whose calls could not be run
	model    int            // the place in the fallback chain; 0: the agent's own
	worked   int            // successful calls
	failing  map[string]bool
	verified *verified // the verdict on the last answer; nil if the verifier was not asked
	begun    bool
	stopped  *stopped

	cost func(callwright.Usage) float64 // nil: nothing costs anything

	at    time.Time // of the last entry; zero where no process has continued the run since a person has decided
	spent time.Duration

	decided []Decided
}

func newState(id RunID, cost func(callwright.Usage) float64) *state {
	return &state{id: id, cost: cost, allowed: map[string]bool{}, ids: map[string]bool{}, added: map[string]int{}, failing: map[string]bool{}}
}

// A round is the calls of one answer.
type round struct {
	calls     []*pending
	truncated bool // the answer was cut, so the last call may be

	calledSum uint64 // of the calls, once it was needed
	summed    bool
}

// A pending is a call of the round.
type pending struct {
	call     callwright.Call
	asked    string // why a person is asked
	once     bool   // and yes is said to all calls of the tool
	each     bool   // decisions about other calls of the tool do not count
	decision Decision
	started  bool
	ended    bool
	result   callwright.Result
	code     Code
}

// find returns a call of the round by its id.
func (st *state) find(id string) *pending {
	if st.round == nil {
		return nil
	}
	i := slices.IndexFunc(st.round.calls, func(p *pending) bool { return p.call.ID == id })
	if i < 0 {
		return nil
	}
	return st.round.calls[i]
}

// apply updates the state by a journal record about a call; other records change nothing.
func (st *state) apply(rec record, call string, at time.Time) error {
	p := st.find(call)
	if !st.follows(rec, p) {
		return misplacedError(rec, call)
	}
	st.addElapsedTime(at)
	switch rec := rec.(type) {
	case begun:
		st.begun = true
		st.messages, st.setup = rec.messages, rec.setup
		for _, m := range rec.messages {
			for _, c := range callwright.CallsOf(m.Parts) {
				st.ids[c.ID] = true
			}
		}
		return nil
	case answered:
		return st.answer(rec.response)
	case verified:
		st.verified = &rec
		if rec.verdict != nil {
			return st.spend(rec.verdict.Usage)
		}
		return nil
	case added:
		st.own = append(st.own, len(st.messages))
		st.messages = append(st.messages, rec.message)
		st.added[rec.why]++
		st.lastAdd = rec.why
		return nil
	case moved:
		st.model, st.bad = rec.model, 0
		return nil
	case stopped:
		st.stopped = &rec
		return nil
	case asked:
		p.asked, p.once, p.each = rec.why, rec.once, rec.each
	case decided:
		p.decision = rec.decision
		if rec.decision == Always {
			st.allowed[p.call.Name] = true
		}
		st.decided = append(st.decided, Decided{p.call.ID, p.call.Name, rec.decision, rec.by, at})
		if rec.apart {
			st.at = time.Time{} // until a process goes on, no time of the run passes
		}
	case started:
		p.started = true
	case ended:
		p.ended, p.result, p.code = true, rec.result, rec.code
		if p.started {
			st.usage.Calls++
		}
		st.endRound()
	}
	return nil
}

// addElapsedTime counts the time since the entry before, unless the run waited for a person.
func (st *state) addElapsedTime(at time.Time) {
	if !st.at.IsZero() && st.waiting() == nil && at.After(st.at) {
		st.spent += at.Sub(st.at)
	}
	st.at = at
}

// waiting returns the calls that wait for the decision of a person.
func (st *state) waiting() (out []*pending) {
	if st.round == nil {
		return nil
	}
	for _, p := range st.round.calls {
		if p.asked != "" && p.decision == "" && !p.ended && (p.each || !st.allowed[p.call.Name]) {
			out = append(out, p)
		}
	}
	return out
}

// spend adds the tokens and the cost of a request to the usage of the run. A cost that is negative, infinite or NaN is
// an error of KindInternal.
func (st *state) spend(u callwright.Usage) error {
	if st.cost != nil {
		cost, err := callWithRecover("the function of WithMaxCost", func() (float64, error) { return st.cost(u), nil })
		if err != nil {
			return err
		}
		if math.IsNaN(cost) || math.IsInf(cost, 0) || cost < 0 {
			return callwright.Errorf("agent.run", callwright.KindInternal, "", "the function of WithMaxCost gave %g, which is no cost", cost)
		}
		st.usage.Cost += cost
	}
	st.usage.Requests++
	st.usage.Input += u.Input
	st.usage.Output += u.Output
	return nil
}

// answer takes an answer of the model.
func (st *state) answer(resp *callwright.Response) error {
	if err := st.spend(resp.Usage); err != nil {
		return err
	}
	st.steps++
	st.response, st.verified, st.lastAdd = resp, nil, ""
	st.messages = append(st.messages, resp.Message())
	calls := resp.Calls()
	if len(calls) == 0 {
		return nil
	}
	st.round = &round{truncated: resp.Finish == callwright.FinishLength}
	for _, c := range calls {
		st.ids[c.ID] = true
		st.round.calls = append(st.round.calls, &pending{call: c})
	}
	return nil
}

// endRound gives the model the results, in the order of the calls, when each call has ended.
func (st *state) endRound() {
	if slices.ContainsFunc(st.round.calls, func(p *pending) bool { return !p.ended }) {
		return
	}
	m := callwright.Message{Role: callwright.RoleTool}
	run := false
	st.history.add(st.round)
	for _, p := range st.round.calls {
		m.Parts = append(m.Parts, p.result)
		switch {
		case p.code == "":
			st.worked++
			delete(st.failing, p.call.Name)
		case p.code.ofTool():
			st.failing[p.call.Name] = true
		}
		run = run || p.code != CodeUnknownTool && p.code != CodeInvalidArguments
	}
	st.bad++
	if run {
		st.bad = 0
	}
	st.messages = append(st.messages, m)
	st.round = nil
}

// failedTools returns the names of the tools whose last call failed, sorted.
func (st *state) failedTools() []string { return slices.Sorted(maps.Keys(st.failing)) }

// freshID returns an id for a call whose own id cannot be kept. The id depends only on the place of the call and on the
// ids already taken.
func (st *state) freshID(n int, taken map[string]bool) string {
	for k := 0; ; k++ {
		id := fmt.Sprintf("call_%d_%d", st.steps+1, n+1)
		if k > 0 {
			id = fmt.Sprintf("%s_%d", id, k)
		}
		if !st.ids[id] && !taken[id] {
			return id
		}
	}
}
