package inbound

import (
	"slices"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/dialect"
	"github.com/callwright/callwright/internal/latertext"
	"github.com/callwright/callwright/reliable/internal/eventqueue"
	"github.com/callwright/callwright/reliable/internal/opening"
)

// A textReader passes the text of a response to the scanner and processes its items. As long as the scanner returns
// the text unchanged, the original events are delivered with the bytes of their batches.
type textReader struct {
	a              *Answer
	off            bool          // text is not scanned
	document       bool          // the text is one JSON document (modes json_schema, json_object), parsed at the end
	start          opening.Start // whether the text begins inside reasoning
	hold           opening.Hold  // buffer for text while start is unknown
	split          opening.Split // separates reasoning from text that is not scanned
	closed         bool          // the closing marker of initial reasoning was found
	rewritten      bool          // the scanner changed the text
	behindCall     bool          // only white space followed the last call
	reasoningNoted bool          // the separation of reasoning was noted
	scan           *dialect.Scanner
	items          []dialect.Item
	held           []heldText
	at             int    // number of bytes of the first held text that the scanner returned
	ahead          string // white space that was delivered before the scanner returned it
	space          string // white space after a call, dropped unless text follows
	doc            []byte
	later          latertext.Text // removes repeated text after a provider's error
}

// needsMoreWork is the rule of the scanner's note about needs_more_work in an enveloped response.
const needsMoreWork = "envelope.needs_more_work"

// A heldText is text that the scanner has not returned yet, and the slot of its event.
type heldText struct {
	slot int
	text string
}

// feed processes text and the event that contains it.
func (t *textReader) feed(ev callwright.Event, text string) {
	switch {
	case t.start == opening.Unsure && (text != "" || len(t.hold.Pieces) > 0):
		t.begin(t.hold.Add(t.a.queue.Put(ev, eventqueue.Held), text, t.a.Setup.Attempt.ScanOptions))
	case t.off && t.start == opening.AsText:
		if t.later.Follows() {
			text = t.later.Feed(text)
			ev = callwright.TextDelta{Text: text}
		}
		t.a.holdProse(text)
		t.a.queue.Put(ev, eventqueue.Ready)
		t.a.Outcome.Visible.WriteString(text)
	case t.document:
		t.doc = append(t.doc, text...)
		t.a.queue.Resolve(t.a.queue.Put(ev, eventqueue.Held), eventqueue.Dropped)
	case text == "" && len(t.held) == 0:
		t.a.queue.Put(ev, eventqueue.Ready)
	default:
		t.read(t.a.queue.Put(ev, eventqueue.Held), text)
	}
}

// read processes text whose event is queued in slot at.
func (t *textReader) read(at int, text string) {
	if t.off {
		t.readOff(at, text)
		return
	}
	if t.scan == nil {
		o := t.a.Setup.Attempt.ScanOptions()
		o.ReasoningPrimed, o.Accepts = o.ReasoningPrimed || t.start == opening.InReasoning, t.a.canRun
		if t.a.Setup.Progress != nil {
			o.Watch = t.a
		}
		t.scan = dialect.NewScanner(o)
	}
	if t.rewritten {
		t.a.queue.Resolve(at, eventqueue.Dropped)
	} else {
		t.held = append(t.held, heldText{at, text})
	}
	t.items = t.scan.Feed(text, t.items[:0])
	t.take(at)
}

// close ends the text so far. Later text is scanned separately.
func (t *textReader) close() {
	if t.document && len(t.doc) > 0 {
		doc := t.doc
		t.doc = nil
		t.a.readDocument(doc)
		return
	}
	t.begin(t.hold.End(t.a.Outcome.End != nil && t.a.cutShort()))
	if t.off && t.start == opening.InReasoning {
		t.think(-1, t.split.Close())
	}
	if t.scan != nil {
		t.items = t.scan.Close(t.items[:0])
		t.take(-1)
	}
	t.endOpened()
	if t.scan == nil {
		return
	}
	t.scan = nil
	if rest := t.later.Close(); rest != "" {
		t.emit(-1, callwright.TextDelta{Text: rest})
	}
	if len(t.held) > 0 {
		t.rewrite() // the scanner removed text
	}
	t.rewritten, t.behindCall, t.space = false, false, ""
}

// holdsSpace reports whether text is white space after a call. It is buffered, and dropped with the call's markup
// unless text follows.
func (t *textReader) holdsSpace(text string) bool {
	if t.behindCall = t.behindCall && strings.TrimSpace(text) == ""; t.behindCall {
		t.rewrite()
		t.space += text
	}
	return t.behindCall
}

// take processes the scanner's items. New events replace the event in slot at, or are added if at is -1.
func (t *textReader) take(at int) {
	for _, it := range t.items {
		switch it.Kind {
		case dialect.Text:
			t.a.underWay.thinks = false
			if t.holdsSpace(it.Text) {
				continue
			}
			it.Text, t.space = t.space+it.Text, ""
			if t.later.Follows() {
				it.Text = t.later.Feed(it.Text)
			}
			t.a.holdProse(it.Text)
			t.a.Outcome.Visible.WriteString(it.Text)
			text := t.behindAhead(it.Text)
			corrected := it.Call != nil && t.a.Setup.Choice.Mode != callwright.ChoiceNone // with tool choice none it stays text
			if text == "" && it.Text != "" || !t.rewritten && !corrected && t.match(text) {
				continue
			}
			t.rewrite()
			t.emit(at, callwright.TextDelta{Text: text})
		case dialect.Reasoning:
			t.a.underWay.thinks = true
			t.ahead, t.space, t.behindCall = "", "", false
			t.rewrite()
			t.think(at, it.Text)
		case dialect.CallFound:
			t.ahead, t.space, t.behindCall = "", "", true
			if t.a.tooMany() {
				return
			}
			t.a.writtenCalls.found = append(t.a.writtenCalls.found, it.Call)
		case dialect.CallRejected:
			t.space, t.behindCall = "", true
			t.a.writtenCalls.rejected = append(t.a.writtenCalls.rejected, it)
		case dialect.Noted:
			t.note(it.Note)
		}
	}
}

// note processes a note of the scanner.
func (t *textReader) note(n dialect.Note) {
	if n.Rule == needsMoreWork {
		more := n.Now == "true"
		t.a.Outcome.MoreWork = &more
	}
	switch n.Rule {
	case dialect.Unopened:
		if t.a.Outcome.Reasoning.Len() == 0 && t.a.Outcome.HasText() {
			t.a.Outcome.Thoughts.Primed = caps.Yes
		}
		t.a.endUnopened()
	case "mark.reasoning":
		t.closed = true
	}
	t.a.Setup.Ledger.Add(callwright.Note{Rule: n.Rule, Stage: callwright.StageNormalise, Was: n.Was, Now: n.Now, Why: n.Why})
}

// emit delivers a new event. If at is not negative, the event replaces slot at of the queue.
func (t *textReader) emit(at int, ev callwright.Event) {
	if at < 0 {
		t.a.addBeforeEnd(ev)
		return
	}
	t.a.queue.Resolve(at, eventqueue.Replaced, ev)
}

// flush delivers text that the scanner returned, except white space at its end that may belong to a marker. A batch
// with bytes is delivered whole if only such white space is left.
func (t *textReader) flush() {
	q, n := &t.a.queue, len(t.held)
	if t.at == 0 || !q.IsLast(t.held[n-1].slot) {
		return
	}
	first := t.held[0]
	if t.held[n-1].slot-first.slot != n-1 { // other events are between them
		return
	}
	head, rest, withBytes := first.text[:t.at], first.text[t.at:], false
	for i, qt := range t.held {
		withBytes = withBytes || q.HasBytes(qt.slot)
		if i > 0 {
			rest += qt.text
		}
	}
	switch {
	case !withBytes:
		q.Join(first.slot, n, callwright.TextDelta{Text: head})
		t.held = append(t.held[:0], heldText{q.Put(callwright.TextDelta{Text: rest}, eventqueue.Held), rest})
	case strings.TrimSpace(rest) == "":
		for _, qt := range t.held {
			q.Resolve(qt.slot, eventqueue.Ready)
		}
		t.held, t.ahead = t.held[:0], rest
	default:
		return
	}
	t.at = 0
}

// behindAhead removes white space that was delivered earlier from the scanner's text.
func (t *textReader) behindAhead(text string) string {
	n := 0
	for n < len(text) && n < len(t.ahead) && text[n] == t.ahead[n] {
		n++
	}
	if t.ahead = t.ahead[n:]; n < len(text) {
		t.ahead = ""
	}
	return text[n:]
}

// match compares text from the scanner with the held texts and resolves those that are complete. If the text differs,
// it returns false and resolves nothing.
func (t *textReader) match(s string) bool {
	done, at := 0, t.at
	for len(s) > 0 {
		if done == len(t.held) {
			return false
		}
		rest := t.held[done].text[at:]
		n := min(len(rest), len(s))
		if rest[:n] != s[:n] {
			return false
		}
		if s, at = s[n:], at+n; n == len(rest) {
			done, at = done+1, 0
		}
	}
	for done < len(t.held) && t.held[done].text == "" {
		done++
	}
	for _, q := range t.held[:done] {
		t.a.queue.Resolve(q.slot, eventqueue.Ready)
	}
	t.held, t.at = slices.Delete(t.held, 0, done), at
	return true
}

// rewrite stops delivering the original events: from here on, text from the scanner is delivered as new events.
func (t *textReader) rewrite() {
	if t.rewritten {
		return
	}
	for i, qt := range t.held {
		if i == 0 && t.at > 0 {
			t.a.queue.Resolve(qt.slot, eventqueue.Replaced, callwright.TextDelta{Text: qt.text[:t.at]})
			continue
		}
		t.a.queue.Resolve(qt.slot, eventqueue.Dropped)
	}
	t.held, t.at, t.rewritten = nil, 0, true
}
