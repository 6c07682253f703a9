package caps_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/capsstoretest"
)

func TestMemory(t *testing.T) {
	capsstoretest.Run(t, func(_ *testing.T, now func() time.Time) caps.Store { return caps.NewMemory(now) })
}

// The model that learned longest ago makes room.
func TestMemoryIsBounded(t *testing.T) {
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	m, ctx := caps.NewMemory(func() time.Time { return now }), t.Context()
	const many = 5000
	for i := range many {
		now = now.Add(time.Millisecond)
		if err := m.Learn(ctx, fmt.Sprint("m", i), caps.Fact{Key: "tools", Value: "no", Source: caps.Learned}); err != nil {
			t.Fatal(err)
		}
	}
	left, _ := m.Models(ctx)
	if len(left) == 0 || len(left) >= many {
		t.Errorf("%d models are remembered", len(left))
	}
	oldest, _ := m.Facts(ctx, "m0")
	latest, _ := m.Facts(ctx, fmt.Sprint("m", many-1))
	if len(oldest) != 0 || len(latest) != 1 {
		t.Errorf("of the oldest %v is known, of the latest %v", oldest, latest)
	}
}

func ExampleMemory() {
	m := caps.NewMemory(nil)
	ctx := context.Background()
	m.Learn(ctx, "lab/one", caps.Fact{Key: "tools", Value: "no", Source: caps.Learned, Evidence: "the provider refused tools"})
	facts, _ := m.Facts(ctx, "lab/one")
	fmt.Println(facts[0].Key, facts[0].Value, facts[0].Source)
	// Output: tools no learned
}
