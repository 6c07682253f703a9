package counterstest

import (
	"fmt"
	"testing"
	"time"

	"github.com/callwright/callwright/internal/access"
	"pgregory.net/rapid"
)

// moves tests that counts leave a sliding window part by part.
func moves(t *testing.T, c access.Counters, clock *Clock) {
	clock.Add(clock.Now().Truncate(time.Second).Add(time.Second).Sub(clock.Now()))
	for _, n := range []int64{5, 3, 2} {
		expectTake(t, c, clock.Last(4, "a", 10), 1, n, n)
		clock.Add(time.Second)
	}
	expectTake(t, c, clock.Last(4, "a", 10), 1, 1, 0)
	for _, n := range []int64{5, 3, 2} {
		clock.Add(time.Second)
		expectTake(t, c, clock.Last(4, "a", 10), 1, 10, n)
	}
	expectCount(t, c, clock.Last(4, "b", 10), 0)
	expectCount(t, c, clock.Minute("a", 10), 0) // a fixed window is separate
	by := clock.Last(4, "a", 10)
	by.Part = 2 * time.Second
	by.Start = by.Start.Truncate(by.Part)
	by.End = by.Start.Add(4 * time.Second)
	expectCount(t, c, by, 0) // so is a window with parts of another length
}

// testReturn tests that a returned amount is subtracted from its part while that is in the window, and not below 0.
func testReturn(t *testing.T, c access.Counters, clock *Clock) {
	first := clock.Last(4, "a", 10)
	expectTake(t, c, first, 1, 6, 6)
	clock.Add(time.Second)
	expectTake(t, c, clock.Last(4, "a", 10), 1, 4, 4)
	w := clock.Last(4, "a", 10)
	if err := c.Add(t.Context(), w, access.Tally{{Start: first.Last(), N: -5}, {Start: w.Last(), N: 1}}); err != nil {
		t.Fatal(err)
	}
	expectCount(t, c, w, 6)
	expectAdd(t, c, first, -5)
	expectCount(t, c, w, 5)
	clock.Add(3 * time.Second)
	w = clock.Last(4, "a", 10)
	expectAdd(t, c, first, -5) // it has left the window
	expectCount(t, c, w, 5)
	got, err := c.Count(t.Context(), w)
	if err != nil || len(got) != 1 || got[0].N != 5 {
		t.Errorf("counted %v, %v", got, err)
	}
}

// beyond tests that use beyond the limit counts in the next windows.
func beyond(t *testing.T, c access.Counters, clock *Clock) {
	expectTake(t, c, clock.Last(4, "a", 10), 1, 8, 8)
	expectAdd(t, c, clock.Last(4, "a", 10), 15) // 2, 10 and 3
	expectCount(t, c, clock.Last(4, "a", 10), 23)
	for _, left := range []int64{0, 0, 0, 0, 0, 0, 0, 7, 7, 7, 7, 10} { // in each following second
		clock.Add(time.Second)
		w := clock.Last(4, "a", 10)
		expectTake(t, c, w, 1, 10, left)
		expectAdd(t, c, w, -left)
	}
	expectAdd(t, c, clock.Last(4, "a", 10), 1<<62) // the rest is dropped
	clock.Add(24 * time.Second)
	expectTake(t, c, clock.Last(4, "a", 10), 1, 10, 10)
}

// movingModel compares random steps with plain arithmetic: Take returns the rest of the limit at most, and the count of
// a window is the sum of its parts.
func movingModel(t *testing.T, c access.Counters, clock *Clock) {
	const seconds = 5
	series := 0
	rapid.Check(t, func(rt *rapid.T) {
		series++
		name, limit := fmt.Sprintf("moving %d", series), rapid.Int64Range(0, 50).Draw(rt, "limit")
		parts := map[int64]int64{}
		sum := func(w access.Window) (n int64) {
			for at := w.Start.Unix(); at < w.End.Unix(); at++ {
				n += parts[at]
			}
			return n
		}
		for range rapid.IntRange(1, 30).Draw(rt, "steps") {
			w := clock.Last(seconds, name, limit)
			switch rapid.IntRange(0, 4).Draw(rt, "step") {
			case 0:
				clock.Add(time.Duration(rapid.IntRange(0, 2500).Draw(rt, "milliseconds")) * time.Millisecond)
			case 1: // returns an amount
				at := w.Last().Add(-time.Duration(rapid.IntRange(0, seconds-1).Draw(rt, "ago")) * time.Second)
				n := rapid.Int64Range(0, parts[at.Unix()]).Draw(rt, "back")
				if err := c.Add(t.Context(), w, access.Tally{{Start: at, N: -n}}); err != nil {
					rt.Fatal(err)
				}
				parts[at.Unix()] -= n
			default:
				n := rapid.Int64Range(1, 20).Draw(rt, "n")
				want := max(min(n, limit-sum(w)), 0)
				if got, err := c.Take(t.Context(), w, 1, n); err != nil || got != want {
					rt.Fatalf("took %d, %v of %d, want %d", got, err, n, want)
				}
				parts[w.Last().Unix()] += want
			}
			w = clock.Last(seconds, name, limit)
			if got, err := c.Count(t.Context(), w); err != nil || got.In(w) != sum(w) {
				rt.Fatalf("counted %v, %v, want %d", got, err, sum(w))
			}
		}
	})
}
