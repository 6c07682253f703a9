package reliable_test

import (
	"strings"
	"testing"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/reliable"
)

// BenchmarkLinear prints, as the metric ratio, how much longer twice the input takes: 2 is linear, and more than 2.2 in a
// quiet run is a defect.
func BenchmarkLinear(b *testing.B) {
	call := `<tool_call>{"name":"save-note","arguments":{"title":"` // closed below
	for _, tc := range []struct {
		name string
		make func(n int) []callwright.Event
	}{
		{"prose whole", func(n int) []callwright.Event {
			return text(strings.Repeat("Some prose with a < and a [ in it. ", n/35))
		}},
		{"prose in pieces", func(n int) []callwright.Event {
			return inPieces(strings.Repeat("Some prose with a < and a [ in it. ", n/35), 8)
		}},
		{"call in text, in pieces", func(n int) []callwright.Event { return inPieces(call+strings.Repeat("x ", n/2)+`"}}</tool_call>`, 4) }},
		{"broken arguments", func(n int) []callwright.Event {
			return native("save-note", `{'title': 'a', 'tags': [`+strings.Repeat(`'x', `, n/5)+`]}`, callwright.FinishCalls)
		}},
		{"openers without end", func(n int) []callwright.Event { return text(strings.Repeat("<tool_call>{", n/12)) }},
		{"brackets", func(n int) []callwright.Event { return text(strings.Repeat("[", n)) }},
		{"many calls", func(n int) []callwright.Event {
			return text(strings.Repeat(`<tool_call>{"name":"get_time","arguments":{}}</tool_call>`, n/60))
		}},
	} {
		b.Run(tc.name, func(b *testing.B) {
			const size = 64 << 10
			small, large := tc.make(size), tc.make(2*size)
			x, err := reliable.NewExtractor(lawTools)
			if err != nil {
				b.Fatal(err)
			}
			var once, twice time.Duration
			for b.Loop() {
				t0 := time.Now()
				x.Extract(small)
				t1 := time.Now()
				x.Extract(large)
				once, twice = once+t1.Sub(t0), twice+time.Since(t1)
			}
			b.ReportMetric(float64(twice)/float64(once), "ratio")
		})
	}
}

// inPieces is an answer of text in pieces of n bytes.
func inPieces(s string, n int) []callwright.Event {
	out := []callwright.Event{callwright.Begin{}}
	for len(s) > n {
		out, s = append(out, callwright.TextDelta{Text: s[:n]}, callwright.Flush{}), s[n:]
	}
	return append(out, callwright.TextDelta{Text: s}, callwright.End{Finish: callwright.FinishStop})
}
