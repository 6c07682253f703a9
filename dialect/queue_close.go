package dialect

import (
	"slices"
	"strings"

	"github.com/callwright/callwright/dialect/internal/shown"
)

// finalize decides all remaining entries at the end of the text.
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

// closeDrafts decides which calls in reasoning are accepted: all if the reasoning was never closed, otherwise those
// after the last reasoning text.
func (q *queue) closeDrafts() {
	if q.validator.off("dialect.promoted") {
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

// thoughtAfter reports whether reasoning text follows the entry i before the next undecided entry.
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

// A finalizer decides the entries without markers in order.
type finalizer struct {
	q       *queue
	seen    map[string]bool // identities of emitted calls
	text    strings.Builder // visible text since the last emitted call
	over    bool            // the response has ended and the model invented another turn
	offered bool            // the response asks the user for permission first
	given   bool            // calls or a response text were emitted
	behind  bool            // only white space follows the last emitted call
}

// between records an item between undecided entries.
func (d *finalizer) between(it Item) {
	d.behind = d.behind && strings.TrimSpace(it.Text) == ""
	if it.Kind == Text && d.given && !d.over {
		d.text.WriteString(it.Text)
	}
}

// decide decides one entry. It stays text if it is an example, repeats an earlier call or is in an invented turn, or if
// the response asks for permission. It is dropped if it repeats the call directly before it.
func (d *finalizer) decide(e *pending, isShown bool) {
	d.over = d.over || d.given && shown.StartsTurn(d.text.String())
	d.text.Reset()
	behind := d.behind
	d.behind = false
	if isShown || d.over || d.offered {
		d.q.put(Item{Kind: Text, Text: e.raw})
		return
	}
	good, bad := d.sort(e.calls)
	switch refused := d.firstRefusedCall(good); {
	case behind && len(good)+len(bad) == 0 && len(e.calls) > 0:
		d.behind = true
		d.q.note("mark.repeated", e.offset, e.raw)
		d.q.extras(&e.extra)
	case refused != nil, len(good) == 0 && (len(e.calls) > 0 || !e.extra.envelope):
		d.q.put(Item{Kind: Text, Text: e.raw, Call: refused})
	default:
		d.given, d.behind = true, true
		d.q.extras(&e.extra)
	}
	for _, it := range append(good, bad...) {
		d.q.put(it)
	}
}

// firstRefusedCall returns the first call if Options.Accepts rejects all of them, otherwise nil.
func (d *finalizer) firstRefusedCall(calls []Item) *Call {
	accepts := d.q.validator.tools.o.Accepts
	if accepts == nil || len(calls) == 0 || slices.ContainsFunc(calls, func(it Item) bool { return accepts(it.Call) }) {
		return nil
	}
	return calls[0].Call
}

// sort separates new calls that can be run from calls that must not be run.
func (d *finalizer) sort(calls []*Call) (good, bad []Item) {
	fresh := make([]string, 0, len(calls))
	for _, c := range calls {
		c.unmarked = true
		if why := d.q.validator.why(c); why != "" {
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

// textAfter returns the visible text after the last undecided entry, at most 1 KiB.
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

// saidNext returns the visible text before the next undecided entry, at most 1 KiB.
func saidNext(held []pending) string {
	n := slices.IndexFunc(held, func(e pending) bool { return e.state != decided })
	if n < 0 {
		n = len(held)
	}
	return textAfter(held[:n])
}
