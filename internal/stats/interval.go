package stats

import (
	"cmp"
	"math"
	"time"
)

// z95 is the 0.975 quantile of the normal distribution.
const z95 = 1.959963984540054

// Wilson returns the 95 % score interval of Wilson (1927) for a share of which k of n were seen. Of nothing, nothing is
// known: it is 0 to 1.
func Wilson(k, n int) (low, high float64) {
	if n <= 0 {
		return 0, 1
	}
	share, trials := float64(k)/float64(n), float64(n)
	const zz = z95 * z95
	middle := (share + zz/(2*trials)) / (1 + zz/trials)
	half := z95 / (1 + zz/trials) * math.Sqrt(share*(1-share)/trials+zz/(4*trials*trials))
	low, high = max(0, middle-half), min(1, middle+half)
	if k == 0 {
		low = 0 // which rounding misses
	}
	if k == n {
		high = 1
	}
	return low, high
}

// Percentile returns the smallest of sorted values that at least p in 100 of them do not exceed, and 0 where there are
// none. P is from 1 to 100.
func Percentile[T cmp.Ordered](sorted []T, p int) T {
	if len(sorted) == 0 {
		var zero T
		return zero
	}
	rank := (len(sorted)*p + 99) / 100
	return sorted[min(max(rank, 1), len(sorted))-1]
}

// PercentileMS is that of durations, in milliseconds with three places behind the point.
func PercentileMS(sorted []time.Duration, p int) float64 {
	return float64(Percentile(sorted, p).Round(time.Microsecond)) / float64(time.Millisecond)
}

// Ratio is that of two counts, rounded as by [Round], and 0 for one of nothing.
func Ratio(part, whole int) float64 {
	if whole == 0 {
		return 0
	}
	return Round(float64(part) / float64(whole))
}

// Round keeps six places behind the point: enough for every share, and the same text on every machine.
func Round(x float64) float64 { return math.Round(x*1e6) / 1e6 }
