package dialect

import (
	"slices"
	"strings"
)

// A queue holds items that depend on the rest of the answer: calls without marks until the end, because a call with
// marks takes precedence, and calls in reasoning until other content follows. All later items wait with them.
type queue struct {
	out     []Item
	judge   *judge
	held    []pending
	count   [draft + 1]int // undecided entries of each kind
	drafted []*Call
	recent  []*Call         // calls with marks after which nothing was said
	said    map[string]bool // those of them that another was compared with
	marked  bool            // a call with marks was emitted
	visible bool            // visible text was emitted
	thought bool            // the reasoning was closed
}

// A pending is a decided item, or a candidate with the text it was read from.
type pending struct {
	item  Item
	raw   string
	calls []*Call
	extra reading
	state pendingState
}

type pendingState uint8

const (
	decided pendingState = iota
	aside                // without marks
	draft                // in reasoning
)

// say emits text.
func (q *queue) say(kind Kind, text string) {
	if text == "" {
		return
	}
	if kind == Text && (!q.visible || len(q.recent)+len(q.said) > 0) && strings.TrimSpace(text) != "" {
		q.visible, q.recent, q.said = true, nil, nil
		q.dismiss(draft)
	}
	q.put(Item{Kind: kind, Text: text})
}

func (q *queue) note(rule string, offset int, was string) {
	q.put(Item{Kind: Noted, Note: Note{Rule: rule, Offset: offset, Was: was}})
}

func (q *queue) put(it Item) {
	if len(q.held) > 0 {
		q.held = append(q.held, pending{item: it})
		return
	}
	q.out = append(q.out, it)
}

// call emits a call with marks; why is empty when it can be run.
func (q *queue) call(c *Call, why Why) {
	switch {
	case c.InReasoning:
		if why == "" {
			q.drafted = append(q.drafted, c)
		}
	case why != "":
		q.put(Item{Kind: CallRejected, Call: c, Why: why})
	default:
		q.dismiss(draft)
		q.dismiss(aside)
		q.marked, q.recent = true, append(q.recent, c)
		q.put(Item{Kind: CallFound, Call: c})
	}
}

// setDraft ends a region in reasoning, whose whole text is raw, and reports whether it holds calls that may be
// promoted.
func (q *queue) setDraft(raw string) bool {
	calls := q.drafted
	q.drafted = nil
	if len(calls) == 0 || q.marked || q.visible {
		return false
	}
	q.held = append(q.held, pending{raw: raw, calls: calls, state: draft})
	q.count[draft]++
	return true
}

// repeats reports whether calls are equal to the calls with marks right before them, and notes them: the model repeats
// itself.
func (q *queue) repeats(raw string, offset int, calls []*Call) bool {
	if len(q.recent) > 0 && q.said == nil {
		q.said = map[string]bool{}
	}
	for _, c := range q.recent {
		q.said[c.identity()] = true
	}
	q.recent = q.recent[:0]
	if len(q.said) == 0 || len(calls) == 0 {
		return false
	}
	for _, c := range calls {
		c := *c
		if c.Args = slices.Clone(c.Args); q.judge.why(&c) != "" || !q.said[c.identity()] {
			return false
		}
	}
	q.note("mark.repeated", offset, raw)
	return true
}

// setAside puts a candidate without marks aside.
func (q *queue) setAside(raw string, offset int, calls []*Call, extra reading) {
	if q.repeats(raw, offset, calls) {
		return
	}
	if q.marked {
		q.say(Text, raw)
		return
	}
	q.dismiss(draft)
	q.held = append(q.held, pending{raw: raw, calls: calls, extra: extra, state: aside})
	q.count[aside]++
}

// dismiss turns candidates of one kind back into text, and emits the items that waited for them alone.
func (q *queue) dismiss(which pendingState) {
	if q.count[which] == 0 {
		return
	}
	for i := range q.held {
		if e := &q.held[i]; e.state == which {
			q.asText(e)
		}
	}
	q.release()
}

// asText decides that a candidate is no call.
func (q *queue) asText(e *pending) {
	kind := Text
	if e.state == draft {
		kind = Reasoning
	}
	q.count[e.state]--
	*e = pending{item: Item{Kind: kind, Text: e.raw}}
}

// release emits the decided items, up to the first candidate.
func (q *queue) release() {
	n := 0
	for n < len(q.held) && q.held[n].state == decided {
		q.out = append(q.out, q.held[n].item)
		n++
	}
	q.held = q.held[n:]
}

// extras emits the members of an envelope beside its calls.
func (q *queue) extras(b *reading) {
	for _, it := range b.items() {
		q.put(it)
	}
}
