package store_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/archive"
	"github.com/callwright/callwright/internal/store"
)

// BenchmarkOpen opens a folder in which reports and answers of 100,000 requests are kept, up to where a gateway can answer, after a clean end. It prints how long it takes until
// the reports are there, too.
func BenchmarkOpen(b *testing.B) {
	const requests = 100_000
	limits := archive.Limits{Bytes: 1 << 30, Count: requests}
	dir := b.TempDir()
	s, err := store.Open(b.Context(), store.Config{Dir: dir})
	if err != nil {
		b.Fatal(err)
	}
	answers, reports := s.Answers(limits), s.Reports(limits)
	body := []byte(strings.Repeat("x", 1000))
	for i := range requests {
		id := fmt.Sprintf("rep_%08x", i)
		if i%25 == 0 { // each is written to disk
			if err := answers.Keep(b.Context(), archive.Key{ID: id}, archive.Answer{Body: body}); err != nil {
				b.Fatal(err)
			}
		}
		if err := reports.Keep(b.Context(), &archive.Report{Report: &callwright.Report{ID: id}}); err != nil {
			b.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		b.Fatal(err)
	}
	b.ResetTimer()
	for b.Loop() {
		s, err := store.Open(b.Context(), store.Config{Dir: dir})
		if err != nil {
			b.Fatal(err)
		}
		s.Answers(limits)
		reports := s.Reports(limits)
		b.StopTimer()
		if _, err := reports.List(b.Context(), archive.Query{}); err != nil {
			b.Fatal(err)
		}
		if err := s.Close(); err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
	}
}
