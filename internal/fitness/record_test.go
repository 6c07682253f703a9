package fitness_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/fitness"
)

// A record has the attempts of the last hours and no earlier ones, and a clock that goes back changes nothing of that.
func TestRecords(t *testing.T) {
	now := time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)
	r := fitness.NewRecords(func() time.Time { return now })
	if got := r.Of("a/x"); got.Attempts() != 0 || got.Latency() != 0 {
		t.Errorf("of a model that nobody asked: %+v", got)
	}
	r.Add("a/x", true, 2*time.Second)
	r.Add("a/x", false, time.Minute)
	now = now.Add(time.Hour)
	r.Add("a/x", true, 4*time.Second)
	if got, want := r.Of("a/x"), (fitness.Record{Right: 2, Wrong: 1, Took: 6 * time.Second}); got != want || got.Latency() != 3*time.Second {
		t.Errorf("got %+v, want %+v", got, want)
	}
	now = now.Add(-10 * time.Minute)
	r.Add("a/x", true, 0)
	now = now.Add(10*time.Minute + fitness.Memory - time.Hour)
	if got, want := r.Of("a/x"), (fitness.Record{Right: 2, Took: 4 * time.Second}); got != want {
		t.Errorf("when the first ones are too old: got %+v, want %+v", got, want)
	}
	now = now.Add(10 * fitness.Memory)
	if got := r.Of("a/x"); got.Attempts() != 0 {
		t.Errorf("when all are too old: %+v", got)
	}
}

// The models of a Records are bounded.
func TestRecordsAreBounded(t *testing.T) {
	r := fitness.NewRecords(time.Now)
	known := 0
	for i := range 3000 {
		r.Add(callwright.ModelID(fmt.Sprint("lab/", i)), true, 0)
	}
	for i := range 3000 {
		if rec := r.Of(callwright.ModelID(fmt.Sprint("lab/", i))); rec.Attempts() > 0 {
			known++
		}
	}
	if known != 1024 {
		t.Errorf("%d models are kept", known)
	}
}
