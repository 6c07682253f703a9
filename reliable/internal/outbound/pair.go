package outbound

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/callid"
)

// A place is the position of a part, or of a whole message, in the history.
type place struct{ message, part int }

// allParts is the part number that means the whole message.
const allParts = -1

// pairing assigns results to calls, at most one result to each call.
type pairing struct {
	calls  []pastCall
	callAt map[place]int // index in calls by position of the call
	answer map[place]int // index in calls by position of the result
}

// pastCall is a call in the history.
type pastCall struct {
	callwright.Call
	at       place
	answered bool
	result   place
}

// pair assigns the results of the whole history to calls. A result may follow later messages. The beginning of the
// request must not change as the conversation grows. Therefore the result of a call is determined by the messages up
// to the next assistant message, except for a later result with the call's ID that cannot belong to the latest calls.
// Finally, a result may precede its call, if its ID is unique up to that point and no result for the call follows
// before the next assistant message.
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

// earlyResults has results, by ID, for which no call was waiting and which cannot belong to the latest calls, and the
// number of calls with each ID.
type earlyResults struct {
	at      map[string][]place
	calls   map[string]int
	settled int // number of calls that were examined
}

// pairEarly assigns results that precede their calls, for the calls since the previous pairEarly. The ID must be
// unique among calls and results so far.
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

// openCalls has the calls without results, by ID and by tool.
type openCalls struct {
	run          int // number of the latest run of consecutive assistant messages
	byID         waiting
	byTool       waiting // calls of the latest run by tool name and by ""
	unidentified waiting // calls of the latest run without an ID, likewise
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

// take returns the number of the call to which a result belongs and removes the call. A result with an ID belongs to
// the first waiting call with this ID in the latest run that has one. A result without an ID belongs to the first
// waiting call of its tool, or of any tool, in the latest run. If a result may belong to the latest run although its ID
// does not occur there, it belongs to the first such call without an ID. found is false if no call matches.
func (o *openCalls) take(res callwright.Result, calls []pastCall) (n int, found bool) {
	switch {
	case res.CallID == "":
		return o.byTool.take(res.Name, calls)
	case o.mayBeOfLatest(res):
		return o.unidentified.take(res.Name, calls)
	}
	return o.byID.take(res.CallID, calls)
}

// mayBeOfLatest reports whether a result may belong to the latest run although no call of the run has its ID, because
// calls of the run had no ID. Such a result is never assigned to an earlier run, which would change the beginning of
// the request.
func (o *openCalls) mayBeOfLatest(res callwright.Result) bool {
	return o.unidentified.runs != nil && !isUnidentified(res.CallID) && !o.byID.has(res.CallID, o.run)
}

// isUnidentified reports whether a call had no ID: id is empty, or made by its decoder.
func isUnidentified(id string) bool { return id == "" || callid.IsDerived(id) }

// waiting has calls without results by a key, ID or tool name. For each key it keeps only those of the latest run that
// has any. Each call is returned once. All operations together take linear time.
type waiting struct{ runs map[string]runOfCalls }

// runOfCalls has the waiting calls of one run in order.
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

// addOfTool adds a call under its tool name and under "".
func (w *waiting) addOfTool(name string, run, n int) {
	w.add("", run, n)
	if name != "" {
		w.add(name, run, n)
	}
}

// has reports whether a call of the run was added under key, even if it was removed since.
func (w *waiting) has(key string, run int) bool {
	r, ok := w.runs[key]
	return ok && r.run == run
}

// take returns the number of the first waiting call under key and removes it. It skips calls with a result. found is
// false if there is no other.
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
