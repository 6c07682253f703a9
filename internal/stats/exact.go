package stats

import (
	"cmp"
	"math"
	"slices"
	"sort"
)

// tie is the factor by which a probability may exceed that of the observation and still count as no more probable, so
// that rounding does not separate equal values.
const tie = 1 + 1e-7

// Fisher returns the two-sided p-value of Fisher's exact test: that of two groups with one and the same share of
// successes, of which aOK of aN and bOK of bN succeeded, the successes fall as unevenly as they did, or more so. Where
// one group is empty, it is 1.
func Fisher(aOK, aN, bOK, bN int) float64 {
	if aOK*bN == bOK*aN { // the same share: nothing is more probable
		return 1
	}
	if aN > bN || aN == bN && aOK > bOK { // the same bits whichever comes first
		aOK, aN, bOK, bN = bOK, bN, aOK, aN
	}
	total := aOK + bOK
	all := logChoose(aN+bN, total)
	probability := func(k int) float64 { return math.Exp(logChoose(aN, k) + logChoose(bN, total-k) - all) }
	least, most := max(0, total-bN), min(aN, total)
	limit := probability(aOK) * tie

	// Probabilities rise up to the mode and fall behind it. The numbers that are no more probable than aOK are therefore
	// two tails, of which one begins at aOK. The start of the other is searched for.
	mode := (aN + 1) * (total + 1) / (aN + bN + 2)
	low, high := aOK, aOK // where the tails begin
	if aOK <= mode {
		from := max(mode, aOK+1)
		high = from + sort.Search(most-from+1, func(i int) bool { return probability(from+i) <= limit })
	} else {
		from := min(mode, aOK-1)
		low = from - sort.Search(from-least+1, func(i int) bool { return probability(from-i) <= limit })
	}
	return min(1, tail(low, least, -1, probability)+tail(high, most, 1, probability))
}

// tail adds up probabilities that fall from one number to another, until they no longer matter.
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

// McNemar returns the two-sided p-value of McNemar's exact test of pairs: of those whose halves differ, onlyA succeeded
// in the first and onlyB in the second alone.
func McNemar(onlyA, onlyB int) float64 {
	if onlyA == onlyB {
		return 1
	}
	n := onlyA + onlyB
	return min(1, 2*tail(min(onlyA, onlyB), 0, -1, func(k int) float64 { return math.Exp(logChoose(n, k) - float64(n)*math.Ln2) }))
}

// Holm returns the p-values of one family of tests adjusted by the method of Holm (1979), in their order: the chance
// that any of the tests whose adjusted value is below 0.05 finds a difference where there is none is at most that.
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
