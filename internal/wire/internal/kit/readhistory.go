package kit

import (
	"slices"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
)

// A readHistory is the result of reading a list of messages. Places are counted from the beginning of the list. It does
// not change.
type readHistory struct {
	points  []point
	outline []callwright.Summary
	spans   []Span
	long    []jsonx.LongValue
	shift   int // to be taken from the places in spans and long
	shared  int // bytes that the calls and results of the outline hold: other requests may have parts of this memory
}

// A point is the state of reading at the end of an element.
type point struct {
	end   int // from the beginning of the list
	next  int // number of the next element
	turns int
	parts int
	long  int
	found Found
}

// Sizes in bytes, rounded up, of the memory of a history.
const (
	pointSize  = 56
	turnSize   = 104 // a Summary and its Span
	callSize   = 40
	resultSize = 16
	longSize   = 24 // a LongValue
)

// leastShared is how many bytes the calls and results of a history may hold in any case before they are copied.
const leastShared = 4 << 10

// result returns the state at the last point. known is the number of bytes of turns that were read in an earlier
// request.
func (h *historyWalk) result(known int) *readHistory {
	o, last, long := h.o, h.points[len(h.points)-1], h.walk.check.Long()
	r := &readHistory{points: slices.Clone(h.points), shift: h.from, shared: known + o.sharedSize(),
		outline: fitting(o.Outline, h.turns, last.turns), spans: fitting(o.Spans, h.turns, last.turns), long: fitting(long, h.long, last.long)}
	if n := r.contents(); r.shared > 2*n.bytes()+leastShared {
		r.copyTurns(n)
		r.shared = n.bytes()
	}
	return r
}

// fitting returns n elements of a list from a place on. They are copied where they are less than half of its memory.
func fitting[T any](list []T, from, n int) []T {
	part := list[from : from+n : from+n]
	if 2*n < cap(list) {
		return slices.Clone(part)
	}
	return part
}

// sharedSize is how many bytes the calls and results hold that were read.
func (o *Outliner) sharedSize() int {
	if len(o.Calls)+len(o.Results) == 0 {
		return 0
	}
	return cap(o.Calls)*callSize + cap(o.Results)*resultSize + o.kept
}

// turnContents counts the calls and results of turns, and the bytes of their texts.
type turnContents struct{ calls, results, texts int }

func (n turnContents) bytes() int { return n.calls*callSize + n.results*resultSize + n.texts }

func (r *readHistory) contents() (n turnContents) {
	for i := range r.outline {
		t := &r.outline[i]
		n.calls, n.results = n.calls+len(t.Calls), n.results+len(t.Results)
		for _, c := range t.Calls {
			n.texts += len(c.ID) + len(c.Name)
		}
		for _, id := range t.Results {
			n.texts += len(id)
		}
	}
	return n
}

// copyTurns gives the outline memory of its own, which it fills. It has n contents.
func (r *readHistory) copyTurns(n turnContents) {
	var texts strings.Builder
	texts.Grow(n.texts)
	copyOf := func(s string) string {
		start := texts.Len()
		texts.WriteString(s)
		return texts.String()[start:]
	}
	calls, results := make([]callwright.CallRef, 0, n.calls), make([]string, 0, n.results)
	r.outline = slices.Clone(r.outline)
	for i := range r.outline {
		t := &r.outline[i]
		if from := len(calls); t.Calls != nil {
			for _, c := range t.Calls {
				calls = append(calls, callwright.CallRef{ID: copyOf(c.ID), Name: copyOf(c.Name), Sound: c.Sound})
			}
			t.Calls = slices.Clip(calls[from:])
		}
		if from := len(results); t.Results != nil {
			for _, id := range t.Results {
				results = append(results, copyOf(id))
			}
			t.Results = slices.Clip(results[from:])
		}
	}
}

// size estimates the memory of a history in bytes, its text left out.
func (r *readHistory) size() int {
	n := len(r.points)*pointSize + cap(r.outline)*turnSize + cap(r.long)*longSize + r.shared
	for i, p := range r.points {
		if p.found != nil && (i == 0 || p.found != r.points[i-1].found) {
			n += p.found.Size()
		}
	}
	return n
}
