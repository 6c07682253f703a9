package linebuffer

import (
	"io"
	"log/slog"
	"sync"
	"testing"
)

// Where a record waits a flush is scheduled, whatever flush was under way when it came.
func TestWaitingRecordsAreScheduled(t *testing.T) {
	lines := New(io.Discard)
	log := slog.New(lines.Handler(func(w io.Writer) slog.Handler { return slog.NewTextHandler(w, nil) }))
	for range 20_000 {
		log.Info("first")
		var wg sync.WaitGroup
		wg.Go(lines.Flush)
		for range 3 {
			wg.Go(func() { log.Info("others") })
		}
		wg.Wait()
		lines.records.mu.Lock()
		lines.mu.Lock()
		lost := lines.records.n > 0 && !lines.armed
		lines.mu.Unlock()
		lines.records.mu.Unlock()
		if lost {
			t.Fatal("a record waits and no flush is scheduled")
		}
	}
}
