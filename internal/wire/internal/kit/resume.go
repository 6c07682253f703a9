package kit

import (
	"sort"

	"github.com/callwright/callwright/internal/wire/turnmemo"
)

// A Resumer is a Visitor of a history that can begin behind turns that were read in an earlier request.
type Resumer interface {
	Visitor
	// outliner is the Outliner that is part of it.
	outliner() *Outliner
	// Mark returns what was found in the elements so far and is not in the Outliner, as a value that does not change.
	// ok is false where the history cannot be resumed behind the element that was read last.
	Mark() (found Found, ok bool)
	// Resume takes what Mark returned in an earlier request.
	Resume(found Found)
}

// Found holds the facts that a Resumer found in the elements of a history, beside the outline. It does not change.
// Values can be compared.
type Found interface {
	// Size is its memory in bytes, about.
	Size() int
}

func (o *Outliner) outliner() *Outliner { return o }

// Mark returns nil: an Outliner alone is resumed by the Walk.
func (o *Outliner) Mark() (found Found, ok bool) { return nil, true }

// Resume does nothing.
func (o *Outliner) Resume(Found) {}

// leastHistory is how many bytes a history has at least that is kept.
const leastHistory = 4 << 10

// History is List for the history of a request, the list of messages at i. The elements at the beginning that an
// earlier history of the same owner has, too, are not read again. The results of the list must not depend on a member
// before it, nor lose it: a list behind such a member is read from its beginning and not kept.
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

// A historyWalk is a walk through the history of a request. It belongs to a Walk, whose memory it shares.
type historyWalk struct {
	walk *Walk
	v    Resumer
	o    *Outliner
	of   *Shape

	from               int // where the list begins
	parts, turns, long int // that were there before it
	points             []point
}

// mostPoints is how many points a Walk keeps room for.
const mostPoints = 1 << 10

// release forgets the walk but for its memory.
func (h *historyWalk) release() {
	clear(h.points)
	points := h.points[:0]
	if cap(points) > mostPoints {
		points = nil
	}
	*h = historyWalk{points: points}
}

// element visits an element of the history.
func (h *historyWalk) element(n, at int) int {
	end := h.walk.Element(n, at, h.of)
	if found, ok := h.v.Mark(); ok {
		if n := len(h.points); n > 0 && h.points[n-1].found == found {
			found = h.points[n-1].found // in one piece of memory
		}
		h.points = append(h.points, point{end - h.from, n + 1, len(h.o.Outline) - h.turns, h.o.parts - h.parts,
			len(h.walk.check.Long()) - h.long, found})
	}
	return end
}

// foundNothing reports whether a visitor has no findings and no error yet.
func foundNothing(v Resumer) bool {
	found, ok := v.Mark()
	return ok && found == nil && v.outliner().Err == nil
}

// lastPoint returns the last point of an entry within its first bytes and with at most this many parts before it, and
// the history without the points behind it. The point is zero where there is none.
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

// takeTurns adds the turns up to a point of a history that was read, for a list that begins at i.
func (o *Outliner) takeTurns(known readHistory, to point, i int) {
	o.Outline = append(o.Outline, known.outline[:to.turns]...)
	for _, s := range known.spans[:to.turns] {
		o.Spans = append(o.Spans, Span{s.From - known.shift + i, s.To - known.shift + i})
	}
	o.parts += to.parts
}
