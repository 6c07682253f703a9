package wiretest

import (
	"testing"

	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/wire"
)

// Unset checks that no optional member of a request is refused for being null, empty or unknown: full is a request with every
// member of the wire, required the members that the API insists on, as paths with "*" for the elements of a list. Each other one is
// set to null, removed, and joined by a member that nobody knows. empty has what else its value may be, by the same paths.
func Unset(t *testing.T, c wire.Codec, full string, required []string, empty map[string]string) {
	t.Helper()
	needed := map[string]bool{}
	for _, path := range required {
		needed[path] = true
	}
	check := func(body []byte, what string) {
		t.Helper()
		req, err := c.DecodeRequest(body)
		if err == nil {
			_, err = req.History()
		}
		if err == nil {
			_, err = req.DeclaredTools()
		}
		if err != nil {
			t.Errorf("%s: %v\n%s", what, err, body)
		}
	}
	check([]byte(full), "the whole")
	members([]byte(full), "", func(path string, begin, end int) {
		set := func(value string) []byte {
			return jsonx.Splice(nil, []byte(full), jsonx.Edit{Start: begin, End: end, New: []byte(value)})
		}
		if !needed[path] {
			check(set("null"), path+" is null")
		}
		if v, ok := empty[path]; ok {
			check(set(v), path+" is "+v)
		}
		if v := full[begin:end]; v[0] == '{' && !needed[path+"/?"] {
			unknown := `"never_heard_of":{"a":[1]}}`
			if jsonx.Space([]byte(v), 1) < len(v)-1 {
				unknown = "," + unknown
			}
			check(set(v[:len(v)-1]+unknown), path+" has an unknown member")
		}
	})
}

// members visits every member of an object, and of the objects in it, with its path and its place.
func members(v []byte, path string, visit func(path string, begin, end int)) {
	var walk func(at int, path string) int
	walk = func(at int, path string) int {
		switch v[at] {
		case '{':
			return jsonx.WalkMembers(v, at, func(key jsonx.Key, at int) int {
				below := path + "/" + key.String()
				end := walk(at, below)
				visit(below, at, end)
				return end
			})
		case '[':
			return jsonx.WalkElements(v, at, func(_, at int) int { return walk(at, path+"/*") })
		}
		return jsonx.SkipValue(v, at)
	}
	walk(jsonx.Space(v, 0), path)
}
