package inbound

import (
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/dialect"
	"github.com/callwright/callwright/reliable/internal/eventqueue"
	"github.com/callwright/callwright/reliable/internal/opening"
)

// begin processes buffered text once its start (reasoning or text) is known.
func (t *textReader) begin(start opening.Start) {
	if t.start != opening.Unsure || start == opening.Unsure {
		return
	}
	if t.start = start; start == opening.AsText && !t.hold.IsBlank() && t.a.Outcome.End != nil && !t.a.cutShort() {
		t.a.Outcome.Thoughts.Primed = caps.No
	}
	pieces := t.hold.Pieces
	t.hold = opening.Hold{}
	for _, p := range pieces {
		t.read(p.Slot, p.Text)
	}
}

// readOff processes text that is not searched for calls. Its event is queued in slot at.
func (t *textReader) readOff(at int, text string) {
	if t.start == opening.AsText {
		t.a.holdProse(text)
		t.a.queue.Resolve(at, eventqueue.Ready)
		t.a.Outcome.Visible.WriteString(text)
		return
	}
	t.a.queue.Resolve(at, eventqueue.Dropped)
	thought, rest := t.split.Feed(text)
	t.closed = t.split.Ended
	t.think(at, thought)
	if rest != "" {
		t.a.holdProse(rest)
		t.a.Outcome.Visible.WriteString(rest)
		t.emit(at, callwright.TextDelta{Text: rest})
	}
}

// think delivers reasoning that was separated from text.
func (t *textReader) think(at int, text string) {
	if text == "" {
		return
	}
	if !t.reasoningNoted {
		t.reasoningNoted = true
		t.a.Setup.Ledger.Add(callwright.Note{Rule: "reasoning.split", Stage: callwright.StageNormalise})
	}
	t.a.Outcome.Thoughts.WriteString(text)
	t.emit(at, callwright.ReasoningDelta{Text: text})
}

// endOpened ends a text that began inside reasoning. If it ended normally, without the end of the reasoning and
// without calls, it was no reasoning, and the text is also the response.
func (t *textReader) endOpened() {
	if t.start != opening.InReasoning {
		return
	}
	t.start = opening.AsText
	out := &t.a.Outcome
	switch thoughts := out.Thoughts.String(); {
	case strings.TrimSpace(thoughts) == "":
	case t.closed:
		out.Thoughts.Primed = caps.Yes
	case out.End == nil || t.a.cutShort() ||
		len(t.a.writtenCalls.found)+len(t.a.writtenCalls.rejected)+len(out.Good)+len(t.a.nativeCalls.held) > 0 || out.HasText():
	case t.a.Setup.Ledger.May("reasoning.unclosed"):
		out.Thoughts.Primed = caps.No
		t.a.Setup.Ledger.Add(callwright.Note{Rule: "reasoning.unclosed", Stage: callwright.StageNormalise})
		out.Visible.WriteString(thoughts)
		t.emit(-1, callwright.TextDelta{Text: thoughts})
	}
}

// reasonsApart records that reasoning arrived separately, so the text does not begin inside reasoning.
func (t *textReader) reasonsApart() {
	if t.begin(opening.AsText); t.scan == nil && t.a.Outcome.Thoughts.Len() == 0 {
		t.start = opening.AsText
	}
}

// beginsAsText reports whether the text of a complete response certainly does not begin inside reasoning.
func (a *Answer) beginsAsText(text string) bool {
	switch {
	case a.Setup.Start == opening.AsText || text == "":
		return true
	case a.Setup.Start == opening.InReasoning:
		return false
	}
	return !a.Setup.TextOff || dialect.IsPlain(text)
}
