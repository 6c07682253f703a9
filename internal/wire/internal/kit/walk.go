package kit

import (
	"bytes"
	"slices"
	"strings"
	"sync"

	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/turnmemo"
)

// Walk visits the top-level members of a request's body, adds them, and checks on the way that it is one JSON object in
// which each member occurs once. visit passes a value by the Walk, which shows the elements of lists to v, and returns
// its end, or leaves it and returns 0. Neither keeps the Walk. op is for the error. After an error the findings of v
// mean nothing.
func (x *Index) Walk(op string, v Visitor, visit func(w *Walk, key jsonx.Key, at int) (end int)) error {
	raw := x.Raw
	if start := jsonx.Space(raw, 0); start < len(raw) && raw[start] == '{' {
		w, names := jsonx.NewWalker(raw), Names{Camel: x.Camel}
		walk := walks.Get().(*Walk)
		walk.in, walk.check, walk.visitor, walk.memo = &x.Document, w, v, x.Memo
		defer walk.Release()
		end := w.Members(start, func(key jsonx.Key, at int) int {
			end := visit(walk, key, at)
			if end == 0 {
				end = walk.Value(at)
			}
			if names.Twice(key) {
				x.double(at)
			}
			x.Add(key, at, end)
			return end
		})
		if w.Sound() && jsonx.Space(raw, end) == len(raw) {
			x.long = newLongValues(w.Long(), len(raw))
			if place := x.twice; place > 0 {
				return Invalid(op, pointerTo(raw, start, place), "expected each member once, got it twice")
			}
			return nil
		}
	}
	if bad := jsonx.Valid(raw); bad != nil {
		return Invalid(op, "", "expected a JSON object: "+strings.TrimPrefix(bad.Error(), "json: "))
	}
	return Invalid(op, "", "expected a JSON object, got "+KindOf(raw[jsonx.Space(raw, 0):]))
}

// A Visitor reads members of the objects in the lists of a request.
type Visitor interface {
	// Enter is called before element n of a list is read, and reports whether it is to be read.
	Enter(of *Shape, n int) bool
	// Leave is called with an element that was read, after those of the lists inside it. It does not keep the Object.
	Leave(o *Object)
}

// A Walk goes through lists of a request as shapes say. It checks text that nobody has checked on the way, and passes
// long values of a Document in one step. A Walk begins with NewWalk or NewCheckedWalk.
type Walk struct {
	in      *Document
	check   *jsonx.Walker // nil where the text is known to be valid
	visitor Visitor
	memo    turnmemo.Owner
	history historyWalk
	depth   int
	objects [deepestList]Object

	others []jsonx.Key // without a slot, of the objects at hand
	odd    bool        // the object at hand has others that cannot be compared as they stand
}

// walks are those that are not in use: one is larger than all else that reading a short body takes.
var walks = sync.Pool{New: func() any { return new(Walk) }}

// Release gives the Walk to the next body; nothing of this one stays in it. A Walk that was released is not used again.
func (w *Walk) Release() {
	w.in, w.check, w.visitor, w.memo, w.depth, w.odd = nil, nil, nil, turnmemo.Owner{}, 0, false
	for i := range w.objects {
		w.objects[i].Shape, w.objects[i].text = nil, nil
	}
	w.history.release()
	clear(w.others[:cap(w.others)])
	w.others = w.others[:0]
	walks.Put(w)
}

// fewOthers is how many members without a slot are compared with one another as they stand.
const fewOthers = 8

// deepestList is how deep elements of shapes stand in each other: a request, its messages, their parts, the parts of a
// result.
const deepestList = 4

// NewWalk returns a Walk through text that is known to be valid.
func NewWalk(in *Document, v Visitor) *Walk {
	w := walks.Get().(*Walk)
	w.in, w.visitor = in, v
	return w
}

// NewCheckedWalk is a walk through text that is checked on the way.
func NewCheckedWalk(in *Document, check *jsonx.Walker, v Visitor) *Walk {
	return &Walk{in: in, check: check, visitor: v}
}

// Value passes the value at i and gives its end. In one that is checked it looks for members that stand twice.
func (w *Walk) Value(i int) int {
	end := w.Data(i)
	if w.check != nil && w.in.strict && (w.in.Raw[i] == '{' || w.in.Raw[i] == '[') && w.check.Sound() {
		w.in.members(i)
	}
	return end
}

// Data is Value for a value whose members are no API's.
func (w *Walk) Data(i int) int {
	if w.check != nil {
		return w.check.Value(i)
	}
	return w.in.Skip(i)
}

// List visits the elements of the list at i and gives its end. Another value is passed.
func (w *Walk) List(i int, of *Shape) int {
	visit := func(n, at int) int { return w.Element(n, at, of) }
	switch {
	case w.in.Raw[i] != '[':
		return w.Value(i)
	case w.check != nil:
		return w.check.Elements(i, visit)
	}
	return jsonx.WalkElements(w.in.Raw, i, visit)
}

// Lone is List for a list in whose place one object may stand.
func (w *Walk) Lone(i int, of *Shape) int {
	if w.in.Raw[i] == '{' {
		return w.Element(0, i, of)
	}
	return w.List(i, of)
}

// Element visits one element of a list, which begins at i, and gives its end.
func (w *Walk) Element(n, i int, of *Shape) int {
	if !w.visitor.Enter(of, n) {
		return w.Value(i)
	}
	o := &w.objects[w.depth]
	o.begin(of, n)
	w.depth++
	end := w.members(o, i, of, true)
	w.depth--
	if w.check != nil && !w.check.Sound() {
		return end
	}
	o.Span, o.text = Span{i, end}, w.in.Raw
	w.visitor.Leave(o)
	return end
}

// members reads the members of the object at i into o and gives its end. Another value is passed. Of a member that
// stands twice a walk that checks reads both, another the first.
func (w *Walk) members(o *Object, i int, s *Shape, outer bool) int {
	others, odd := len(w.others), w.odd
	visit := func(key jsonx.Key, at int) (end int) {
		m := s.member(key)
		switch {
		case m == nil:
			if outer {
				o.others++
			}
			w.other(key, at, others)
			return w.plain(key, at)
		case !o.has(m.slot):
		case w.check == nil:
			o.others++
			return w.in.Skip(at)
		default:
			w.in.double(at)
		}
		switch {
		case m.list == nil && m.inner == nil:
			end = w.plain(key, at)
		case m.inner != nil:
			end = w.members(o, at, m.inner, false)
		case m.lone:
			end = w.Lone(at, m.list)
		default:
			end = w.List(at, m.list)
		}
		o.values[m.slot], o.set = Span{at, end}, o.set|1<<m.slot
		return end
	}
	switch {
	case w.in.Raw[i] != '{':
		return w.Value(i)
	case w.check == nil:
		return jsonx.WalkMembers(w.in.Raw, i, visit)
	}
	w.odd = false
	end := w.check.Members(i, visit)
	if w.odd && w.in.strict && w.check.Sound() {
		w.in.members(i)
	}
	w.others, w.odd = w.others[:others], odd
	return end
}

// other compares a member without a slot with those before it in its object.
func (w *Walk) other(key jsonx.Key, at, from int) {
	switch others := w.others[from:]; {
	case w.check == nil || !w.in.strict || w.odd:
	case len(others) == fewOthers, bytes.IndexByte(key, '\\') >= 0, w.in.Camel && bytes.IndexByte(key, '_') >= 0:
		w.odd = true
	default:
		if slices.ContainsFunc(others, func(before jsonx.Key) bool { return string(before) == string(key) }) {
			w.in.double(at)
		}
		w.others = append(w.others, key)
	}
}

// plain passes the value of a member that is none of a list.
func (w *Walk) plain(key jsonx.Key, at int) int {
	switch b := w.in.Raw[at]; {
	case w.check == nil:
		return w.in.Skip(at)
	case b != '{' && b != '[' || isData(key):
		return w.check.Value(at)
	}
	return w.Value(at)
}
