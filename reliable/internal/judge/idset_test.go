package judge_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/callwright/callwright/reliable/internal/judge"
)

// An IDSet has what was added to it, however much that is.
func TestIDSet(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ids := rapid.SliceOfN(rapid.StringMatching("[a-d]{0,2}"), 0, 30).Draw(t, "ids")
		var s judge.IDSet
		added := map[string]bool{}
		for _, id := range ids {
			if s.Has(id) != added[id] {
				t.Fatalf("%q of %q: got %t", id, ids, s.Has(id))
			}
			s.Add(id)
			if added[id] = true; !s.Has(id) {
				t.Fatalf("%q of %q is not there once it was added", id, ids)
			}
		}
	})
}
