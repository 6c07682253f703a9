package gemini

import (
	"bytes"
	"slices"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/wire/internal/kit"
)

// hold stores a copy of a chunk's batch until the next chunk.
func (d *streamDecoder) hold(b callwright.Batch) {
	d.held = callwright.Batch{Wire: b.Wire, Raw: bytes.Clone(b.Raw), Events: slices.Clone(b.Events), Notes: b.Notes}
	d.holds, d.waiting = true, d.ended
}

// extend adds a chunk's batch to the held one, which has the beginning of the same call.
func (d *streamDecoder) extend(b callwright.Batch) {
	h := &d.held
	if h.Events = append(h.Events, b.Events...); d.rewritten || len(h.Raw) > maxBare {
		d.rewritten, h.Wire, h.Raw = true, "", nil
	} else {
		h.Raw = append(h.Raw, b.Raw...)
	}
	d.holds, d.waiting = true, d.waiting+d.ended
}

// join returns two batches as one. It has their bytes, or none if a has events or notes, or b events, without bytes.
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

// waits reports whether the current chunk has to be held back until the next one.
func (d *streamDecoder) waits() bool { return d.behind || d.ended > 0 || d.partial != nil }

// begunCalls returns the number of calls received so far, including a partial one.
func (d *streamDecoder) begunCalls() int {
	if d.partial != nil {
		return d.calls + 1
	}
	return d.calls
}

// withdraw removes the calls from the held chunk, because the provider reported that a call could not be parsed.
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

// release returns the held batch, which is empty if there is none. No batch is held afterwards.
func (d *streamDecoder) release() callwright.Batch {
	held := d.held
	if d.waiting > 0 {
		d.passed = d.calls - d.ended
	}
	d.held, d.holds, d.waiting = callwright.Batch{}, false, 0
	return held
}
