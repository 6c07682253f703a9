package inbound

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/dialect"
)

// A textReader takes the text of an answer to the scanner and its findings to the answer. As long as the scanner gives the
// text back as it came, the events it came in are handed on themselves, so that their bytes survive.
type textReader struct {
	a       *Answer
	off     bool // text is not read: no tools, or switched off
	whole   bool // the text is one JSON document (modes json_schema, json_object), read at the end
	scan    *dialect.Scanner
	make    func() dialect.Options
	items   []dialect.Item
	changed bool // the scanner's text is no longer the text that came
	queued  []queuedText
	at      int // bytes of the first queued text that the scanner has given back
	doc     []byte
	split   bool // reasoning was found, and noted
	dropped bool // text was left out, and noted
}

// needsMoreWork is the scanner's note of what an enveloped answer says about itself.
const needsMoreWork = "envelope.needs_more_work"

type queuedText struct {
	slot int
	text string
}

func (t *textReader) options() dialect.Options { return t.make() }

func (t *textReader) feed(ev callwright.TextDelta) {
	switch {
	case t.off && t.a.Mute:
		t.a.q.settle(t.a.q.put(ev, waiting), dropped)
		return
	case t.off:
		t.a.q.put(ev, ready)
		t.a.Visible.WriteString(ev.Text)
		return
	case t.whole:
		t.doc = append(t.doc, ev.Text...)
		t.a.q.settle(t.a.q.put(ev, waiting), dropped)
		return
	}
	if ev.Text == "" && len(t.queued) == 0 {
		t.a.q.put(ev, ready)
		return
	}
	if t.scan == nil {
		t.scan = dialect.NewScanner(t.make())
		t.changed = t.a.Mute
	}
	at := t.a.q.put(ev, waiting)
	if t.changed {
		t.a.q.settle(at, dropped)
	} else {
		t.queued = append(t.queued, queuedText{at, ev.Text})
	}
	t.items = t.scan.Feed(ev.Text, t.items[:0])
	t.take(at)
}

// close ends the text so far: what comes later is a text of its own.
func (t *textReader) close() {
	if t.whole && len(t.doc) > 0 {
		doc := t.doc
		t.doc = nil
		t.a.readDocument(doc)
		return
	}
	if t.scan == nil {
		return
	}
	t.items = t.scan.Close(t.items[:0])
	t.scan = nil
	t.take(-1)
	if len(t.queued) > 0 {
		t.lose() // text that the scanner dropped without a word
	}
	t.changed = false
}

// take goes through the scanner's findings. Events of our own go in place of the slot at, or to the end where it is -1.
func (t *textReader) take(at int) {
	for _, it := range t.items {
		switch it.Kind {
		case dialect.Text:
			t.a.Visible.WriteString(it.Text)
			if !t.changed && t.match(it.Text) {
				continue
			}
			t.lose()
			t.emit(at, callwright.TextDelta{Text: it.Text})
		case dialect.Reasoning:
			t.lose()
			if !t.split {
				t.split = true
				t.a.Ledger.Add(callwright.Note{Rule: "reasoning.split", Stage: callwright.StageNormalise})
			}
			t.emit(at, callwright.ReasoningDelta{Text: it.Text})
		case dialect.CallFound:
			t.a.found = append(t.a.found, it.Call)
		case dialect.CallRejected:
			t.a.rejected = append(t.a.rejected, it)
		case dialect.Noted:
			t.note(it.Note)
		}
	}
}

func (t *textReader) note(n dialect.Note) {
	if n.Rule == needsMoreWork {
		more := n.Now == "true"
		t.a.MoreWork = &more
	}
	t.a.Ledger.Add(callwright.Note{Rule: n.Rule, Stage: callwright.StageNormalise, Was: n.Was, Now: n.Now, Why: n.Why})
}

func (t *textReader) emit(at int, ev callwright.Event) {
	if t.a.Mute { // text of a correction, after text was sent
		if !t.dropped {
			t.dropped = true
			t.a.Ledger.Add(callwright.Note{Rule: "correct.text_dropped", Stage: callwright.StageCorrect})
		}
		return
	}
	if at < 0 {
		t.a.say(ev)
		return
	}
	t.a.q.settle(at, replaced, ev)
}

// match follows text that came back through the queued texts and settles those that are through. False: it is another
// text, and nothing was settled.
func (t *textReader) match(s string) bool {
	done, at := 0, t.at
	for len(s) > 0 {
		if done == len(t.queued) {
			return false
		}
		rest := t.queued[done].text[at:]
		n := min(len(rest), len(s))
		if rest[:n] != s[:n] {
			return false
		}
		if s, at = s[n:], at+n; n == len(rest) {
			done, at = done+1, 0
		}
	}
	for done < len(t.queued) && t.queued[done].text == "" {
		done++
	}
	for _, q := range t.queued[:done] {
		t.a.q.settle(q.slot, ready)
	}
	t.queued, t.at = t.queued[done:], at
	return true
}

// lose gives up on handing the queued events on as they came: what the scanner gave back of them is written anew.
func (t *textReader) lose() {
	if t.changed {
		return
	}
	for i, qt := range t.queued {
		if i == 0 && t.at > 0 {
			t.a.q.settle(qt.slot, replaced, callwright.TextDelta{Text: qt.text[:t.at]})
			continue
		}
		t.a.q.settle(qt.slot, dropped)
	}
	t.queued, t.at, t.changed = nil, 0, true
}
