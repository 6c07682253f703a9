package countformat_test

import (
	"math"
	"testing"

	"github.com/callwright/callwright/internal/countformat"
	"pgregory.net/rapid"
)

// TestNumber: a number that was written is read again, to two digits behind its point.
func TestNumber(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.Float64Range(0, 1<<40).Draw(t, "x")
		var got float64
		if text := countformat.Number(x); !countformat.ParseNumber(&got, text) || math.Abs(got-x) > 0.006 {
			t.Fatalf("%v was written as %s and read as %v", x, text, got)
		}
	})
	for _, s := range []string{"", "-1", "1e3", "NaN", "inf", "1.2.3", "9999999999999", " 1", "."} {
		var x float64
		if countformat.ParseNumber(&x, s) {
			t.Errorf("%q was read as %v", s, x)
		}
	}
}

// TestCutDay: the day of counts is a positive number, or absent.
func TestCutDay(t *testing.T) {
	for s, want := range map[string]struct {
		counts string
		day    int
		ok     bool
	}{"2-1": {"2-1", 0, true}, "2-1@20000": {"2-1", 20000, true}, "2-1@": {"2-1", 0, false}, "2-1@x": {"2-1", 0, false}, "2@0": {"2", 0, false}, "2@-3": {"2", -3, false}} {
		if counts, day, ok := countformat.CutDay(s); counts != want.counts || ok != want.ok || ok && day != want.day {
			t.Errorf("%q: got %q, %d, %t", s, counts, day, ok)
		}
	}
}
