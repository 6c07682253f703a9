package kit

import (
	"sort"

	"github.com/callwright/callwright/internal/wire/turnmemo"
)

// A Resumer is a Visitor of a history that can start after the messages that an earlier request had too.
type Resumer interface {
	Visitor
	// outliner returns the Outliner that the visitor embeds.
	outliner() *Outliner
	// Mark returns the visitor's state after the elements so far, without the Outliner, as an immutable value. It is nil
	// for a visitor without other state. ok is false if the visitor cannot continue from this element.
	Mark() (found Found, ok bool)
	// Resume restores the state that Mark returned in an earlier request.
	Resume(found Found)
}

// Found is the state of a Resumer after an element, without its Outliner. A Found is immutable and comparable with ==.
type Found interface {
	// Size returns the approximate memory of the value in bytes.
	Size() int
}

func (o *Outliner) outliner() *Outliner { return o }

// Mark returns nil: the Walk itself saves and restores the Outliner.
func (o *Outliner) Mark() (found Found, ok bool) { return nil, true }

// Resume does nothing: the Walk itself restores the Outliner.
func (o *Outliner) Resume(Found) {}

// leastHistory is the least size in bytes of a list of messages that is cached.
const leastHistory = 4 << 10

// History is like List, for the list of messages at offset i of a request, with v as the visitor. It skips the first
// messages if a cached history of the same client starts with the same bytes. If v already has state from members
// before the list, the whole list is read and not cached. It returns the offset of the end of the list.
func (w *Walk) History(i int, of *Shape, v Resumer) int {
	text, o := w.in.Raw, v.outliner()
	if !w.memo.Keeps() || w.check == nil || text[i] != '[' || len(text)-i < leastHistory || !foundNothing(v) {
		return w.List(i, of)
	}
	h := &w.history
	*h = historyWalk{walk: w, v: v, o: o, of: of, from: i, parts: o.parts, turns: len(o.Outline), long: len(w.check.Long()),
		points: h.points[:0]}
	entry, common := w.memo.Find(o.Op, text[i:])
	known, from := lastPoint(entry, common, MaxParts-o.parts)
	var end int
	if from.next == 0 {
		entry = nil
		end = w.check.Elements(i, h.element)
	} else {
		h.points = append(h.points, known.points...)
		o.takeTurns(known, from, i)
		w.check.AddLong(known.long[:from.long], i-known.shift)
		v.Resume(from.found)
		end = w.check.MoreElements(i, i+from.end, from.next, h.element)
	}
	if n := len(h.points); n > 0 && h.points[n-1].end > from.end && h.points[n-1].end >= leastHistory && w.check.Sound() &&
		o.Err == nil && w.in.twice == 0 {
		read := h.result(known.shared)
		w.memo.Keep(o.Op, text[i:i+h.points[n-1].end], entry, from.end, read, read.size())
	}
	return end
}

// A historyWalk is the state of Walk.History. It is a part of a Walk, so that its memory is reused.
type historyWalk struct {
	walk *Walk
	v    Resumer
	o    *Outliner
	of   *Shape

	from               int     // offset of the list in the body
	parts, turns, long int     // number of parts, turns and long values before the list
	points             []point // the state after each element
}

// mostPoints is the greatest capacity of the list historyWalk.points whose memory is reused for the next request.
const mostPoints = 1 << 10

// release clears the walk, but keeps the memory of points.
func (h *historyWalk) release() {
	clear(h.points)
	points := h.points[:0]
	if cap(points) > mostPoints {
		points = nil
	}
	*h = historyWalk{points: points}
}

// element visits element n of the list, at offset at, and records the state after it. It returns the offset of its end.
func (h *historyWalk) element(n, at int) int {
	end := h.walk.Element(n, at, h.of)
	if found, ok := h.v.Mark(); ok {
		if n := len(h.points); n > 0 && h.points[n-1].found == found {
			found = h.points[n-1].found // share the equal value
		}
		h.points = append(h.points, point{end - h.from, n + 1, len(h.o.Outline) - h.turns, h.o.parts - h.parts,
			len(h.walk.check.Long()) - h.long, found})
	}
	return end
}

// foundNothing reports whether the visitor v has no state outside its Outliner and no error.
func foundNothing(v Resumer) bool {
	found, ok := v.Mark()
	return ok && found == nil && v.outliner().Err == nil
}

// lastPoint returns the last point of the cached entry e with at most the given numbers of bytes (common) and message
// parts (parts), and the readHistory of e without the points after it. Both are zero if there is none.
func lastPoint(e *turnmemo.Entry, common, parts int) (readHistory, point) {
	if e == nil {
		return readHistory{}, point{}
	}
	read := *e.State.(*readHistory)
	behind := func(n int) bool { return read.points[n].end > common || read.points[n].parts > parts }
	n := sort.Search(len(read.points), behind)
	if n == 0 {
		return readHistory{}, point{}
	}
	read.points = read.points[:n]
	return read, read.points[n-1]
}

// takeTurns appends the messages of known up to a point (to). i is the offset of the list in the current body.
func (o *Outliner) takeTurns(known readHistory, to point, i int) {
	o.Outline = append(o.Outline, known.outline[:to.turns]...)
	for _, s := range known.spans[:to.turns] {
		o.Spans = append(o.Spans, Span{s.From - known.shift + i, s.To - known.shift + i})
	}
	o.parts += to.parts
}
