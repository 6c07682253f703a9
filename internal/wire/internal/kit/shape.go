package kit

import (
	"bytes"
	"math/bits"
	"slices"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
)

// A Shape is a table of the members that a Walk reads from JSON objects of one sort, such as messages. Each member has
// a slot: a small number by which an Object returns the value. Several spellings of a member share a slot. Shapes are
// created at program start and do not change afterwards.
type Shape struct {
	Kind ShapeKind

	members  []shapeMember
	slots    int
	own      uint32                    // bit set of the slots of the object itself, without those of inner objects
	byLength [longestMember + 1]uint32 // bit sets of positions in members, by the length of the name in bytes
}

// A ShapeKind identifies one of the Shapes of an API, such as that of messages. Each codec defines its own values.
type ShapeKind uint8

type shapeMember struct {
	name  string
	slot  int
	list  *Shape // shape of the elements if the value is a list
	lone  bool   // the value may be one element rather than a list
	inner *Shape // shape of the value if it is an object; its slots belong to the same Object
}

// Limits of a Shape: bytes of a member name, and number of slots.
const (
	longestMember = 24
	mostSlots     = 16
)

// NewShape returns a shape that reads the members called names. Slot i is names[i]. A name may list several spellings,
// separated by a bar: "mimeType|mime_type".
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

// List declares that the member in slot is a list of objects, which have the Shape of. It returns s.
func (s *Shape) List(slot int, of *Shape) *Shape {
	return s.change(slot, func(m *shapeMember) { m.list = of })
}

// ListOrOne is List for a member whose value may also be a single object rather than a list.
func (s *Shape) ListOrOne(slot int, of *Shape) *Shape {
	return s.change(slot, func(m *shapeMember) { m.list, m.lone = of, true })
}

// Inner declares that the member in slot is an object, and names its members to read. Their slots follow the existing
// slots of s. It returns s.
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

// member returns the table entry for the JSON member called key, nil if the shape does not have it.
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

// An Object has the members of one list element that a Walk read. For an element that is not a JSON object it has none.
type Object struct {
	Shape *Shape
	N     int // index of the element in its list
	Span

	text   []byte // the request body
	others int    // number of members of the element itself that have no slot
	set    uint32 // bit set of the slots that have a value
	values [mostSlots]Span
}

// Raw returns the bytes of the list element in the request body.
func (o *Object) Raw() []byte { return o.text[o.From:o.To:o.To] }

// IsObject reports whether the list element is a JSON object.
func (o *Object) IsObject() bool { return o.text[o.From] == '{' }

// Get returns the JSON value of the member with the number slot in the Shape, nil if the member is absent.
func (o *Object) Get(slot int) []byte {
	if o.has(slot) {
		v := o.values[slot]
		return o.text[v.From:v.To:v.To]
	}
	return nil
}

func (o *Object) has(slot int) bool { return o.set>>slot&1 != 0 }

// Text returns the string value of the member with the number slot in the Shape, "" if it is absent or not a string.
func (o *Object) Text(slot int) string { return jsonx.TextOf(o.Get(slot)) }

// Is reports whether the member with the number slot in the Shape is the string text.
func (o *Object) Is(slot int, text string) bool {
	return string(jsonx.TextBytes(o.Get(slot))) == text
}

// Only reports whether the object has no members other than those in the given slots.
func (o *Object) Only(slots ...int) bool {
	set := o.set & o.Shape.own
	for _, slot := range slots {
		set &^= 1 << slot
	}
	return set == 0 && o.others == 0
}

// Rest returns an Extra of the API own with the object's members that are in none of the given slots. The JSON of the
// Extra is nil if there are none.
func (o *Object) Rest(own API, slots ...int) callwright.Extra {
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
