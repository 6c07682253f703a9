package dialect

import (
	"slices"
	"strings"

	"github.com/callwright/callwright/dialect/internal/shown"
)

// finalize decides all that is left at the end of the text.
func (q *queue) finalize() {
	q.closeDrafts()
	held := q.held
	q.held = nil
	last := finalizer{q: q, seen: map[string]bool{}, offered: shown.Offers(textAfter(held))}
	for i := range held {
		e := &held[i]
		switch e.state {
		case decided:
			last.between(e.item)
			q.put(e.item)
		case draft:
			for _, c := range e.calls {
				q.put(Item{Kind: CallFound, Call: c})
			}
		case aside:
			last.decide(e, e.extra.described && shown.Explains(saidNext(held[i+1:])))
		}
	}
}

// closeDrafts decides which calls in reasoning are promoted: all of them when the reasoning was never closed (a call
// ends it), else those after the last thought.
func (q *queue) closeDrafts() {
	if q.judge.off("dialect.promoted") {
		q.dismiss(draft)
	}
	if q.count[draft] == 0 || !q.thought {
		return
	}
	last := false
	for i := len(q.held) - 1; i >= 0; i-- {
		e := &q.held[i]
		switch {
		case e.state == draft && last && q.count[draft] > 1 && q.thoughtAfter(i):
			q.asText(e)
		case e.state == draft:
			last = true
		}
	}
}

// thoughtAfter reports whether a thought stands between the candidate at i and the next one.
func (q *queue) thoughtAfter(i int) bool {
	for _, e := range q.held[i+1:] {
		if e.state == draft {
			return false
		}
		if e.item.Kind == Reasoning && strings.TrimSpace(e.item.Text) != "" {
			return true
		}
	}
	return false
}

// A finalizer decides about the candidates without marks, in their order.
type finalizer struct {
	q       *queue
	seen    map[string]bool // calls that were emitted
	text    strings.Builder // visible text since the last of them
	over    bool            // the answer is over: what follows is another turn that the model made up
	offered bool            // the reader is asked first
	given   bool
}

// between takes note of an item between candidates.
func (d *finalizer) between(it Item) {
	if it.Kind == Text && d.given && !d.over {
		d.text.WriteString(it.Text)
	}
}

// decide decides about one candidate. One that is shown, repeats earlier ones, or stands in a made-up turn, stays text.
func (d *finalizer) decide(e *pending, isShown bool) {
	d.over = d.over || d.given && shown.StartsTurn(d.text.String())
	d.text.Reset()
	if isShown {
		d.q.put(Item{Kind: Text, Text: e.raw})
		return
	}
	good, bad := d.sort(e.calls)
	refused := d.firstRefusedCall(good)
	switch {
	case d.over || d.offered:
		d.q.put(Item{Kind: Text, Text: e.raw})
		return
	case refused != nil:
		d.q.put(Item{Kind: Text, Text: e.raw, Call: refused})
	case len(good) == 0 && (len(e.calls) > 0 || !e.extra.envelope):
		d.q.put(Item{Kind: Text, Text: e.raw})
	default:
		d.given = true
		d.q.extras(&e.extra)
	}
	for _, it := range append(good, bad...) {
		d.q.put(it)
	}
}

// firstRefusedCall is the first of some calls where the caller can run none of them, else nil.
func (d *finalizer) firstRefusedCall(calls []Item) *Call {
	accepts := d.q.judge.tools.o.Accepts
	if accepts == nil || len(calls) == 0 || slices.ContainsFunc(calls, func(it Item) bool { return accepts(it.Call) }) {
		return nil
	}
	return calls[0].Call
}

// sort separates the calls that can be run and are new from those that must not be run.
func (d *finalizer) sort(calls []*Call) (good, bad []Item) {
	fresh := make([]string, 0, len(calls))
	for _, c := range calls {
		c.unmarked = true
		if why := d.q.judge.why(c); why != "" {
			bad = append(bad, Item{Kind: CallRejected, Call: c, Why: why})
			continue
		}
		if k := c.identity(); !d.seen[k] {
			fresh = append(fresh, k)
			good = append(good, Item{Kind: CallFound, Call: c})
		}
	}
	if !d.over {
		for _, k := range fresh {
			d.seen[k] = true
		}
	}
	return good, bad
}

// textAfter is the visible text after the last candidate, at most 1 KiB of it.
func textAfter(held []pending) string {
	at := len(held)
	for at > 0 && held[at-1].state == decided {
		at--
	}
	var b strings.Builder
	for _, e := range held[at:] {
		if e.item.Kind == Text && b.Len() < earlierKept {
			b.WriteString(e.item.Text[:min(len(e.item.Text), earlierKept-b.Len())])
		}
	}
	return b.String()
}

// saidNext is the visible text up to the next candidate, at most 1 KiB of it.
func saidNext(held []pending) string {
	n := slices.IndexFunc(held, func(e pending) bool { return e.state != decided })
	if n < 0 {
		n = len(held)
	}
	return textAfter(held[:n])
}
