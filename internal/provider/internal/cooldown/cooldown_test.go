package cooldown_test

import (
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/provider/internal/cooldown"
)

// A step is an event after a time.
type step struct {
	after  time.Duration
	event  string
	kind   callwright.Kind // of a start
	length time.Duration
}

var steps = rapid.SliceOfN(rapid.Custom(func(t *rapid.T) step {
	return step{
		time.Duration(rapid.IntRange(0, 40).Draw(t, "after")) * time.Second,
		rapid.SampledFrom([]string{"start", "enter", "succeed", "release", "limit"}).Draw(t, "event"),
		rapid.SampledFrom([]callwright.Kind{callwright.KindRateLimited, callwright.KindAuth}).Draw(t, "kind"),
		time.Duration(rapid.OneOf(rapid.IntRange(1, 100), rapid.IntRange(1, 5000)).Draw(t, "length")) * time.Second,
	}
}), 1, 30)

// TestAny: in any order of events a cooldown agrees with a model of it that knows the ends of the cooldown and of the trial.
func TestAny(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		list := steps.Draw(rt, "steps")
		wrong := ""
		synctest.Test(t, func(*testing.T) { wrong = differs(list) })
		if wrong != "" {
			rt.Fatal(wrong)
		}
	})
}

// differs says where a cooldown differs from its model, "" for nowhere.
func differs(list []step) string {
	var (
		c            cooldown.Cooldown
		until, trial time.Time
		kind         callwright.Kind
		begun        bool
	)
	limited := func() bool { return begun && kind == callwright.KindRateLimited && time.Now().Before(until) }
	for i, s := range list {
		time.Sleep(s.after)
		now := time.Now()
		switch s.event {
		case "start":
			end := now.Add(min(s.length, time.Hour))
			if !limited() || s.kind == callwright.KindRateLimited && !until.After(end) {
				begun, kind, until, trial = true, s.kind, end, time.Time{}
			}
			c.Start(s.kind, s.length)
		case "enter":
			var want cooldown.Skip
			switch {
			case !begun:
			case now.Before(until):
				want = cooldown.Skip{Kind: kind, Left: until.Sub(now)}
			case now.Before(trial):
				want = cooldown.Skip{Kind: kind, Left: trial.Sub(now)}
			}
			got, skipped, tries := c.Enter()
			if got != want || skipped != (want.Left > 0) || tries != (begun && !skipped) {
				return fmt.Sprintf("step %d: %v %v %v, expected %v", i, got, skipped, tries, want)
			}
			if tries {
				trial = now.Add(10 * time.Second)
			}
		case "succeed":
			begun = limited()
			c.Succeed()
		case "release":
			trial = time.Time{}
			c.Release()
		case "limit":
			if got, is := c.Limit(); is != limited() || is && got.Left != until.Sub(now) {
				return fmt.Sprintf("step %d: a limit of %v %v", i, got, is)
			}
		}
	}
	return ""
}

// TestOne: of requests that come at once after a cooldown, one asks.
func TestOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := new(cooldown.Table).Of("lab/a")
		c.Start(callwright.KindRateLimited, time.Minute)
		time.Sleep(time.Minute)
		var wg sync.WaitGroup
		var mu sync.Mutex
		asked := 0
		for range 50 {
			wg.Go(func() {
				if _, _, tries := c.Enter(); tries {
					mu.Lock()
					asked++
					mu.Unlock()
				}
			})
		}
		wg.Wait()
		if asked != 1 {
			t.Errorf("%d requests ask", asked)
		}
	})
}

// TestTable: a name has one cooldown, and a table is bounded.
func TestTable(t *testing.T) {
	var table cooldown.Table
	first := table.Of("a")
	if table.Of("a") != first || table.Of("b") == first {
		t.Error("a cooldown is not that of its model")
	}
	for i := range 5000 {
		table.Of(string(rune(i + 100)))
	}
}
