package stats

import (
	"cmp"
	"math"
	"slices"
	"sort"
)

// tie is a tolerance factor. A result counts as at most as probable as the observed one if its probability is at most
// tie times higher. It compensates rounding errors.
const tie = 1 + 1e-7

// Fisher returns the two-sided p-value of Fisher's exact test for two groups, in which aOK of aN and bOK of bN trials
// succeeded. It returns 1 if a group is empty.
func Fisher(aOK, aN, bOK, bN int) float64 {
	if aOK*bN == bOK*aN { // equal proportions: the most probable result
		return 1
	}
	if aN > bN || aN == bN && aOK > bOK { // order the groups, so that Fisher(a, b) and Fisher(b, a) are identical
		aOK, aN, bOK, bN = bOK, bN, aOK, aN
	}
	total := aOK + bOK
	all := logChoose(aN+bN, total)
	probability := func(k int) float64 { return math.Exp(logChoose(aN, k) + logChoose(bN, total-k) - all) }
	least, most := max(0, total-bN), min(aN, total)
	limit := probability(aOK) * tie

	// Probabilities increase up to the mode and then decrease. Therefore the results that are at most as probable as aOK
	// form two tails. One begins at aOK, and the start of the other is found by binary search.
	mode := (aN + 1) * (total + 1) / (aN + bN + 2)
	low, high := aOK, aOK // start of each tail
	if aOK <= mode {
		from := max(mode, aOK+1)
		high = from + sort.Search(most-from+1, func(i int) bool { return probability(from+i) <= limit })
	} else {
		from := min(mode, aOK-1)
		low = from - sort.Search(from-least+1, func(i int) bool { return probability(from-i) <= limit })
	}
	return min(1, tail(low, least, -1, probability)+tail(high, most, 1, probability))
}

// tail returns the sum of the probabilities of the numbers from, from+step and so on up to and including to. They must
// decrease: tail stops when further terms do not change the sum.
func tail(from, to, step int, probability func(int) float64) float64 {
	var sum float64
	for k := from; (to-k)*step >= 0; k += step {
		q := probability(k)
		sum += q
		if q <= sum*1e-17 {
			break
		}
	}
	return sum
}

// McNemar returns the two-sided p-value of McNemar's exact test for paired trials. onlyA is the number of pairs in
// which only the first trial succeeded, onlyB that in which only the second did.
func McNemar(onlyA, onlyB int) float64 {
	if onlyA == onlyB {
		return 1
	}
	n := onlyA + onlyB
	return min(1, 2*tail(min(onlyA, onlyB), 0, -1, func(k int) float64 { return math.Exp(logChoose(n, k) - float64(n)*math.Ln2) }))
}

// Holm adjusts the p-values of several tests by the method of Holm (1979) and returns them in the same order. If no
// difference exists, the probability that any adjusted value is below 0.05 is at most 5 %.
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

// logChoose returns the natural logarithm of the binomial coefficient n over k.
func logChoose(n, k int) float64 { return logFactorial(n) - logFactorial(k) - logFactorial(n-k) }

func logFactorial(n int) float64 {
	v, _ := math.Lgamma(float64(n) + 1)
	return v
}
