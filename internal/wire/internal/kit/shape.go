package kit

import (
	"bytes"
	"math/bits"
	"slices"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
)

// A Shape is the table by which a Walk reads objects of one kind: the members that are asked for, each with a slot.
// Shapes are made when a program starts and do not change afterwards.
type Shape struct {
	Kind ShapeKind

	members  []shapeMember
	slots    int
	own      uint32                    // a bit for each slot that is none of an object inside
	byLength [longestMember + 1]uint32 // the members whose names have so many bytes
}

// A ShapeKind tells the shapes of one API apart. Its values are the codec's own.
type ShapeKind uint8

type shapeMember struct {
	name  string
	slot  int
	list  *Shape // of the elements, where the value is a list
	lone  bool   // one object may stand in place of a list
	inner *Shape // of the value, where it is an object: its slots belong to the same Object
}

// Bounds of a shape.
const (
	longestMember = 24
	mostSlots     = 16
)

// NewShape makes a shape of the members that are asked for, in the order of their slots. Spellings of one member have a
// bar between them.
func NewShape(kind ShapeKind, names ...string) *Shape {
	s := &Shape{Kind: kind}
	s.add(names)
	s.own = 1<<s.slots - 1
	return s
}

func (s *Shape) add(names []string) {
	for _, spellings := range names {
		for name := range strings.SplitSeq(spellings, "|") {
			s.byLength[len(name)] |= 1 << len(s.members)
			s.members = append(s.members, shapeMember{name: name, slot: s.slots})
		}
		s.slots++
	}
	if s.slots > mostSlots || len(s.members) > 32 {
		panic("kit: a shape with too many members")
	}
}

// List says that a member is a list of objects of a shape.
func (s *Shape) List(slot int, of *Shape) *Shape {
	return s.change(slot, func(m *shapeMember) { m.list = of })
}

// Lone is List for a member where one object may stand in place of a list.
func (s *Shape) Lone(slot int, of *Shape) *Shape {
	return s.change(slot, func(m *shapeMember) { m.list, m.lone = of, true })
}

// Inner says which members of an object inside are asked for. Their slots follow those of the shape.
func (s *Shape) Inner(slot int, names ...string) *Shape {
	inner := &Shape{slots: s.slots}
	inner.add(names)
	s.slots = inner.slots
	return s.change(slot, func(m *shapeMember) { m.inner = inner })
}

func (s *Shape) change(slot int, to func(*shapeMember)) *Shape {
	for i := range s.members {
		m := &s.members[i]
		if m.slot == slot {
			to(m)
		}
		if m.inner != nil {
			m.inner.change(slot, to)
		}
	}
	return s
}

// member finds a member by its name, nil for others.
func (s *Shape) member(key jsonx.Key) *shapeMember {
	if m := s.findMember(key[1 : len(key)-1]); m != nil || bytes.IndexByte(key, '\\') < 0 {
		return m
	}
	return s.findMember(key.Text())
}

func (s *Shape) findMember(name []byte) *shapeMember {
	if len(name) > longestMember {
		return nil
	}
	for set := s.byLength[len(name)]; set != 0; set &= set - 1 {
		if m := &s.members[bits.TrailingZeros32(set)]; m.name == string(name) {
			return m
		}
	}
	return nil
}

// An Object holds the members of one element of a list that a Walk read. An element that is no object has no members.
type Object struct {
	Shape *Shape
	N     int // its place in the list
	Span

	text   []byte // of the request
	others int    // members without a slot, those inside others left out
	set    uint32 // a bit for each slot whose member is there
	values [mostSlots]Span
}

// Raw is the element as it came.
func (o *Object) Raw() []byte { return o.text[o.From:o.To:o.To] }

// IsObject reports whether the element is an object.
func (o *Object) IsObject() bool { return o.text[o.From] == '{' }

// Get is the value in a slot, nil where the member is missing.
func (o *Object) Get(slot int) []byte {
	if o.has(slot) {
		v := o.values[slot]
		return o.text[v.From:v.To:v.To]
	}
	return nil
}

func (o *Object) has(slot int) bool { return o.set>>slot&1 != 0 }

// Text is the text in a slot, "" for other values.
func (o *Object) Text(slot int) string { return jsonx.TextOf(o.Get(slot)) }

// Is reports whether the value in a slot is this text.
func (o *Object) Is(slot int, text string) bool {
	return string(jsonx.TextBytes(o.Get(slot))) == text
}

// Only reports whether all members are those of these slots.
func (o *Object) Only(slots ...int) bool {
	set := o.set & o.Shape.own
	for _, slot := range slots {
		set &^= 1 << slot
	}
	return set == 0 && o.others == 0
}

// Rest is the members that have none of these slots, of the wire own: the wire alone where there are none.
func (o *Object) Rest(own Own, slots ...int) callwright.Extra {
	if o.Only(slots...) {
		return own.Extra(nil)
	}
	w := own.Writer(nil)
	for key, v := range jsonx.Members(o.Raw()) {
		if m := o.Shape.member(key); m == nil || !slices.Contains(slots, m.slot) {
			w.Add(key, v)
		}
	}
	return own.Extra(w.CloseExtra().JSON)
}

func (o *Object) begin(s *Shape, n int) {
	o.Shape, o.N, o.others, o.set = s, n, 0, 0
}
