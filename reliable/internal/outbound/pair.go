package outbound

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/callid"
)

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

// pastCall is a call of a history.
type pastCall struct {
	callwright.Call
	at       place
	answered bool
	result   place
}

// pair finds the calls that results answer, over the whole history: a result may stand after further turns of the model
// or of the user. The request bytes for the beginning of a conversation must not change as it grows. So the result of a
// call is decided by the messages up to the next turn of the model, but for a later result that has the id of the call
// and cannot be of the latest turn. Last of all, a result may stand before its call, if nothing before has that id and
// none stands between the call and the next turn of the model.
func pair(msgs []callwright.Message) *pairing {
	p := &pairing{callAt: map[place]int{}, answer: map[place]int{}}
	var open openCalls
	early := earlyResults{at: map[string][]place{}, calls: map[string]int{}}
	for i, m := range msgs {
		if i > 0 && m.Role == callwright.RoleAssistant && msgs[i-1].Role != callwright.RoleAssistant {
			open.nextRun()
			p.pairEarly(&early)
		}
		for k, part := range m.Parts {
			at := place{i, k}
			switch part := part.(type) {
			case callwright.Call:
				n := len(p.calls)
				p.calls, p.callAt[at] = append(p.calls, pastCall{Call: part, at: at}), n
				open.add(part, n)
			case callwright.Result:
				if n, found := open.take(part, p.calls); found {
					p.answers(at, n)
				} else if !open.mayBeOfLatest(part) {
					early.at[part.CallID] = append(early.at[part.CallID], at)
				}
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

// earlyResults are results for which no call waited and that cannot be of the latest turn, by their ids, and how many
// calls have an id.
type earlyResults struct {
	at      map[string][]place
	calls   map[string]int
	settled int // the calls that were looked at
}

// pairEarly takes results that stand before their calls, for the calls since it was called last: one of an id that no
// other call and no other result up to here has.
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

// openCalls are the calls that wait for their results, by their ids and by their tools.
type openCalls struct {
	run          int // the number of the latest run: turns of the model that follow one another
	byID         waiting
	byTool       waiting // those of the latest run, each under the name of its tool and under ""
	unidentified waiting // likewise, those that came without an id
}

func (o *openCalls) nextRun() {
	o.run++
	o.byTool, o.unidentified = waiting{}, waiting{}
}

func (o *openCalls) add(c callwright.Call, n int) {
	o.byID.add(c.ID, o.run, n)
	o.byTool.addOfTool(c.Name, o.run, n)
	if isUnidentified(c.ID) {
		o.unidentified.addOfTool(c.Name, o.run, n)
	}
}

// take takes the call that a result answers. With an id it is one that has it, of several the first one that waits in
// the latest run that has any. Without one it is the first one of its tool, or of any tool where it names none, that
// waits in the latest run. A result that may be of the latest run though its id is not there is for the first such call
// of those that came without an id.
func (o *openCalls) take(res callwright.Result, calls []pastCall) (n int, found bool) {
	switch {
	case res.CallID == "":
		return o.byTool.take(res.Name, calls)
	case o.mayBeOfLatest(res):
		return o.unidentified.take(res.Name, calls)
	}
	return o.byID.take(res.CallID, calls)
}

// mayBeOfLatest reports whether a result may be of the latest run though no call of that run has its id: the id is the
// client's own, and calls of the run came without any. Such a result is of no older run, even where a call there has
// its id: it may answer that call a second time, which would change the request bytes for that run.
func (o *openCalls) mayBeOfLatest(res callwright.Result) bool {
	return o.unidentified.runs != nil && !isUnidentified(res.CallID) && !o.byID.has(res.CallID, o.run)
}

// isUnidentified reports whether a call came without an id: it has none, or one that its decoder made.
func isUnidentified(id string) bool { return id == "" || callid.IsDerived(id) }

// waiting are calls that wait for their results, by a key: their id or their tool. Of each key there are those of the
// latest run that has any, since a result that could be of that run is for no older call. Each call is taken once; to
// take them all is linear in the calls.
type waiting struct{ runs map[string]runOfCalls }

// runOfCalls are the calls of one run that wait, in order.
type runOfCalls struct {
	run   int
	calls []int
}

func (w *waiting) add(key string, run, n int) {
	if w.runs == nil {
		w.runs = map[string]runOfCalls{}
	}
	r := w.runs[key]
	if r.run != run {
		r = runOfCalls{run: run}
	}
	r.calls = append(r.calls, n)
	w.runs[key] = r
}

// addOfTool adds a call for results that name its tool, and for those that name none.
func (w *waiting) addOfTool(name string, run, n int) {
	w.add("", run, n)
	if name != "" {
		w.add(name, run, n)
	}
}

// has reports whether a call of a run was added under a key, also one that was taken.
func (w *waiting) has(key string, run int) bool {
	r, ok := w.runs[key]
	return ok && r.run == run
}

// take takes the first call of the latest run that waits.
func (w *waiting) take(key string, calls []pastCall) (n int, found bool) {
	r, ok := w.runs[key]
	for len(r.calls) > 0 && !found {
		n, r.calls = r.calls[0], r.calls[1:]
		found = !calls[n].answered
	}
	if ok {
		w.runs[key] = r
	}
	return n, found
}
