package kit

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
)

// A Patch is a list of changes to members of a JSON object, applied in order. The zero Patch changes nothing.
type Patch struct {
	Dst     []byte // buffer whose memory ApplyPatch may use for its result
	changes []change
}

// A change is a step that applies to the member key of an object. The key "*" applies to each element of a list.
type change struct {
	key string
	step
}

// A step changes a value, or a value inside it. path leads from the value to the one to change. An empty path replaces
// the value itself. A nil value removes it.
type step struct {
	path  []string
	value json.RawMessage
	only  json.RawMessage // the step applies only if the current value equals this compact JSON; nil for any value
}

// Set adds a change that sets the member key to the JSON value, or removes it if value is nil. below is the path from
// that member to a member inside it.
func (p *Patch) Set(value []byte, key string, below ...string) {
	if p.changes == nil {
		p.changes = make([]change, 0, 4)
	}
	p.changes = append(p.changes, change{key, step{path: below, value: value}})
}

// Edit adds edits to the patch. It ignores edits without a path.
func (p *Patch) Edit(edits []callwright.Edit) {
	for _, e := range edits {
		if len(e.Path) > 0 {
			p.changes = append(p.changes, change{e.Path[0], step{path: e.Path[1:], value: e.Value, only: e.Only}})
		}
	}
}

// ApplyEdits implements wire.ApplyEdits: it returns the JSON text body with edits applied.
func ApplyEdits(body []byte, edits []callwright.Edit) []byte {
	start := jsonx.Space(body, 0)
	if len(edits) == 0 || start == len(body) || body[start] != '{' && body[start] != '[' {
		return body
	}
	var p Patch
	p.Edit(edits)
	if body[start] == '{' {
		x := indexOf(body, start)
		return x.ApplyPatch(&p)
	}
	return editArray(slices.Clone(body[:start]), jsonx.Trim(body), stepsFor(p.changes, "*"))
}

// ApplyPatch returns the body with the changes of p. Existing members are replaced or removed, new members are added at
// the end. All other bytes stay the same. It returns the body itself if nothing changes.
func (x *Index) ApplyPatch(p *Patch) []byte {
	grown, changed := 64, false
	for i := range p.changes {
		c := &p.changes[i]
		grown += len(c.key) + len(c.value) + 4
		changed = changed || x.differs(c)
	}
	if !changed {
		return x.Raw
	}
	return x.appendPatched(EnsureCapacity(p.Dst, len(x.Raw)+grown), p.changes)
}

// differs reports whether applying the change c may change the bytes of the body.
func (x *Index) differs(c *change) bool {
	found := false
	for i := range x.members {
		if m := &x.members[i]; x.key(m).Is(c.key) {
			found = true
			if len(c.path) > 0 || c.only != nil || c.value == nil || !bytes.Equal(c.value, x.At(m.value)) {
				return true
			}
		}
	}
	return !found && c.value != nil
}

// appendPatched appends the body with changes applied to dst.
func (x *Index) appendPatched(dst []byte, changes []change) []byte {
	end := jsonx.Space(x.Raw, 0) + 1
	dst = append(dst, x.Raw[:end]...)
	start, kept := len(dst), true // kept: the previous member was written
	done := make([]bool, len(changes))
	for i := range x.members {
		m := &x.members[i]
		before := len(dst)
		switch {
		case kept:
			dst = append(dst, x.Raw[end:m.name.From]...)
		case len(dst) > start:
			dst = append(dst, ',')
		}
		end = m.value.To
		first, n := matching(changes, x.key(m), done)
		if n == 0 {
			dst, kept = append(dst, x.Raw[m.name.From:m.value.To]...), true
			continue
		}
		dst = append(dst, x.Raw[m.name.From:m.value.From]...)
		value := len(dst)
		dst = editMember(dst, x.At(m.value), changes, first, n)
		if kept = len(dst) > value; !kept {
			dst = dst[:before]
		}
	}
	for i := range changes {
		if key := changes[i].key; !done[i] && key != "*" {
			n := 0
			for j := i; j < len(changes); j++ {
				if changes[j].key == key {
					done[j] = true
					n++
				}
			}
			dst = addMember(dst, start, changes, i, n)
		}
	}
	return append(dst, x.Raw[end:]...)
}

// matching returns the index of the first change of the member key, and the number of its changes. It marks them in
// done.
func matching(changes []change, key jsonx.Key, done []bool) (first, n int) {
	for i := range changes {
		if key.Is(changes[i].key) {
			if n == 0 {
				first = i
			}
			done[i] = true
			n++
		}
	}
	return first, n
}

// editMember appends the result of applying changes to the member value v, which is nil for an absent member. It
// applies the n changes that have the key of changes[first].
func editMember(dst, v []byte, changes []change, first, n int) []byte {
	if c := &changes[first]; n == 1 && len(c.path) == 0 && c.only == nil {
		return append(dst, c.value...)
	}
	return edit(dst, v, stepsFor(changes[first:], changes[first].key))
}

// stepsFor returns the steps of all changes whose key is key. "*" is the key for list elements.
func stepsFor(changes []change, key string) []step {
	var below []step
	for i := range changes {
		if changes[i].key == key {
			below = append(below, changes[i].step)
		}
	}
	return below
}

// addMember appends a new member with the result of the n changes with the key of changes[first]. It appends nothing if
// these changes set no value. start is the offset of the object's first member in dst.
func addMember(dst []byte, start int, changes []change, first, n int) []byte {
	key, before := changes[first].key, len(dst)
	if !slices.ContainsFunc(changes[first:], func(c change) bool { return c.key == key && c.value != nil }) {
		return dst
	}
	if before > start {
		dst = append(dst, ',')
	}
	dst = append(jsonx.AppendQuote(dst, key), ':')
	value := len(dst)
	if dst = editMember(dst, nil, changes, first, n); len(dst) == value {
		return dst[:before]
	}
	return dst
}

// edit appends the JSON value v as changed by steps. It appends nothing if the steps remove the value.
func edit(dst, v []byte, steps []step) []byte {
	for i, s := range steps {
		if len(s.path) == 0 {
			if s.only != nil && !bytes.Equal(jsonx.Compact(nil, v), s.only) {
				return edit(dst, v, append(slices.Clone(steps[:i]), steps[i+1:]...))
			}
			if s.value == nil && i == len(steps)-1 {
				return dst
			}
			return edit(dst, s.value, steps[i+1:])
		}
	}
	switch {
	case len(steps) == 0:
		return append(dst, v...)
	case v == nil:
		return editObject(dst, []byte("{}"), steps)
	case jsonx.KindOf(v) == jsonx.Object:
		return editObject(dst, v, steps)
	case jsonx.KindOf(v) == jsonx.Array:
		return editArray(dst, v, stepsFor(below(steps), "*"))
	}
	return append(dst, v...)
}

func editObject(dst, v []byte, steps []step) []byte {
	x := indexOf(v, 0)
	return x.appendPatched(dst, below(steps))
}

// below converts steps to changes of the members that their paths start with.
func below(steps []step) []change {
	changes := make([]change, len(steps))
	for i, s := range steps {
		changes[i] = change{s.path[0], s}
		changes[i].path = s.path[1:]
	}
	return changes
}

func editArray(dst, v []byte, steps []step) []byte {
	if len(steps) == 0 {
		return append(dst, v...)
	}
	dst = append(dst, '[')
	start := len(dst)
	for e := range jsonx.Elements(v) {
		before := len(dst)
		if before > start {
			dst = append(dst, ',')
		}
		value := len(dst)
		if dst = edit(dst, e, steps); len(dst) == value {
			dst = dst[:before]
		}
	}
	return append(dst, ']')
}
