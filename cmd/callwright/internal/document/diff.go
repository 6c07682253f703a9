package document

import (
	"encoding/json"
	"slices"
	"strconv"

	"github.com/callwright/callwright/internal/jsonx"
)

// An Op is the operation of a Change, named as in JSON Patch.
type Op string

// The operations, with their names in JSON Patch.
const (
	Add     Op = "add"
	Remove  Op = "remove"
	Replace Op = "replace"
)

// A Change is one step in the difference of two documents.
type Change struct {
	Op   Op              `json:"op"`
	Path string          `json:"path"`          // JSON Pointer into the document after the previous steps
	Was  json.RawMessage `json:"was,omitempty"` // old value, for Remove and Replace
	Now  json.RawMessage `json:"now,omitempty"` // new value, for Add and Replace
}

// Diff returns the steps, in order, that turn an old document (was) into a new one (now). It returns nil if both are
// equal except for white space and the order of members. Equal elements at the start and the end of arrays are matched,
// so that an insertion is one step. The result shares memory with both documents.
func Diff(was, now []byte) []Change {
	d := differ{}
	d.value("", jsonx.Trim(was), jsonx.Trim(now))
	return d.changes
}

type differ struct{ changes []Change }

func (d *differ) value(path string, was, now []byte) {
	switch {
	case jsonx.Equal(was, now):
	case jsonx.IsObject(was) && jsonx.IsObject(now):
		d.object(path, was, now)
	case jsonx.IsArray(was) && jsonx.IsArray(now):
		d.array(path, slices.Collect(jsonx.Elements(was)), slices.Collect(jsonx.Elements(now)))
	default:
		d.add(Change{Op: Replace, Path: path, Was: was, Now: now})
	}
}

func (d *differ) add(c Change) { d.changes = append(d.changes, c) }

// object compares two objects: first the removed members, then the others in their new order.
func (d *differ) object(path string, was, now []byte) {
	before, after := membersOf(was), membersOf(now)
	for name, v := range jsonx.Members(was) {
		if _, ok := after[name.String()]; !ok {
			d.add(Change{Op: Remove, Path: below(path, name.String()), Was: v})
		}
	}
	for name, v := range jsonx.Members(now) {
		at := below(path, name.String())
		if old, ok := before[name.String()]; ok {
			d.value(at, old, v)
			continue
		}
		d.add(Change{Op: Add, Path: at, Now: v})
	}
}

// array compares the elements between the common start and the common end of two arrays.
func (d *differ) array(path string, was, now [][]byte) {
	first, last := same(was, now)
	was, now = was[first:len(was)-last], now[first:len(now)-last]
	both := min(len(was), len(now))
	for i := range both {
		d.value(below(path, strconv.Itoa(first+i)), was[i], now[i])
	}
	for i := len(was) - 1; i >= both; i-- { // backwards, so that lower indexes stay valid
		d.add(Change{Op: Remove, Path: below(path, strconv.Itoa(first+i)), Was: was[i]})
	}
	for i := both; i < len(now); i++ {
		d.add(Change{Op: Add, Path: below(path, strconv.Itoa(first+i)), Now: now[i]})
	}
}

func membersOf(obj []byte) map[string][]byte {
	out := map[string][]byte{}
	for name, v := range jsonx.Members(obj) {
		out[name.String()] = v
	}
	return out
}

// below returns the JSON Pointer of the child token of the value at path.
func below(path, token string) string {
	return path + "/" + jsonx.EscapeToken(token)
}

// Patch encodes changes as a JSON Patch.
func Patch(changes []Change) json.RawMessage {
	out := []byte{'['}
	for i, c := range changes {
		if i > 0 {
			out = append(out, ',')
		}
		out = jsonx.AppendQuote(append(out, `{"op":`...), string(c.Op))
		out = jsonx.AppendQuote(append(out, `,"path":`...), c.Path)
		if c.Op != Remove {
			out = jsonx.Compact(append(out, `,"value":`...), c.Now)
		}
		out = append(out, '}')
	}
	return append(out, ']')
}
