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

// A state is the progress of a run. It is computed from the journal entries alone, so that any process can resume the
// run.
type state struct {
	id       RunID
	setup    json.RawMessage // the value of WithSetup
	last     uint64          // the number of journal entries
	messages []callwright.Message
	response *callwright.Response // the model's last response
	steps    int                  // the number of the model's responses
	usage    Usage
	round    *round // the calls of the last response, nil when all have ended
	allowed  map[string]bool
	ids      map[string]bool // ids of all calls in the conversation
	history  history
	added    map[string]int // number of messages that the loop added, by reason
	lastAdd  string         // reason of the message added since the last response, "" for none
	own      []int          // indexes in messages of those that the loop added
	bad      int            // consecutive responses whose calls could not be run
	model    int            // index in the fallback chain; 0 is the agent's own model
	worked   int            // number of successful calls
	failing  map[string]bool
	verified *verified // the verdict on the last answer; nil if it was not verified
	begun    bool
	stopped  *stopped

	cost func(callwright.Usage) float64 // nil if costs are not counted

	at    time.Time // time of the last entry; zero after Decide until the run is resumed
	spent time.Duration

	decided []Decided
}

func newState(id RunID, cost func(callwright.Usage) float64) *state {
	return &state{id: id, cost: cost, allowed: map[string]bool{}, ids: map[string]bool{}, added: map[string]int{}, failing: map[string]bool{}}
}

// A round contains the tool calls of one model response.
type round struct {
	calls     []*pending
	truncated bool // the response was truncated, so its last call may be incomplete

	calledSum uint64 // cached result of sum, valid if summed
	summed    bool
}

// A pending is a tool call of the current round, with its progress.
type pending struct {
	call     callwright.Call
	asked    string // why the call needs approval, "" if it does not
	once     bool   // one yes covers all calls of the tool
	each     bool   // decisions about other calls of the tool do not count
	decision Decision
	started  bool
	ended    bool
	result   callwright.Result
	code     Code
}

// find returns the call of the current round with the given id, nil if there is none.
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

// apply updates the state by the record of a journal entry. call is the id of the call that the entry describes, at the
// time of the entry. A record that follows rejects is an error.
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
		if rec.recordedByDecide {
			st.at = time.Time{} // the time until the run is resumed does not count
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

// addElapsedTime adds the time since the previous entry to spent, unless the run was waiting for a person.
func (st *state) addElapsedTime(at time.Time) {
	if !st.at.IsZero() && st.waiting() == nil && at.After(st.at) {
		st.spent += at.Sub(st.at)
	}
	st.at = at
}

// waiting returns the tool calls that wait for a person's decision.
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
			return callwright.Errorf("agent.run", callwright.KindInternal, "", "expected a cost from the function of WithMaxCost, got %g", cost)
		}
		st.usage.Cost += cost
	}
	st.usage.Requests++
	st.usage.Input += u.Input
	st.usage.Output += u.Output
	return nil
}

// answer applies a response of the model: it adds the message to the conversation and starts a round for its calls.
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

// endRound adds the tool results to the conversation, in the order of the calls, once all calls have ended.
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

// failedTools returns the sorted names of the tools whose last call failed.
func (st *state) failedTools() []string { return slices.Sorted(maps.Keys(st.failing)) }

// freshID returns an id for call number n (from 0) of the next response, such as "call_2_1". It is unique among the ids
// of the run and the ids in taken.
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
