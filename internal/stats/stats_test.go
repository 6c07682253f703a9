package stats_test

import (
	"math"
	"math/big"
	"slices"
	"testing"

	"github.com/callwright/callwright/internal/stats"
	"pgregory.net/rapid"
)

// near reports whether two numbers agree to so many places behind the point.
func near(got, want float64, places int) bool {
	return math.Abs(got-want) <= 0.5000001*math.Pow10(-places)
}

func TestWilson(t *testing.T) {
	for _, c := range []struct {
		k, n      int
		low, high float64
	}{
		// Newcombe (1998), Two-sided confidence intervals for the single proportion, table I, method 3.
		{81, 263, 0.2553, 0.3662},
		{15, 148, 0.0624, 0.1605},
		{0, 20, 0, 0.1611},
		{1, 29, 0.0061, 0.1718},
		// Mirrored.
		{20, 20, 1 - 0.1611, 1},
		// Nothing is known of nothing.
		{0, 0, 0, 1},
	} {
		low, high := stats.Wilson(c.k, c.n)
		if !near(low, c.low, 4) || !near(high, c.high, 4) {
			t.Errorf("%d of %d: got %.4f to %.4f, want %.4f to %.4f", c.k, c.n, low, high, c.low, c.high)
		}
	}
}

// An interval holds the share, lies in [0, 1], is mirrored by failures, and gets narrower with more trials of the same share.
func TestWilsonLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 100_000).Draw(t, "n")
		k := rapid.IntRange(0, n).Draw(t, "k")
		low, high := stats.Wilson(k, n)
		if share := float64(k) / float64(n); !(0 <= low && low <= share && share <= high && high <= 1) {
			t.Fatalf("%d of %d: %v to %v", k, n, low, high)
		}
		mirrorLow, mirrorHigh := stats.Wilson(n-k, n)
		if !near(mirrorLow, 1-high, 9) || !near(mirrorHigh, 1-low, 9) {
			t.Fatalf("%d of %d is %v to %v, its mirror %v to %v", k, n, low, high, mirrorLow, mirrorHigh)
		}
		if l, h := stats.Wilson(2*k, 2*n); h-l >= high-low {
			t.Fatalf("twice as many trials tell less: %v, then %v", high-low, h-l)
		}
	})
}

func TestPercentile(t *testing.T) {
	hundred := make([]int, 100)
	for i := range hundred {
		hundred[i] = i + 1
	}
	for _, c := range []struct {
		values  []int
		p, want int
	}{
		{nil, 95, 0},
		{[]int{7}, 1, 7}, {[]int{7}, 100, 7},
		{[]int{1, 2}, 50, 1}, {[]int{1, 2}, 51, 2},
		{hundred, 50, 50}, {hundred, 95, 95}, {hundred, 99, 99}, {hundred, 100, 100},
		{[]int{15, 20, 35, 40, 50}, 30, 20}, {[]int{15, 20, 35, 40, 50}, 40, 20}, {[]int{15, 20, 35, 40, 50}, 50, 35}, // nearest rank
	} {
		if got := stats.Percentile(c.values, c.p); got != c.want {
			t.Errorf("p%d of %d values: got %d, want %d", c.p, len(c.values), got, c.want)
		}
	}
}

// A percentile is one of the values, which at least p in 100 do not exceed, and none that is smaller does.
func TestPercentileLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.IntRange(0, 50), 1, 200).Draw(t, "values")
		p := rapid.IntRange(1, 100).Draw(t, "p")
		slices.Sort(values)
		got := stats.Percentile(values, p)
		within := func(v int) int {
			n := 0
			for _, x := range values {
				if x <= v {
					n++
				}
			}
			return n
		}
		if !slices.Contains(values, got) || within(got)*100 < p*len(values) || within(got-1)*100 >= p*len(values) {
			t.Fatalf("p%d of %v is %d", p, values, got)
		}
	})
}

func TestFisher(t *testing.T) {
	for _, c := range []struct {
		aOK, aFailed, bOK, bFailed int
		want                       float64
		places                     int
	}{
		{3, 1, 1, 3, 0.4857142857, 9},    // Fisher's tea tasting (1935): 34/70
		{2, 15, 10, 3, 0.0005367, 7},     // convictions of twins, Fisher (1962), as in the documentation of R's fisher.test
		{1, 9, 11, 3, 0.002759456, 9},    // Wikipedia, Fisher's exact test
		{8, 2, 1, 5, 0.03496503497, 9},   // the documentation of scipy.stats.fisher_exact, before 1.9
		{6, 2, 1, 4, 0.10256410256, 9},   // the same, after it: 4/39
		{10, 0, 0, 10, 2.0 / 184756, 15}, // 2 / (20 over 10)
		{5, 5, 5, 5, 1, 15},
		{0, 0, 7, 3, 1, 15},
		{0, 0, 0, 0, 1, 15},
	} {
		if got := stats.Fisher(c.aOK, c.aOK+c.aFailed, c.bOK, c.bOK+c.bFailed); !near(got, c.want, c.places) {
			t.Errorf("%+v: got %.12f", c, got)
		}
	}
}

// fisher is the test in whole numbers.
func fisher(aOK, aN, bOK, bN int) float64 {
	total := aOK + bOK
	ways := func(k int) *big.Int {
		return new(big.Int).Mul(new(big.Int).Binomial(int64(aN), int64(k)), new(big.Int).Binomial(int64(bN), int64(total-k)))
	}
	sum, all, seen := new(big.Int), new(big.Int), ways(aOK)
	for k := max(0, total-bN); k <= min(aN, total); k++ {
		w := ways(k)
		all.Add(all, w)
		if w.Cmp(seen) <= 0 {
			sum.Add(sum, w)
		}
	}
	p, _ := new(big.Rat).SetFrac(sum, all).Float64()
	return p
}

// The test in floating point is that in whole numbers, the same whichever group comes first and whether successes or failures are counted, and 1
// where the shares are the same.
func TestFisherLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		aN, bN := rapid.IntRange(0, 150).Draw(t, "aN"), rapid.IntRange(0, 150).Draw(t, "bN")
		aOK, bOK := rapid.IntRange(0, aN).Draw(t, "aOK"), rapid.IntRange(0, bN).Draw(t, "bOK")
		p := stats.Fisher(aOK, aN, bOK, bN)
		if !(0 <= p && p <= 1) {
			t.Fatal(p)
		}
		if want := fisher(aOK, aN, bOK, bN); math.Abs(p-want) > 1e-9 {
			t.Fatalf("got %v, want %v", p, want)
		}
		if q := stats.Fisher(bOK, bN, aOK, aN); p != q {
			t.Fatalf("%v, and the other way round %v", p, q)
		}
		if q := stats.Fisher(aN-aOK, aN, bN-bOK, bN); math.Abs(p-q) > 1e-9 {
			t.Fatalf("%v, and of failures %v", p, q)
		}
		if same := stats.Fisher(aOK, aN, aOK, aN); same != 1 {
			t.Fatalf("the same shares: %v", same)
		}
	})
}

// Large groups are no harder: a difference that is plain is found, none is none.
func TestFisherOfMany(t *testing.T) {
	if p := stats.Fisher(95_000, 100_000, 94_000, 100_000); !(0 <= p && p < 1e-20) {
		t.Errorf("got %v", p)
	}
	if p := stats.Fisher(500_000, 1_000_000, 500_001, 1_000_000); p < 0.99 || p > 1 {
		t.Errorf("got %v", p)
	}
	if p := stats.Fisher(95_000, 100_000, 95_010, 100_000); p < 0.9 || p > 1 {
		t.Errorf("got %v", p)
	}
}

func TestMcNemar(t *testing.T) {
	for _, c := range []struct {
		onlyA, onlyB int
		want         float64
	}{
		// Sums of binomial coefficients over powers of two.
		{0, 0, 1}, {1, 0, 1}, {4, 4, 1},
		{0, 5, 2.0 / 32},
		{1, 9, 2 * (1 + 10) / 1024.0},
		{3, 12, 2 * (1 + 15 + 105 + 455) / 32768.0},
		{5, 6, 1},
	} {
		if got := stats.McNemar(c.onlyA, c.onlyB); !near(got, c.want, 12) {
			t.Errorf("%d and %d: got %v, want %v", c.onlyA, c.onlyB, got, c.want)
		}
	}
}

func TestMcNemarLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := rapid.IntRange(0, 3000).Draw(t, "a"), rapid.IntRange(0, 3000).Draw(t, "b")
		p := stats.McNemar(a, b)
		if !(0 <= p && p <= 1) || p != stats.McNemar(b, a) || stats.McNemar(a, a) != 1 {
			t.Fatal(p)
		}
		if further := stats.McNemar(a+max(0, a-b)+1, b); a >= b && further > p {
			t.Fatalf("a larger difference of %d and %d is more probable: %v, then %v", a, b, p, further)
		}
	})
}

func TestHolm(t *testing.T) {
	for _, c := range []struct{ p, want []float64 }{
		{nil, []float64{}},
		{[]float64{0.04}, []float64{0.04}},
		{[]float64{0.01, 0.04, 0.03, 0.005}, []float64{0.03, 0.06, 0.06, 0.02}},            // Wikipedia, Holm–Bonferroni method
		{[]float64{0.01, 0.02, 0.03, 0.04, 0.05}, []float64{0.05, 0.08, 0.09, 0.09, 0.09}}, // p.adjust of R
		{[]float64{1, 1, 0.5}, []float64{1, 1, 1}},
	} {
		got := stats.Holm(c.p)
		if !slices.EqualFunc(got, c.want, func(a, b float64) bool { return near(a, b, 12) }) {
			t.Errorf("%v: got %v, want %v", c.p, got, c.want)
		}
	}
}

// Adjusted values are no smaller, stay in [0, 1] and in their order, and go with their tests wherever those stand.
func TestHolmLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.SliceOf(rapid.Float64Range(0, 1)).Draw(t, "p")
		got := stats.Holm(p)
		for i := range p {
			if got[i] < p[i] || got[i] > min(1, p[i]*float64(len(p))) {
				t.Fatalf("%v became %v", p, got)
			}
			for j := range p {
				if p[i] < p[j] && got[i] > got[j] {
					t.Fatalf("%v became %v", p, got)
				}
			}
		}
		back := slices.Clone(p)
		slices.Reverse(back)
		back = stats.Holm(back)
		slices.Reverse(back)
		for i := range p {
			if got[i] != back[i] {
				t.Fatalf("%v became %v, and %v from behind", p, got, back)
			}
		}
	})
}
