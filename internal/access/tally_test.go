package access_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/callwright/callwright/internal/access"
)

// drawTally draws a tally whose parts are some hours.
func drawTally(t *rapid.T, label string) (out access.Tally) {
	for hour := range 5 {
		if rapid.Bool().Draw(t, label) {
			out = append(out, access.Part{Start: time.Unix(int64(hour)*3600, 1).UTC(), N: rapid.Int64().Draw(t, label)})
		}
	}
	return out
}

// A tally that was written is read again, and the larger parts of two are those of both in any order.
func TestTallyTextAndAtLeast(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawTally(t, "a"), drawTally(t, "b")
		if d := cmp.Diff(a, access.ParseTally(a.Append(nil))); d != "" {
			t.Fatal(d)
		}
		both := a.AtLeast(b)
		if d := cmp.Diff(both, b.AtLeast(a)); d != "" {
			t.Fatal(d)
		}
		for _, p := range append(a, b...) {
			found := false
			for _, q := range both {
				found = found || q.Start.Equal(p.Start) && q.N >= p.N
			}
			if !found {
				t.Fatalf("%v is not in %v", p, both)
			}
		}
	})
}
