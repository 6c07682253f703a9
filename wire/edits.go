package wire

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
)

// ApplyEdits is the body with the edits made, in order. Objects on the way to a member that is set are made where they
// are missing; where something else stands on the way, and for an edit without a path, nothing is done. What no edit concerns
// keeps its bytes. The body must be valid JSON; it is not written to, and it is returned itself without edits.
func ApplyEdits(body []byte, edits []callwright.Edit) []byte {
	if len(edits) == 0 {
		return body
	}
	steps := make([]step, 0, len(edits))
	for _, e := range edits {
		if len(e.Path) > 0 {
			steps = append(steps, step{path: e.Path, value: e.Value, only: e.Only})
		}
	}
	return edit(make([]byte, 0, len(body)+256), jsonx.Trim(body), steps)
}

// step is what an edit has still to do below the value at hand. An empty path replaces the value itself.
type step struct {
	path  []string
	value json.RawMessage
	only  json.RawMessage // what must stand there, nil for anything
}

// into gives the steps that go on below the member (or, with "*", the elements) called key.
func into(steps []step, key string) []step {
	var below []step
	for _, s := range steps {
		if len(s.path) > 0 && s.path[0] == key {
			below = append(below, step{path: s.path[1:], value: s.value, only: s.only})
		}
	}
	return below
}

// edit appends v with the steps made. Nothing is appended for a value that is removed.
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
		return editArray(dst, v, into(steps, "*"))
	}
	return append(dst, v...)
}

func editArray(dst, v []byte, steps []step) []byte {
	if len(steps) == 0 {
		return append(dst, v...)
	}
	dst = append(dst, '[')
	start := len(dst)
	for e := range jsonx.Elements(v) {
		dst = separated(dst, start, func(dst []byte) []byte { return edit(dst, e, steps) })
	}
	return append(dst, ']')
}

// separated appends what write appends, after a comma where something stands before it.
func separated(dst []byte, start int, write func([]byte) []byte) []byte {
	before := len(dst)
	if before > start {
		dst = append(dst, ',')
	}
	at := len(dst)
	if dst = write(dst); len(dst) == at {
		return dst[:before]
	}
	return dst
}

func editObject(dst, v []byte, steps []step) []byte {
	dst = append(dst, '{')
	start, end, kept := len(dst), 1, true // end of the member before, and whether it was written
	done := map[string]bool{}
	for k, member := range jsonx.Members(v) {
		from, _ := jsonx.Span(v, k)
		at, to := jsonx.Span(v, member)
		before := len(dst)
		switch {
		case kept:
			dst = append(dst, v[end:from]...)
		case len(dst) > start:
			dst = append(dst, ',')
		}
		end = to
		key, named := stepFor(steps, k)
		if !named {
			dst, kept = append(dst, v[from:to]...), true
			continue
		}
		done[key] = true
		dst = append(dst, v[from:at]...)
		value := len(dst)
		dst = edit(dst, member, into(steps, key))
		if kept = len(dst) > value; !kept {
			dst = dst[:before]
		}
	}
	for _, s := range steps {
		if key := s.path[0]; key != "*" && !done[key] {
			done[key] = true
			dst = addMember(dst, start, key, into(steps, key))
		}
	}
	return append(dst, v[end:]...)
}

// stepFor gives the key that steps have for a member's name.
func stepFor(steps []step, k jsonx.Key) (key string, ok bool) {
	for _, s := range steps {
		if k.Is(s.path[0]) {
			return s.path[0], true
		}
	}
	return "", false
}

// addMember appends a member that the object did not have, if the steps set anything.
func addMember(dst []byte, start int, key string, steps []step) []byte {
	sets := false
	for _, s := range steps {
		sets = sets || s.value != nil
	}
	if !sets {
		return dst
	}
	return separated(dst, start, func(dst []byte) []byte {
		at := len(dst)
		dst = append(jsonx.AppendQuote(dst, key), ':')
		value := len(dst)
		if dst = edit(dst, nil, steps); len(dst) == value {
			return dst[:at]
		}
		return dst
	})
}
