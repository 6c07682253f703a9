package report_test

import (
	"fmt"
	"io"
	"testing"

	"github.com/callwright/callwright/internal/eval/report"
)

func BenchmarkSummarize(b *testing.B) {
	for _, trials := range []int{2, 40} { // 5,000 and 100,000 results
		results := draw(1, shape{models: 100, scenarios: 25, trials: trials, fail: 0.05})
		b.Run(fmt.Sprint(len(results)), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				report.Summarize(header(results), results, []string{"scenario_01"})
			}
		})
	}
}

func BenchmarkDiff(b *testing.B) {
	one, two := draw(1, shape{models: 100, scenarios: 25, trials: 2, fail: 0.05}), draw(2, shape{models: 100, scenarios: 25, trials: 2, fail: 0.05})
	before, after := report.Summarize(header(one), one, nil), report.Summarize(header(two), two, nil)
	b.ReportAllocs()
	for b.Loop() {
		report.Diff(before, after)
	}
}

func BenchmarkHTML(b *testing.B) {
	results := draw(1, shape{models: 100, scenarios: 30, trials: 2, fail: 0.1, text: "I could not find it."})
	s := report.Summarize(header(results), results, nil)
	b.ReportAllocs()
	for b.Loop() {
		if err := report.HTML(io.Discard, s, results, "state"); err != nil {
			b.Fatal(err)
		}
	}
}
