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
// user. A result with an id answers a call with it: of several the first one of the latest turn in which one waits. One without an id
// answers the first call of its tool, or of any tool where it names none, that waits in the latest turn. Last of all, a result may
// stand before its call, if nothing else has that id.
func pair(msgs []callwright.Message) *pairing {
	p := &pairing{callAt: map[place]int{}, answer: map[place]int{}}
	var byID waiting[string]
	var byName waiting[string]
	var any waiting[struct{}]
	run := 0
	early := map[string][]place{}
	for i, m := range msgs {
		if i > 0 && m.Role == callwright.RoleAssistant && msgs[i-1].Role != callwright.RoleAssistant {
			run++
			byName, any = waiting[string]{}, waiting[struct{}]{}
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
					early[part.CallID] = append(early[part.CallID], at)
					continue
				}
				p.answers(at, n)
			}
		}
	}
	p.pairEarly(early)
	return p
}

func (p *pairing) answers(at place, n int) {
	p.calls[n].answered, p.calls[n].result = true, at
	p.answer[at] = n
}

// pairEarly takes results that stand before their calls: one of an id that one call has, which waits.
func (p *pairing) pairEarly(early map[string][]place) {
	delete(early, "")
	if len(early) == 0 {
		return
	}
	have := map[string]int{}
	for i := range p.calls {
		have[p.calls[i].ID]++
	}
	for n := range p.calls {
		c := &p.calls[n]
		if at := early[c.ID]; !c.answered && have[c.ID] == 1 && len(at) == 1 {
			p.answers(at[0], n)
		}
	}
}

// waiting are the calls that wait for their results, by what results say of them. Each is taken once; taking is linear in all calls.
type waiting[K comparable] struct{ runs map[K][]runOfCalls }

// runOfCalls are the calls of one run that wait, in order.
type runOfCalls struct {
	run   int
	calls []int
}

func (w *waiting[K]) add(key K, run, n int) {
	if w.runs == nil {
		w.runs = map[K][]runOfCalls{}
	}
	list := w.runs[key]
	if last := len(list) - 1; last >= 0 && list[last].run == run {
		list[last].calls = append(list[last].calls, n)
		return
	}
	w.runs[key] = append(list, runOfCalls{run: run, calls: []int{n}})
}

// take takes the first call of the latest run that waits, -1 where none does.
func (w *waiting[K]) take(key K, calls []pastCall) int {
	list := w.runs[key]
	for len(list) > 0 {
		last := &list[len(list)-1]
		for len(last.calls) > 0 {
			n := last.calls[0]
			last.calls = last.calls[1:]
			if !calls[n].answered {
				w.runs[key] = list
				return n
			}
		}
		list = list[:len(list)-1]
	}
	if w.runs != nil {
		w.runs[key] = list
	}
	return -1
}
