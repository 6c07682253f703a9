package outbound

import "github.com/callwright/callwright"

// A place is where a part stands in a history, or a whole message.
type place struct{ message, part int }

// allParts is the part of a place that is a message.
const allParts = -1

// pairing is which result of a history answers which call. A call has one result at most, and a result one call.
type pairing struct {
	calls  []pastCall
	callAt map[place]int // numbers in calls, by where they stand
	answer map[place]int // numbers in calls that results answer, by where the results stand
}

// pastCall is a call of a history. Turns of the model that follow one another are one: its run.
type pastCall struct {
	callwright.Call
	at       place
	run      int
	answered bool
	result   place
}

// pair finds the calls that results answer, over the whole history: a result may stand after further turns of the model or of the
// user. A result with an id answers a call with it: of several the first one that waits in the latest turn that has any. One without an id
// answers the first call of its tool, or of any tool where it names none, that waits in the latest turn. Last of all, a result may
// stand before its call, if nothing before has that id and none stands between the call and the next turn of the model: what comes
// after that turn must not change what was sent before it.
func pair(msgs []callwright.Message) *pairing {
	p := &pairing{callAt: map[place]int{}, answer: map[place]int{}}
	var byID waiting[string]
	var byName waiting[string]
	var any waiting[struct{}]
	run := 0
	early := earlyResults{at: map[string][]place{}, calls: map[string]int{}}
	for i, m := range msgs {
		if i > 0 && m.Role == callwright.RoleAssistant && msgs[i-1].Role != callwright.RoleAssistant {
			run++
			byName, any = waiting[string]{}, waiting[struct{}]{}
			p.pairEarly(&early)
		}
		for k, part := range m.Parts {
			at := place{i, k}
			switch part := part.(type) {
			case callwright.Call:
				n := len(p.calls)
				p.calls, p.callAt[at] = append(p.calls, pastCall{Call: part, at: at, run: run}), n
				byID.add(part.ID, run, n)
				byName.add(part.Name, run, n)
				any.add(struct{}{}, run, n)
			case callwright.Result:
				var n int
				switch {
				case part.CallID != "":
					n = byID.take(part.CallID, p.calls)
				case part.Name != "":
					n = byName.take(part.Name, p.calls)
				default:
					n = any.take(struct{}{}, p.calls)
				}
				if n < 0 {
					early.at[part.CallID] = append(early.at[part.CallID], at)
					continue
				}
				p.answers(at, n)
			}
		}
	}
	p.pairEarly(&early)
	return p
}

func (p *pairing) answers(at place, n int) {
	p.calls[n].answered, p.calls[n].result = true, at
	p.answer[at] = n
}

// earlyResults are results for which no call waited, by their ids, and how many calls have an id.
type earlyResults struct {
	at      map[string][]place
	calls   map[string]int
	settled int // the calls that were looked at
}

// pairEarly takes results that stand before their calls, for the calls since it was called last: one of an id that no other call and no
// other result up to here has.
func (p *pairing) pairEarly(early *earlyResults) {
	from := early.settled
	for early.settled < len(p.calls) {
		early.calls[p.calls[early.settled].ID]++
		early.settled++
	}
	for n := from; n < len(p.calls); n++ {
		c := &p.calls[n]
		if at := early.at[c.ID]; c.ID != "" && !c.answered && early.calls[c.ID] == 1 && len(at) == 1 {
			p.answers(at[0], n)
		}
	}
}

// waiting are the calls that wait for their results, by what results say of them: those of the latest run alone, since a result that
// could belong to it is none of an older call. Each is taken once; taking is linear in all calls.
type waiting[K comparable] struct{ runs map[K]runOfCalls }

// runOfCalls are the calls of one run that wait, in order.
type runOfCalls struct {
	run   int
	calls []int
}

func (w *waiting[K]) add(key K, run, n int) {
	if w.runs == nil {
		w.runs = map[K]runOfCalls{}
	}
	r := w.runs[key]
	if r.run != run {
		r = runOfCalls{run: run}
	}
	r.calls = append(r.calls, n)
	w.runs[key] = r
}

// take takes the first call of the latest run that waits, -1 where none does.
func (w *waiting[K]) take(key K, calls []pastCall) int {
	r := w.runs[key]
	for i, n := range r.calls {
		if !calls[n].answered {
			r.calls = r.calls[i+1:]
			w.runs[key] = r
			return n
		}
	}
	delete(w.runs, key)
	return -1
}
