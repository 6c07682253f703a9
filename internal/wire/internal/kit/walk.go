package kit

import (
	"bytes"
	"slices"
	"strings"
	"sync"

	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/turnmemo"
)

// Walk visits the top-level members of the request body and adds them to x. It checks that the body is one JSON object
// without duplicate members. visit receives the offset of a member's value. It either reads the value through w, whose
// lists are visited by v, and returns the offset of its end, or it returns 0 to skip it. op is the operation for the
// error. After an error the state of v is invalid. visit and v must not keep w.
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

// A Visitor receives the elements of the lists of a request from a Walk.
type Visitor interface {
	// Enter is called before element n of a list is read. It returns false to skip the element.
	Enter(of *Shape, n int) bool
	// Leave is called after an element was read, and after the elements of the lists inside it. o is valid until Leave
	// returns.
	Leave(o *Object)
}

// A Walk reads lists of a request with Shapes and passes their elements to a Visitor. It validates JSON that was not
// validated before, and skips long values of a Document in one step. Create a Walk with NewWalk or NewCheckedWalk.
type Walk struct {
	in      *Document
	check   *jsonx.Walker // nil if the text is known to be valid
	visitor Visitor
	memo    turnmemo.Owner
	history historyWalk
	depth   int
	objects [deepestList]Object

	others []jsonx.Key // names without a slot, of the current object and those around it
	odd    bool        // the current object has more such names than others, or names that need unescaping
}

// walks is a pool of unused Walks. A Walk is large, so that allocating one for each short body would be expensive.
var walks = sync.Pool{New: func() any { return new(Walk) }}

// Release clears the Walk and puts it back into the pool of Walks. The Walk must not be used afterwards.
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

// fewOthers is the greatest number of names without a slot, per object, that are compared for duplicates byte by byte.
const fewOthers = 8

// deepestList is the greatest depth of nested list elements: a request, its messages, their parts, the parts of a tool
// result.
const deepestList = 4

// NewWalk returns a Walk through text that is known to be valid JSON.
func NewWalk(in *Document, v Visitor) *Walk {
	w := walks.Get().(*Walk)
	w.in, w.visitor = in, v
	return w
}

// NewCheckedWalk returns a Walk through text that check validates during the walk.
func NewCheckedWalk(in *Document, check *jsonx.Walker, v Visitor) *Walk {
	return &Walk{in: in, check: check, visitor: v}
}

// Value skips the value at offset i and returns the offset of its end. A Walk that validates also checks the value for
// duplicate members.
func (w *Walk) Value(i int) int {
	end := w.Data(i)
	if w.check != nil && w.in.strict && (w.in.Raw[i] == '{' || w.in.Raw[i] == '[') && w.check.Sound() {
		w.in.members(i)
	}
	return end
}

// Data is Value without the check for duplicate members, for values whose members the API does not define.
func (w *Walk) Data(i int) int {
	if w.check != nil {
		return w.check.Value(i)
	}
	return w.in.Skip(i)
}

// List visits the elements of the list at offset i and returns the offset of its end. It skips a value that is not a
// list.
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

// ListOrOne visits the elements of the list at offset i, or a single object in place of the list. It returns the offset
// of its end.
func (w *Walk) ListOrOne(i int, of *Shape) int {
	if w.in.Raw[i] == '{' {
		return w.Element(0, i, of)
	}
	return w.List(i, of)
}

// Element visits element n of a list, at offset i, and returns the offset of its end.
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

// members reads the members of the object at offset i into o and returns the offset of its end. It skips a value that
// is not an object. outer is false for an object inside the element. A Walk that validates reads the last of two
// duplicate members, and records the duplicate; another Walk reads the first.
func (w *Walk) members(o *Object, i int, s *Shape, outer bool) int {
	others, odd := len(w.others), w.odd
	visit := func(key jsonx.Key, at int) (end int) {
		m := s.member(key)
		switch {
		case m == nil:
			if outer {
				o.others++
			}
			w.checkDuplicate(key, at, others)
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
			end = w.ListOrOne(at, m.list)
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

// checkDuplicate checks whether a member without a slot is a duplicate of an earlier one in its object. at is the
// offset of its value. from is the index in w.others of the object's first name.
func (w *Walk) checkDuplicate(key jsonx.Key, at, from int) {
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

// plain skips the value of the member key, at offset at, and returns the offset of its end.
func (w *Walk) plain(key jsonx.Key, at int) int {
	switch b := w.in.Raw[at]; {
	case w.check == nil:
		return w.in.Skip(at)
	case b != '{' && b != '[' || isData(key):
		return w.check.Value(at)
	}
	return w.Value(at)
}
