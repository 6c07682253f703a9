package store_test

import (
	"strings"
	"testing"
	"time"

	"github.com/callwright/callwright/agent"
	"github.com/callwright/callwright/internal/eval/queuetest"
	"github.com/callwright/callwright/internal/store"
)

// What was not changed for longer than its age is removed as a whole; what was changed since stays whole.
func TestExpires(t *testing.T) {
	t.Parallel()
	dir := folder(t)
	s, err := store.Open(t.Context(), store.Config{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	h, cells := queuetest.Plan(3)
	if _, err := s.Queue("", "q", 0).Open(t.Context(), h, cells); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Journal("").Append(t.Context(), "run_old", 0, agent.Entry{Data: []byte(`"` + strings.Repeat("x", 1<<20) + `"`)}); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	later := time.Now().Add(25 * time.Hour)
	day := store.Limits{Age: 24 * time.Hour}
	c := store.Config{Dir: dir, Keep: map[store.Kind]store.Limits{store.Runs: day, store.Queues: day}, Now: func() time.Time { return later }}
	s = open(t, c)
	eventually(t, "the run is gone", func() bool {
		runs, err := s.Journal("").Runs(t.Context())
		return err == nil && len(runs) == 0
	})
	h.Seed++
	eventually(t, "the queue is gone", func() bool {
		_, err := s.Queue("", "q", 0).Open(t.Context(), h, cells)
		return err == nil
	})
}
