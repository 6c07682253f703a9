package gemini

import (
	"bytes"
	"slices"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/wire/internal/kit"
)

// hold keeps a piece.
func (d *streamDecoder) hold(b callwright.Batch) {
	d.held = callwright.Batch{Wire: b.Wire, Raw: bytes.Clone(b.Raw), Events: slices.Clone(b.Events), Notes: b.Notes}
	d.holds, d.waiting = true, d.ended
}

// extend adds a piece to the one that waits, which has the beginning of the same call.
func (d *streamDecoder) extend(b callwright.Batch) {
	h := &d.held
	if h.Events = append(h.Events, b.Events...); d.rewritten || len(h.Raw) > maxBare {
		d.rewritten, h.Wire, h.Raw = true, "", nil
	} else {
		h.Raw = append(h.Raw, b.Raw...)
	}
	d.holds, d.waiting = true, d.waiting+d.ended
}

// join returns two batches as one. It has bytes where both have.
func join(a, b callwright.Batch) callwright.Batch {
	switch {
	case len(a.Events)+len(a.Notes) == 0 && a.Raw == nil:
		return b
	case a.Raw == nil || b.Raw == nil && len(b.Events) > 0:
		a.Wire, a.Raw = "", nil
	default:
		a.Raw = append(a.Raw, b.Raw...)
	}
	a.Events, a.Notes = append(a.Events, b.Events...), append(a.Notes, b.Notes...)
	return a
}

// waits reports whether the piece at hand waits for the next.
func (d *streamDecoder) waits() bool { return d.behind || d.ended > 0 || d.partial != nil }

// begunCalls is how many calls came, the one that is open too.
func (d *streamDecoder) begunCalls() int {
	if d.partial != nil {
		return d.calls + 1
	}
	return d.calls
}

// withdraw takes the calls out of the piece that waits.
func (d *streamDecoder) withdraw() {
	d.held.Wire, d.held.Raw = "", nil
	d.held.Events = slices.DeleteFunc(d.held.Events, func(ev callwright.Event) bool {
		switch ev.(type) {
		case callwright.CallBegin, callwright.CallDelta, callwright.CallEnd:
			return true
		}
		return false
	})
	d.calls, d.waiting, d.partial = d.calls-d.waiting, 0, nil
	d.out, d.late = append(d.out, d.late...), nil
	d.found.Add(kit.FoundBroken)
}

// release returns the piece that waited.
func (d *streamDecoder) release() callwright.Batch {
	held := d.held
	if d.waiting > 0 {
		d.passed = d.calls - d.ended
	}
	d.held, d.holds, d.waiting = callwright.Batch{}, false, 0
	return held
}
