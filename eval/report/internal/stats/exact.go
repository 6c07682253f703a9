package stats

import (
	"cmp"
	"math"
	"slices"
)

// tie is by how much a probability may exceed that of what was seen and still count as no more probable, so that rounding parts no equals.
const tie = 1 + 1e-7

// Fisher returns the two-sided p-value of Fisher's exact test: that of two groups with one and the same share of successes, of which aOK of aN and
// bOK of bN succeeded, the successes fall as unevenly as they did, or more so. Where one group is empty, it is 1.
func Fisher(aOK, aN, bOK, bN int) float64 {
	if aOK*bN == bOK*aN { // the same share: nothing is more probable
		return 1
	}
	total := aOK + bOK
	all := logChoose(aN+bN, total)
	probability := func(k int) float64 { return math.Exp(logChoose(aN, k) + logChoose(bN, total-k) - all) }
	limit := probability(aOK) * tie
	var p float64
	for k := max(0, total-bN); k <= min(aN, total); k++ {
		if q := probability(k); q <= limit {
			p += q
		}
	}
	return min(1, p)
}

// McNemar returns the two-sided p-value of McNemar's exact test of pairs: of those whose halves differ, onlyA succeeded in the first and onlyB in the
// second alone.
func McNemar(onlyA, onlyB int) float64 {
	n, few := onlyA+onlyB, min(onlyA, onlyB)
	if onlyA == onlyB {
		return 1
	}
	var p float64
	for k := range few + 1 {
		p += math.Exp(logChoose(n, k) - float64(n)*math.Ln2)
	}
	return min(1, 2*p)
}

// Holm returns the p-values of one family of tests adjusted by the method of Holm (1979), in their order: the chance that any of the tests whose adjusted
// value is below 0.05 finds a difference where there is none is at most that.
func Holm(p []float64) []float64 {
	order := make([]int, len(p))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(p[i], p[j]) })
	out := make([]float64, len(p))
	var last float64
	for rank, i := range order {
		last = min(1, max(last, p[i]*float64(len(p)-rank)))
		out[i] = last
	}
	return out
}

// logChoose is the logarithm of n over k.
func logChoose(n, k int) float64 { return logFactorial(n) - logFactorial(k) - logFactorial(n-k) }

func logFactorial(n int) float64 {
	v, _ := math.Lgamma(float64(n) + 1)
	return v
}
