package constraint

import (
	"math"
	"strconv"
	"strings"
)

// The digits of numbers without limits.
const (
	integerDigits  = `("0" | [1-9] [0-9]{0,18})`
	fractionDigits = `("." [0-9]{1,17})? ([eE] [-+]? [0-9]{1,3})?`
)

// number returns the expression of any JSON number. Of the limits it applies only the sign.
func (s *schemas) number(n *shape) string {
	return s.rules.rule(sequence(sign(n), integerDigits, fractionDigits))
}

// sign returns the expression of the sign of a number within the limits of a shape.
func sign(n *shape) string {
	switch {
	case n.least != nil && *n.least >= 0:
		return ""
	case n.most != nil && *n.most < 0:
		return `"-"`
	}
	return `"-"?`
}

// integer returns the expression of an integer within the limits of a shape.
func (s *schemas) integer(n *shape) string {
	low, high := whole(n.least, math.Ceil), whole(n.most, math.Floor)
	if low == nil && high == nil {
		return s.rules.rule(`"-"? ` + integerDigits)
	}
	var forms []string
	if low == nil || *low < 0 { // absolute values of negative numbers
		from, to := int64(1), int64(-1)
		if high != nil && *high < 0 {
			from = -*high
		}
		if low != nil {
			to = -*low
		}
		if magnitudes := magnitude(from, to); magnitudes != "" {
			forms = append(forms, sequence(`"-"`, s.rules.rule(magnitudes)))
		}
	}
	if high == nil || *high >= 0 {
		from, to := int64(0), int64(-1)
		if low != nil && *low > 0 {
			from = *low
		}
		if high != nil {
			to = *high
		}
		if magnitudes := magnitude(from, to); magnitudes != "" {
			forms = append(forms, s.rules.rule(magnitudes))
		}
	}
	if len(forms) == 0 {
		return impossible
	}
	return s.rules.rule(oneOf(forms...))
}

// whole returns a limit rounded to an integer. It returns nil if there is none, or it is too large for exact
// arithmetic.
func whole(b *float64, round func(float64) float64) *int64 {
	if b == nil || math.Abs(*b) >= 1<<53 {
		return nil
	}
	return new(int64(round(*b)))
}

// magnitude returns the expression of the integers from the minimum from to the maximum to, without leading zeros. It
// returns "" if to is less than from. A negative to permits all integers of up to 19 digits.
func magnitude(from, to int64) string {
	var forms []string
	low := strconv.FormatInt(from, 10)
	if to < 0 {
		nines := strings.Repeat("9", len(low))
		forms = append(forms, sameLength(low, nines)...)
		return oneOf(append(forms, "[1-9] [0-9]{"+strconv.Itoa(len(low))+","+strconv.Itoa(max(18, len(low)))+"}")...)
	}
	if to < from {
		return ""
	}
	high := strconv.FormatInt(to, 10)
	for length := len(low); length <= len(high); length++ {
		first, last := "1"+strings.Repeat("0", length-1), strings.Repeat("9", length)
		if length == len(low) {
			first = low
		}
		if length == len(high) {
			last = high
		}
		forms = append(forms, sameLength(first, last)...)
	}
	return oneOf(forms...)
}

// sameLength returns alternatives for the digit strings from low to high, both included, which have the same length.
func sameLength(low, high string) []string {
	if low == "" {
		return []string{""}
	}
	if isRun(low, '0') && isRun(high, '9') {
		return []string{digits(len(low))}
	}
	a, b := low[0], high[0]
	if a == b {
		return prefixEach(literal(low[:1]), sameLength(low[1:], high[1:]))
	}
	var out []string
	rest := len(low) - 1
	if !isRun(low[1:], '0') {
		out = append(out, prefixEach(literal(low[:1]), sameLength(low[1:], strings.Repeat("9", rest)))...)
		a++
	}
	top := b
	if !isRun(high[1:], '9') {
		top--
	}
	if a <= top {
		out = append(out, sequence(class(false, span{rune(a), rune(top)}), digits(rest)))
	}
	if top < b {
		out = append(out, prefixEach(literal(high[:1]), sameLength(strings.Repeat("0", rest), high[1:]))...)
	}
	return out
}

func digits(n int) string {
	switch n {
	case 0:
		return ""
	case 1:
		return "[0-9]"
	}
	return "[0-9]{" + strconv.Itoa(n) + "}"
}

func isRun(text string, digit byte) bool { return strings.Trim(text, string(digit)) == "" }

// prefixEach adds an expression before each alternative.
func prefixEach(expression string, alternatives []string) []string {
	out := make([]string, len(alternatives))
	for i, a := range alternatives {
		out[i] = sequence(expression, a)
	}
	return out
}
