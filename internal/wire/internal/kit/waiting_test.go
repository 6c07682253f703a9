package kit_test

import (
	"math/rand/v2"
	"testing"

	"github.com/callwright/callwright/internal/wire/internal/kit"
)

// Many calls are found by an index and few one by one: both find the same ones.
func TestWaitingFewAndMany(t *testing.T) {
	texts := []string{"", "a", "b", "c"}
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 1))
		pick := func(from []string) string { return from[r.IntN(len(from))] }
		var few, many kit.Waiting
		for range 100 { // that no result can want any more
			many.Add("x", "x", true)
		}
		many.Drop(0)
		added := 0
		for range 60 {
			switch r.IntN(5) {
			case 0, 1:
				if added == 30 {
					continue
				}
				id, name, nameless := pick(texts[1:]), pick(texts), r.IntN(2) == 0
				few.Add(id, name, nameless)
				many.Add(id, name, nameless)
				added++
			case 2:
				if r.IntN(10) == 0 {
					n := r.IntN(added + 1)
					few.Drop(n)
					many.Drop(100 + n)
				}
			default:
				want := kit.Want{ID: pick(texts)}
				if want.ID == "" {
					want = kit.Want{Name: pick(texts), Nameless: r.IntN(2) == 0}
				}
				a, okA := few.Take(want)
				b, okB := many.Take(want)
				if a != b || okA != okB {
					t.Fatalf("seed %d, %+v: of few %q %v, of many %q %v", seed, want, a, okA, b, okB)
				}
			}
		}
	}
}
