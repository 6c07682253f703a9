package inbound

import (
	"testing"

	"pgregory.net/rapid"
)

// An idSet has what was added to it, however much that is.
func TestIDSet(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ids := rapid.SliceOfN(rapid.StringMatching("[a-d]{0,2}"), 0, 30).Draw(t, "ids")
		var s idSet
		added := map[string]bool{}
		for _, id := range ids {
			if s.has(id) != added[id] {
				t.Fatalf("%q of %q: got %t", id, ids, s.has(id))
			}
			s.add(id)
			if added[id] = true; !s.has(id) {
				t.Fatalf("%q of %q is not there once it was added", id, ids)
			}
		}
	})
}
