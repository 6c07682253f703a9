package store_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/archive"
	"github.com/callwright/callwright/internal/store"
)

// BenchmarkReports keeps reports as they come from requests whose answers are passed through, until the server in the process has them.
func BenchmarkReports(b *testing.B) {
	s, err := store.Open(b.Context(), store.Config{Dir: b.TempDir()})
	if err != nil {
		b.Fatal(err)
	}
	kept := s.Reports(archive.Limits{})
	now := time.Now()
	b.ResetTimer()
	for i := range b.N { // the end, too, is measured

		rep := &callwright.Report{ID: fmt.Sprint("rep_", i), Model: "lab/m", Mode: "native", Untouched: true, Attempts: []callwright.Attempt{
			{Model: "lab/m", Mode: "native", Began: now, Duration: time.Second, Tries: 1, Usage: callwright.Usage{Known: true, Input: 3000, Output: 120}}}}
		if err := kept.Keep(b.Context(), &archive.Report{Time: now, Duration: time.Second, Wire: "openai", Report: rep}); err != nil {
			b.Fatal(err)
		}
	}
	if err := s.Close(); err != nil { // waits for what is not written yet
		b.Fatal(err)
	}
}
