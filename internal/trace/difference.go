package trace

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/callwright/callwright/internal/jsonx"
)

// A Difference is a place where two documents differ, as a JSON pointer, with the value of each there: nil for none.
type Difference struct {
	Path string          `json:"path"`
	Was  json.RawMessage `json:"was,omitempty"`
	Now  json.RawMessage `json:"now,omitempty"`
}

// Differences finds where two valid documents differ, in the order of the first, as deep inside as it can be said. The
// order of members and the way in which characters are escaped make no difference; numbers are compared as they are
// written. It gives at most n.
func Differences(was, now []byte, n int) []Difference {
	c := comparison{most: n}
	c.values(was, now)
	return c.found
}

// String describes the difference for people, with excerpts of long values.
func (d Difference) String() string {
	was, now := excerpts(d.Was, d.Now)
	return d.Path + ": was " + was + ", now " + now
}

// A comparison compares two documents.
type comparison struct {
	path  []string
	most  int
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

// sameText reports whether both are strings with the same characters.
func sameText(a, b []byte) bool {
	s, ok := jsonx.String(a)
	t, both := jsonx.String(b)
	return ok && both && s == t
}

// members compares objects. Of members of one name the first count.
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

// inside compares two members or elements.
func (c *comparison) inside(name string, a, b []byte) {
	c.path = append(c.path, "/"+jsonx.EscapeToken(name))
	c.values(a, b)
	c.path = c.path[:len(c.path)-1]
}

// shownBytes is how much of a value is shown.
const shownBytes = 100

// excerpts shows two values from shortly before where they begin to differ.
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
