package kit_test

import (
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/wire/internal/kit"
)

// heldParts are batches of which the first ends a call without arguments.
func heldParts() []callwright.Batch {
	batch := func(s string, events ...callwright.Event) callwright.Batch {
		return callwright.Batch{Wire: callwright.WireGemini, Raw: []byte(s), Events: events}
	}
	return []callwright.Batch{batch("a", callwright.CallDelta{Text: "{}"}, callwright.CallEnd{}), batch("b"), batch("no", callwright.TextDelta{Text: "x"}), batch("d", callwright.End{})}
}

// Batches that were kept back are written as they would have been one by one; a piece that came late goes before the end of its call.
func TestHold(t *testing.T) {
	const own = kit.API(callwright.WireGemini)
	for name, c := range map[string]struct {
		late   string
		madeUp bool
		api    callwright.WireName
		want   string
	}{
		"nothing came late": {"", true, callwright.WireGemini, "a(callwright.CallDelta)(callwright.CallEnd)b<callwright.TextDelta>d(callwright.End)"},
		"without bytes":     {"", true, "", "<callwright.CallDelta><callwright.CallEnd><callwright.TextDelta><callwright.End>"},
		"a late piece":      {`{"n":1}`, false, callwright.WireGemini, "<callwright.CallDelta><callwright.CallDelta><callwright.CallEnd><callwright.TextDelta><callwright.End>"},
		"in place of none":  {`{"n":1}`, true, callwright.WireGemini, "<callwright.CallDelta><callwright.CallEnd><callwright.TextDelta><callwright.End>"},
	} {
		var h kit.DelayedBatches
		h.EndCall(0, c.madeUp)
		for _, b := range heldParts() {
			h.Add(b)
		}
		if c.late != "" && (!h.AddLate(0, c.late[:3]) || !h.AddLate(0, c.late[3:]) || h.AddLate(1, "x")) {
			t.Errorf("%s: the piece found no call, or another", name)
		}
		if h.IsSettled() || !h.IsHolding() {
			t.Errorf("%s: settled", name)
		}
		if h.Settle(0); !h.IsSettled() {
			t.Errorf("%s: not settled", name)
		}
		b := h.Release(c.api)
		e := &recorder{}
		if got := string(e.Encode(nil, b, own, e)); got != c.want {
			t.Errorf("%s: expected %s, got %s", name, c.want, got)
		}
		if c.late != "" {
			for i, ev := range b.Events {
				if d, ok := ev.(callwright.CallDelta); ok && (i == 1 || c.madeUp) && d.Text != c.late {
					t.Errorf("%s: got %q", name, d.Text)
				}
			}
		}
		if h.IsHolding() || h.Len() > 0 {
			t.Errorf("%s: something is left", name)
		}
	}
}

// The bytes of a batch are not written after another stage dropped an event of it.
func TestHeldBytesFitTheirEvents(t *testing.T) {
	var h kit.DelayedBatches
	h.Begin()
	for _, b := range heldParts() {
		h.Add(b)
	}
	b := h.Release(callwright.WireGemini)
	b.Events = b.Events[1:]
	e := &recorder{}
	if got, want := string(e.Encode(nil, b, kit.API(callwright.WireGemini), e)), "<callwright.CallEnd><callwright.TextDelta><callwright.End>"; got != want {
		t.Errorf("expected %s, got %s", want, got)
	}
}
