package counterstest

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/access"
	"github.com/callwright/callwright/internal/testclock"
	"pgregory.net/rapid"
)

// New creates empty counters with a clock. They may use the clock only to delete windows that have ended. New frees
// their resources by t.Cleanup.
type New func(t *testing.T, now func() time.Time) access.Counters

// Run tests that counters satisfy the laws of the package.
func Run(t *testing.T, open New) {
	t.Helper()
	for _, law := range []struct {
		name string
		test func(t *testing.T, c access.Counters, clock *Clock)
	}{
		{"empty", empty}, {"take", take}, {"add", add}, {"apart", apart}, {"limit", limit}, {"stay", stay}, {"refused", testRefusal},
		{"canceled", testCancellation}, {"model", model}, {"moves", moves}, {"returned", testReturn}, {"beyond", beyond}, {"moving model", movingModel},
	} {
		t.Run(law.name, func(t *testing.T) {
			clock := NewClock()
			law.test(t, open(t, clock.Now), clock)
		})
	}
	t.Run("together", func(t *testing.T) {
		clock := NewClock()
		c := open(t, clock.Now)
		together(t, clock, c, c)
	})
}

// RunShared tests counters of several processes that share one store. open creates a store. Each call of its result
// more opens further counters of the store.
func RunShared(t *testing.T, open func(t *testing.T, now func() time.Time) (more func() access.Counters)) {
	t.Helper()
	t.Run("shared", func(t *testing.T) {
		clock := NewClock()
		more := open(t, clock.Now)
		a, b := more(), more()
		w := clock.Minute("shared", 10)
		expectTake(t, a, w, 1, 6, 6)
		expectCount(t, b, w, 6)
		expectTake(t, b, w, 1, 6, 4)
		expectTake(t, a, w, 1, 1, 0)
		expectAdd(t, a, w, -3)
		expectTake(t, b, w, 1, 6, 3)
		together(t, clock, a, b)

		last := clock.Last(5, "moving", 10)
		expectTake(t, a, last, 1, 6, 6)
		clock.Add(time.Second)
		next := clock.Last(5, "moving", 10)
		expectTake(t, b, next, 1, 6, 4)
		expectAdd(t, b, last, -6)
		expectTake(t, a, next, 1, 10, 6)
	})
}

// A Clock is a manual clock. It is safe for concurrent use.
type Clock struct{ *testclock.Clock }

// NewClock returns a Clock that shows the current time.
func NewClock() *Clock { return &Clock{testclock.At(time.Now())} }

// Minute returns the fixed window of the minute that contains the clock's time.
func (c *Clock) Minute(name string, limit int64) access.Window {
	start := c.Now().Truncate(time.Minute)
	return access.Window{Name: name, Start: start, End: start.Add(time.Minute), Limit: limit}
}

// Last returns the sliding window of that many seconds whose last second contains the clock's time.
func (c *Clock) Last(seconds int, name string, limit int64) access.Window {
	end := c.Now().Truncate(time.Second).Add(time.Second)
	return access.Window{Name: name, Start: end.Add(time.Duration(-seconds) * time.Second), End: end, Part: time.Second, Limit: limit}
}

func empty(t *testing.T, c access.Counters, clock *Clock) {
	expectCount(t, c, clock.Minute("a", 1), 0)
	expectTake(t, c, clock.Minute("a", 0), 1, 1, 0)
	expectCount(t, c, clock.Minute("a", 1), 0)
}

func take(t *testing.T, c access.Counters, clock *Clock) {
	w := clock.Minute("a", 100)
	expectTake(t, c, w, 1, 30, 30)
	expectTake(t, c, w, 60, 60, 60)
	expectTake(t, c, w, 11, 50, 0) // less than the least remains
	expectTake(t, c, w, 10, 50, 10)
	expectTake(t, c, w, 1, 1, 0)
	expectCount(t, c, w, 100)
	large := clock.Minute("large", 1<<62)
	expectTake(t, c, large, 1, 1<<62, 1<<62)
	expectTake(t, c, large, 1, 1<<62, 0)
	expectCount(t, c, large, 1<<62)
}

func add(t *testing.T, c access.Counters, clock *Clock) {
	w := clock.Minute("a", 10)
	expectAdd(t, c, w, 25)
	expectCount(t, c, w, 25)
	expectTake(t, c, w, 1, 1, 0)
	expectAdd(t, c, w, -18)
	expectTake(t, c, w, 1, 5, 3)
	expectAdd(t, c, w, -100)
	expectCount(t, c, w, 0)
	expectAdd(t, c, w, 0)
	expectTake(t, c, w, 10, 10, 10)
	for range 3 {
		expectAdd(t, c, w, 1<<62)
	}
	expectCount(t, c, w, 1<<63-1)
}

// apart tests that windows with similar names have separate counts.
func apart(t *testing.T, c access.Counters, clock *Clock) {
	names := []string{
		"a", "A", "a.b", "a/b", "a b", "a.", ".a", "a..b", "*", ">", "a.>", "ä", "日本", "a\nb", "=", "a=", "\"", "a%2e", "a_b",
		"a-b", "../a", "\\", "$", "a\x00",
		strings.Repeat("a", access.MaxWindowName), strings.Repeat("a", access.MaxWindowName-1) + "A",
	}
	n := int64(0)
	var windows []access.Window
	for range 2 {
		for _, name := range names {
			windows = append(windows, clock.Minute(name, 1000))
		}
		clock.Add(time.Minute)
	}
	clock.Add(-2 * time.Minute)
	for _, w := range windows {
		n++
		expectTake(t, c, w, n, n, n)
	}
	n = 0
	for _, w := range windows {
		n++
		expectCount(t, c, w, n)
	}
}

// limit tests changes of a window's limit.
func limit(t *testing.T, c access.Counters, clock *Clock) {
	w := clock.Minute("a", 10)
	expectTake(t, c, w, 1, 20, 10)
	w.Limit = 15
	expectTake(t, c, w, 1, 20, 5)
	w.Limit = 5
	expectTake(t, c, w, 1, 1, 0)
	expectAdd(t, c, w, -12)
	expectTake(t, c, w, 1, 20, 2)
}

// stay tests that a count is kept until the window ends.
func stay(t *testing.T, c access.Counters, clock *Clock) {
	start := clock.Now().Truncate(24 * time.Hour)
	month := access.Window{Name: "month", Start: start, End: start.AddDate(0, 1, 0), Limit: 10}
	expectTake(t, c, month, 1, 7, 7)
	for range 27 {
		clock.Add(24 * time.Hour)
		w := clock.Minute("a", 5)
		expectTake(t, c, w, 5, 5, 5)
		expectTake(t, c, w, 1, 5, 0)
	}
	expectTake(t, c, month, 1, 7, 3)
}

func testRefusal(t *testing.T, c access.Counters, clock *Clock) {
	good := clock.Minute("a", 10)
	for _, change := range []func(w *access.Window){
		func(w *access.Window) { w.Name = "" },
		func(w *access.Window) { w.Name = strings.Repeat("a", access.MaxWindowName+1) },
		func(w *access.Window) { w.Start = time.Time{} },
		func(w *access.Window) { w.End = w.Start },
		func(w *access.Window) { w.Limit = -1 },
		func(w *access.Window) { w.Part = -1 },
		func(w *access.Window) { w.Part = 7 * time.Second },
		func(w *access.Window) { w.Part = time.Millisecond },
		func(w *access.Window) { w.Part, w.Start = time.Second, w.Start.Add(time.Millisecond) },
	} {
		w := good
		change(&w)
		_, err := c.Take(t.Context(), w, 1, 1)
		expectKind(t, err, callwright.KindInvalid)
		expectKind(t, c.Add(t.Context(), w, now(w, 1)), callwright.KindInvalid)
		_, err = c.Count(t.Context(), w)
		expectKind(t, err, callwright.KindInvalid)
	}
	for _, amount := range [][2]int64{{0, 1}, {2, 1}, {-1, 1}, {0, 0}, {-2, -1}} {
		_, err := c.Take(t.Context(), good, amount[0], amount[1])
		expectKind(t, err, callwright.KindInvalid)
	}
	expectCount(t, c, good, 0)
}

func testCancellation(t *testing.T, c access.Counters, clock *Clock) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	w := clock.Minute("a", 10)
	_, err := c.Take(ctx, w, 1, 1)
	_, err2 := c.Count(ctx, w)
	for _, err := range []error{err, c.Add(ctx, w, now(w, 1)), err2} {
		expectKind(t, err, callwright.KindCanceled)
		if !errors.Is(err, context.Canceled) {
			t.Errorf("got %v, expected the context's error inside", err)
		}
	}
	expectCount(t, c, w, 0)
}

// model compares random steps with plain arithmetic: in no window is more taken than the limit permits.
func model(t *testing.T, c access.Counters, clock *Clock) {
	series := 0
	rapid.Check(t, func(rt *rapid.T) {
		series++
		name := fmt.Sprintf("series %d", series)
		counts := map[time.Time]int64{}
		highest := rapid.Int64Range(0, 50).Draw(rt, "limit")
		for range rapid.IntRange(1, 20).Draw(rt, "steps") {
			w := clock.Minute(name, highest)
			is := counts[w.Start]
			switch rapid.IntRange(0, 5).Draw(rt, "step") {
			case 0:
				clock.Add(time.Duration(rapid.IntRange(0, 90).Draw(rt, "seconds")) * time.Second)
			case 1:
				n := rapid.Int64Range(-20, 20).Draw(rt, "add")
				if err := c.Add(t.Context(), w, now(w, n)); err != nil {
					rt.Fatal(err)
				}
				counts[w.Start] = max(is+n, 0)
			default:
				least := rapid.Int64Range(1, 10).Draw(rt, "least")
				n := least + rapid.Int64Range(0, 20).Draw(rt, "more")
				want := min(n, highest-is)
				if want < least {
					want = 0
				}
				if got, err := c.Take(t.Context(), w, least, n); err != nil || got != want {
					rt.Fatalf("took %d, %v of %d to %d at count %d of %d, want %d", got, err, least, n, is, highest, want)
				}
				counts[w.Start] += want
			}
		}
		w := clock.Minute(name, highest)
		if got, err := c.Count(t.Context(), w); err != nil || got.In(w) != counts[w.Start] {
			rt.Fatalf("counted %v, %v, want %d", got, err, counts[w.Start])
		}
	})
}

// together tests several goroutines that take from one window and return amounts concurrently.
func together(t *testing.T, clock *Clock, counters ...access.Counters) {
	t.Helper()
	const most = 1000
	w := clock.Minute("together", most)
	var taken atomic.Int64
	var wg sync.WaitGroup
	for i := range 16 {
		c := counters[i%len(counters)]
		wg.Go(func() {
			for round := int64(1); ; round++ {
				n, err := c.Take(t.Context(), w, 1, 3+(round+int64(i))%23)
				if err != nil {
					t.Errorf("took %d, %v", n, err)
					return
				}
				if n == 0 {
					return
				}
				if round%5 == 0 {
					if err := c.Add(t.Context(), w, now(w, -1)); err != nil {
						t.Error(err)
						return
					}
					n--
				}
				taken.Add(n)
			}
		})
	}
	wg.Wait()
	for _, c := range counters { // amounts that were returned after others had found nothing left
		n, err := c.Take(t.Context(), w, 1, most)
		if err != nil {
			t.Error(err)
		}
		taken.Add(n)
		expectCount(t, c, w, most)
	}
	if got := taken.Load(); got != most {
		t.Errorf("took %d of %d", got, most)
	}
}

func expectTake(t *testing.T, c access.Counters, w access.Window, least, n, want int64) {
	t.Helper()
	if got, err := c.Take(t.Context(), w, least, n); err != nil || got != want {
		t.Fatalf("%s: took %d, %v of %d to %d, want %d", callwright.Excerpt(w.Name), got, err, least, n, want)
	}
}

// now returns a change of n in the last part of a window.
func now(w access.Window, n int64) access.Tally {
	return access.Tally{{Start: w.Last(), N: n}}
}

func expectAdd(t *testing.T, c access.Counters, w access.Window, n int64) {
	t.Helper()
	if err := c.Add(t.Context(), w, now(w, n)); err != nil {
		t.Fatal(err)
	}
}

func expectCount(t *testing.T, c access.Counters, w access.Window, want int64) {
	t.Helper()
	if got, err := c.Count(t.Context(), w); err != nil || got.In(w) != want {
		t.Fatalf("%s: counted %v, %v, want %d", callwright.Excerpt(w.Name), got, err, want)
	}
}

func expectKind(t *testing.T, err error, want callwright.Kind) {
	t.Helper()
	if got := callwright.KindOf(err); got != want {
		t.Errorf("got %v of kind %q, want %q", err, got, want)
	}
}
