package alert

import (
	"fmt"
	"testing"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/health"
	"pgregory.net/rapid"
)

// Problems may come and go as they like: of each the receiver gets begin and end by turns, begins at least RepeatAfter apart, and once nothing has changed
// for that time it knows how it is.
func TestFlood(test *testing.T) {
	rapid.Check(test, func(t *rapid.T) {
		const models = 3
		now := time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)
		var there [models]bool
		a, err := New(Config{URL: "http://127.0.0.1/", Now: func() time.Time { return now }, Problems: func() (out []health.Problem) {
			for i, is := range there {
				if is {
					out = append(out, health.Problem{Subject: fmt.Sprint("lab/", i), Model: callwright.ModelID(fmt.Sprint("lab/", i)), Kind: callwright.KindTimeout})
				}
			}
			return out
		}})
		if err != nil {
			t.Fatal(err)
		}
		began, told := [models]time.Time{}, [models]bool{}
		look := func() {
			a.look(test.Context())
			for m, ok := a.queue.take(); ok; m, ok = a.queue.take() {
				var i int
				if _, err := fmt.Sscanf(m.event.Data.Subject, "lab/%d", &i); err != nil {
					t.Fatal(err)
				}
				switch m.event.Type {
				case "problem.began":
					if told[i] || !began[i].IsZero() && now.Sub(began[i]) < DefaultRepeatAfter {
						t.Fatalf("%d began at %v, and again at %v", i, began[i], now)
					}
					told[i], began[i] = true, now
				case "problem.ended":
					if !told[i] {
						t.Fatalf("%d ended before it began", i)
					}
					told[i] = false
				}
			}
		}
		for range rapid.IntRange(1, 60).Draw(t, "looks") {
			now = now.Add(time.Duration(rapid.IntRange(1, 300).Draw(t, "seconds")) * time.Second)
			for i := range there {
				there[i] = rapid.Bool().Draw(t, "there")
			}
			look()
		}
		for range 20 {
			now = now.Add(time.Minute)
			look()
		}
		if told != there {
			t.Fatalf("the receiver knows %v, there is %v", told, there)
		}
		there = [models]bool{}
		look()
		now = now.Add(time.Hour)
		look()
		if len(a.watched) > 0 {
			t.Fatalf("%d problems are remembered", len(a.watched))
		}
	})
}
