// Package counted merges equal calls and notes of a list and counts them.
package counted

import (
	"slices"

	"github.com/callwright/callwright"
)

// A Call is a tool call with the number N of calls that are equal except for their ids. It has the id of the first.
type Call struct {
	callwright.Call
	N int
}

// Calls merges equal calls, in the order of the first of each.
func Calls(list []callwright.Call) []Call {
	var out []Call
	for _, c := range list {
		at := slices.IndexFunc(out, func(o Call) bool {
			return o.Name == c.Name && o.Type == c.Type && o.Input == c.Input && string(o.Arguments) == string(c.Arguments)
		})
		if at < 0 {
			out = append(out, Call{c, 1})
			continue
		}
		out[at].N++
	}
	return out
}

// An Invalid is an invalid call with the number of invalid calls that are equal except for their ids.
type Invalid struct {
	callwright.InvalidCall
	N int
}

// InvalidCalls merges equal invalid calls, in the order of the first of each.
func InvalidCalls(list []callwright.InvalidCall) []Invalid {
	var out []Invalid
	for _, c := range list {
		at := slices.IndexFunc(out, func(o Invalid) bool {
			return o.Name == c.Name && o.Why == c.Why && o.Raw == c.Raw && slices.Equal(o.Violations, c.Violations)
		})
		if at < 0 {
			out = append(out, Invalid{c, 1})
			continue
		}
		out[at].N++
	}
	return out
}

// Notes merges notes that are equal except for Call and Count. A merged note has the sum of the counts, and a Call only
// if all have the same.
func Notes(list []callwright.Note) []callwright.Note {
	var out []callwright.Note
	places := map[callwright.Note]int{}
	for _, n := range list {
		key := n
		key.Call, key.Count = "", 0
		at, ok := places[key]
		if !ok {
			places[key] = len(out)
			out = append(out, n)
			continue
		}
		first := &out[at]
		first.Count = max(first.Count, 1) + max(n.Count, 1)
		if first.Call != n.Call {
			first.Call = ""
		}
	}
	return out
}
