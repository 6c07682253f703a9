package dialect

import (
	"slices"
	"strings"
)

// A queue holds back items that depend on the rest of the response. Calls without markers wait for the end, because a
// call with markers takes precedence. Calls in reasoning wait until other content follows. All later items wait with
// them.
type queue struct {
	out       []Item
	validator *validator
	held      []pending
	count     [draft + 1]int // number of undecided entries by state
	drafted   []*Call
	recent    []*Call         // calls with markers that no text followed yet
	said      map[string]bool // identities of recent calls, for comparison
	marked    bool            // a call with markers was emitted
	visible   bool            // visible text was emitted
	thought   bool            // the reasoning was closed
}

// A pending is a queue entry: a decided item, or undecided calls with their text.
type pending struct {
	item   Item
	raw    string
	offset int // of raw in the text
	calls  []*Call
	extra  reading
	state  pendingState
}

type pendingState uint8

const (
	decided pendingState = iota
	aside                // calls without markers
	draft                // calls in reasoning
)

// say emits text of the given kind.
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

// call emits a call with markers, or in reasoning collects it for setDraft. why is "" if the call can be run.
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

// setDraft adds the calls of a region in reasoning as an undecided entry. raw is the region's text. It returns false
// if there are no calls that may be accepted.
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

// repeats reports whether calls equal the calls with markers directly before them, and notes the repetition.
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
		if c.Args = slices.Clone(c.Args); q.validator.why(&c) != "" || !q.said[c.identity()] {
			return false
		}
	}
	q.note("mark.repeated", offset, raw)
	return true
}

// setAside adds calls without markers as an undecided entry. They are text after a call with markers.
func (q *queue) setAside(raw string, offset int, calls []*Call, extra reading) {
	if q.repeats(raw, offset, calls) {
		return
	}
	if q.marked {
		q.say(Text, raw)
		return
	}
	q.dismiss(draft)
	q.held = append(q.held, pending{raw: raw, offset: offset, calls: calls, extra: extra, state: aside})
	q.count[aside]++
}

// dismiss converts undecided entries of one state to text, and emits the items that waited for them.
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

// asText converts an undecided entry to text.
func (q *queue) asText(e *pending) {
	kind := Text
	if e.state == draft {
		kind = Reasoning
	}
	q.count[e.state]--
	*e = pending{item: Item{Kind: kind, Text: e.raw}}
}

// release emits the decided items up to the first undecided entry.
func (q *queue) release() {
	n := 0
	for n < len(q.held) && q.held[n].state == decided {
		q.out = append(q.out, q.held[n].item)
		n++
	}
	q.held = q.held[n:]
}

// extras emits the other members of an envelope.
func (q *queue) extras(b *reading) {
	for _, it := range b.items() {
		q.put(it)
	}
}
