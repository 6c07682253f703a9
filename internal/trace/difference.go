package trace

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/callwright/callwright/internal/jsonx"
)

// A Difference is a location where two JSON documents differ. Path is its JSON pointer. Was and Now are the values
// there, nil if absent.
type Difference struct {
	Path string          `json:"path"`
	Was  json.RawMessage `json:"was,omitempty"`
	Now  json.RawMessage `json:"now,omitempty"`
}

// Differences returns at most n differences between two valid JSON documents, in the order of the first, as deeply
// nested as possible. It ignores the order of members and different escapes in strings. Numbers differ if their texts
// differ.
func Differences(was, now []byte, n int) []Difference {
	c := comparison{most: n}
	c.values(was, now)
	return c.found
}

// String returns the difference as text, such as "/a/0: was 1, now 2". It shortens long values.
func (d Difference) String() string {
	was, now := excerpts(d.Was, d.Now)
	return d.Path + ": was " + was + ", now " + now
}

// A comparison is a running comparison of two documents.
type comparison struct {
	path  []string // path of the compared values
	most  int      // maximum number of differences
	found []Difference
}

func (c *comparison) values(a, b []byte) {
	switch {
	case len(c.found) == c.most, bytes.Equal(a, b):
	case jsonx.IsObject(a) && jsonx.IsObject(b):
		c.members(a, b)
	case jsonx.IsArray(a) && jsonx.IsArray(b):
		c.elements(a, b)
	case sameText(a, b):
	default:
		c.found = append(c.found, Difference{strings.Join(c.path, ""), a, b})
	}
}

// sameText reports whether a and b are JSON strings with equal decoded values.
func sameText(a, b []byte) bool {
	s, ok := jsonx.String(a)
	t, both := jsonx.String(b)
	return ok && both && s == t
}

// members compares two objects. If a name occurs more than once, the first member counts.
func (c *comparison) members(a, b []byte) {
	others := map[string][]byte{}
	for key, v := range jsonx.Members(b) {
		if name := key.String(); others[name] == nil {
			others[name] = v
		}
	}
	seen := map[string]bool{}
	for key, v := range jsonx.Members(a) {
		if name := key.String(); !seen[name] {
			seen[name] = true
			c.inside(name, v, others[name])
		}
	}
	for key, v := range jsonx.Members(b) {
		if name := key.String(); !seen[name] {
			seen[name] = true
			c.inside(name, nil, v)
		}
	}
}

func (c *comparison) elements(a, b []byte) {
	list, others := slices.Collect(jsonx.Elements(a)), slices.Collect(jsonx.Elements(b))
	for i := range max(len(list), len(others)) {
		var was, now []byte
		if i < len(list) {
			was = list[i]
		}
		if i < len(others) {
			now = others[i]
		}
		c.inside(strconv.Itoa(i), was, now)
	}
}

// inside compares a and b, the values of the member or element called name in the two documents.
func (c *comparison) inside(name string, a, b []byte) {
	c.path = append(c.path, "/"+jsonx.EscapeToken(name))
	c.values(a, b)
	c.path = c.path[:len(c.path)-1]
}

// shownBytes is the maximum number of bytes shown of a value.
const shownBytes = 100

// excerpts returns excerpts of two values that start shortly before their first difference.
func excerpts(a, b []byte) (string, string) {
	same := 0
	for same < min(len(a), len(b)) && a[same] == b[same] {
		same++
	}
	from := max(0, same-shownBytes/4)
	return excerpt(a, from), excerpt(b, from)
}

func excerpt(v []byte, from int) string {
	if v == nil {
		return "nothing"
	}
	s := string(v[from:])
	if len(s) > shownBytes {
		s = jsonx.Clip(s, shownBytes) + "…"
	}
	if from > 0 {
		s = "…" + s
	}
	return strings.ToValidUTF8(s, "")
}
