package bymode

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
)

// right reports whether calls are exactly the expected calls of the question, in any order.
func (q *question) right(calls []callwright.Call) bool {
	if len(calls) != len(q.calls) {
		return false
	}
	left := slices.Clone(q.calls)
	for _, c := range calls {
		i := slices.IndexFunc(left, func(w call) bool { return w.is(c) })
		if i < 0 {
			return false
		}
		left = slices.Delete(left, i, i+1)
	}
	return true
}

// is reports whether c is the expected call w.
func (w *call) is(c callwright.Call) bool {
	var args map[string]json.RawMessage
	if c.Name != w.tool || json.Unmarshal(c.Arguments, &args) != nil {
		return false
	}
	for name, got := range args {
		if !slices.ContainsFunc(w.args[name], func(value string) bool { return sameValue([]byte(value), got) }) {
			return false
		}
	}
	for name, values := range w.args {
		if _, given := args[name]; !given && !slices.Contains(values, "null") {
			return false
		}
	}
	return true
}

// sameValue compares two argument values (JSON). It ignores the case of letters, and a full stop at the end of a
// string.
func sameValue(want, got []byte) bool {
	return jsonx.Equal([]byte(plain(want)), []byte(plain(got)))
}

func plain(value []byte) string {
	s := strings.ToLower(string(jsonx.Trim(value)))
	return strings.TrimSuffix(s, `."`) + map[bool]string{true: `"`}[strings.HasSuffix(s, `."`)]
}
