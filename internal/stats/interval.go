package stats

import (
	"cmp"
	"math"
	"time"
)

// z95 is the 0.975 quantile of the standard normal distribution.
const z95 = 1.959963984540054

// Wilson returns the 95 % confidence interval of Wilson (1927) for a proportion, after k successes in n trials. If n is
// 0, it returns 0 and 1.
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
		low = 0 // compensates a rounding error
	}
	if k == n {
		high = 1
	}
	return low, high
}

// Percentile returns the p-th percentile of ascending values by the nearest-rank method: the smallest value that is at
// least as large as p % of the values. p is from 1 to 100. It returns the zero value if sorted is empty.
func Percentile[T cmp.Ordered](sorted []T, p int) T {
	if len(sorted) == 0 {
		var zero T
		return zero
	}
	rank := (len(sorted)*p + 99) / 100
	return sorted[min(max(rank, 1), len(sorted))-1]
}

// PercentileMS returns the p-th percentile of ascending durations, in milliseconds rounded to three decimal places.
func PercentileMS(sorted []time.Duration, p int) float64 {
	return float64(Percentile(sorted, p).Round(time.Microsecond)) / float64(time.Millisecond)
}

// Ratio returns part/whole, rounded by [Round]. It returns 0 if whole is 0.
func Ratio(part, whole int) float64 {
	if whole == 0 {
		return 0
	}
	return Round(float64(part) / float64(whole))
}

// Round rounds x to six decimal places, so that the result is printed identically on every machine.
func Round(x float64) float64 { return math.Round(x*1e6) / 1e6 }
