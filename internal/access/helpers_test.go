package access_test

import (
	"context"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/access"
	"github.com/callwright/callwright/internal/testclock"
)

// began is when the clocks of the tests begin: in the middle of a minute, a day and a month.
var began = time.Date(2026, 3, 14, 15, 9, 26, 0, time.UTC)

func newClock() *testclock.Clock { return testclock.At(began) }

func newGate(t testing.TB, cfg access.Config) *access.Gate {
	t.Helper()
	g, err := access.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// limitedGate is a gate with one key, "secret" of "ci", within limits.
func limitedGate(t testing.TB, c *testclock.Clock, l access.Limits) (*access.Gate, *access.Caller) {
	t.Helper()
	g := newGate(t, access.Config{Keys: []access.Key{{Name: "ci", Hash: access.HashOf("secret"), Limits: l}}, Now: c.Now, Prices: testPrices})
	return g, caller(t, g, "secret")
}

// testPrices has models at one dollar, a thousand dollars, and nothing for a token.
var testPrices = access.NewPrices([]access.PriceRow{
	{Models: "lab/m", Price: access.Price{Input: 1e6, Cached: 0.1e6, Write: 1.25e6, Output: 2e6}},
	{Models: "free/*", Price: access.Price{}},
})

func caller(t testing.TB, g *access.Gate, key string) *access.Caller {
	t.Helper()
	c, err := g.Find([][]byte{[]byte(key)})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// used is a report of attempts that came to these tokens of input and output, each.
func used(model callwright.ModelID, input, output int) *callwright.Report {
	return &callwright.Report{Attempts: []callwright.Attempt{{Model: model, Usage: callwright.Usage{Known: true, Input: input, Output: output}}}}
}

func expectError(t *testing.T, err error, kind callwright.Kind, parts ...string) *callwright.Error {
	t.Helper()
	if callwright.KindOf(err) != kind {
		t.Fatalf("got %v of kind %q, want %q", err, callwright.KindOf(err), kind)
	}
	if kind == "" {
		return nil
	}
	for _, p := range parts {
		if !strings.Contains(err.Error(), p) {
			t.Errorf("got %q, want %q in it", err, p)
		}
	}
	return err.(*callwright.Error)
}

// lostCounters can be cut off.
type lostCounters struct {
	access.Counters
	lost  atomic.Bool
	asked atomic.Int64
}

var errLost = &callwright.Error{Kind: callwright.KindUnavailable, Message: "no answer"}

func (l *lostCounters) Take(ctx context.Context, w access.Window, least, n int64) (int64, error) {
	l.asked.Add(1)
	if l.lost.Load() {
		return 0, errLost
	}
	return l.Counters.Take(ctx, w, least, n)
}

func (l *lostCounters) Add(ctx context.Context, w access.Window, changes access.Tally) error {
	l.asked.Add(1)
	if l.lost.Load() {
		return errLost
	}
	return l.Counters.Add(ctx, w, changes)
}

func (l *lostCounters) Count(ctx context.Context, w access.Window) (access.Tally, error) {
	if l.lost.Load() {
		return nil, errLost
	}
	return l.Counters.Count(ctx, w)
}

// together runs f in so many goroutines.
func together(n int, f func(i int)) {
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { f(i) })
	}
	wg.Wait()
}
