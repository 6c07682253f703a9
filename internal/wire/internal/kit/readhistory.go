package kit

import (
	"slices"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
)

// A readHistory is the cached result of reading a list of messages. It does not change.
type readHistory struct {
	points  []point              // the state after each element; offsets count from the start of the list
	outline []callwright.Summary // one for each message
	spans   []Span               // byte range of each message in the body
	long    []jsonx.LongValue    // long values, by offsets in the body
	shift   int                  // offset of the list in the body that spans and long refer to
	shared  int                  // bytes of calls and results in outline, some of which other requests may share
}

// A point is the state of reading a list of messages after one of its elements.
type point struct {
	end   int   // offset of the end of the element, from the start of the list
	next  int   // index of the next element
	turns int   // number of messages so far
	parts int   // number of parts so far, as Outliner.parts counts
	long  int   // number of long values so far
	found Found // the visitor's state, nil for none
}

// Memory sizes in bytes, rounded up, of the elements of a readHistory.
const (
	pointSize  = 56
	turnSize   = 104 // a Summary and its Span
	callSize   = 40  // a CallRef
	resultSize = 16  // a call id, without its text
	longSize   = 24  // a LongValue
)

// leastShared is the number of bytes that the calls and results of a history may always use before they are copied.
const leastShared = 4 << 10

// result returns the cache entry for the list up to the last point. known is the number of bytes of the calls and
// results that were cached by an earlier request.
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

// fitting returns the n elements of list that start at the index from. It copies them if they use less than half of the
// list's capacity.
func fitting[T any](list []T, from, n int) []T {
	part := list[from : from+n : from+n]
	if 2*n < cap(list) {
		return slices.Clone(part)
	}
	return part
}

// sharedSize returns the memory in bytes of the tool calls and results of all messages so far.
func (o *Outliner) sharedSize() int {
	if len(o.Calls)+len(o.Results) == 0 {
		return 0
	}
	return cap(o.Calls)*callSize + cap(o.Results)*resultSize + o.kept
}

// turnContents counts the calls and results of messages, and the bytes of their ids and names.
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

// copyTurns copies the calls and results of r.outline into memory of their exact size n. The old memory can be freed.
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

// size returns the approximate memory of the cache entry r in bytes, without the text of the messages.
func (r *readHistory) size() int {
	n := len(r.points)*pointSize + cap(r.outline)*turnSize + cap(r.long)*longSize + r.shared
	for i, p := range r.points {
		if p.found != nil && (i == 0 || p.found != r.points[i-1].found) {
			n += p.found.Size()
		}
	}
	return n
}
