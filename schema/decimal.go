package schema

import (
	"bytes"
	"math"
	"math/big"
	"strconv"
)

// A decimal is the exact value of a JSON number: digits × 10^exp, where digits has no leading or trailing zeros. The
// zero value is 0.
type decimal struct {
	neg    bool
	digits []byte
	exp    int
}

// parseDecimal parses a valid JSON number. Huge exponents are limited to ±maxExponent.
func parseDecimal(text []byte) decimal {
	var d decimal
	if len(text) > 0 && text[0] == '-' {
		d.neg = true
		text = text[1:]
	}
	mantissa := text
	if at := bytes.IndexAny(text, "eE"); at >= 0 {
		mantissa = text[:at]
		d.exp = saturate(text[at+1:])
	}
	if dot := bytes.IndexByte(mantissa, '.'); dot >= 0 {
		d.exp -= len(mantissa) - dot - 1
		whole := make([]byte, 0, len(mantissa))
		mantissa = append(append(whole, mantissa[:dot]...), mantissa[dot+1:]...)
	}
	d.digits = bytes.TrimLeft(mantissa, "0")
	n := len(d.digits)
	d.digits = bytes.TrimRight(d.digits, "0")
	d.exp += n - len(d.digits)
	return d
}

// maxExponent is the limit of exponents. It is small enough to avoid overflow.
const maxExponent = math.MaxInt / 4

func saturate(exp []byte) int {
	e, err := strconv.Atoi(string(exp))
	switch {
	case err != nil && exp[0] == '-' || e < -maxExponent:
		return -maxExponent
	case err != nil || e > maxExponent:
		return maxExponent
	}
	return e
}

func (d decimal) zero() bool     { return len(d.digits) == 0 }
func (d decimal) integral() bool { return d.zero() || d.exp >= 0 }

// compare returns -1, 0 or 1 if d is less than, equal to or greater than e.
func (d decimal) compare(e decimal) int {
	ds, es := d.sign(), e.sign()
	if ds != es {
		return sign(ds - es)
	}
	if ds == 0 {
		return 0
	}
	// compare the positions of the first digits, then the digits
	if c := (d.exp + len(d.digits)) - (e.exp + len(e.digits)); c != 0 {
		return ds * sign(c)
	}
	return ds * bytes.Compare(d.digits, e.digits)
}

func (d decimal) sign() int {
	switch {
	case d.zero():
		return 0
	case d.neg:
		return -1
	}
	return 1
}

func sign(n int) int {
	switch {
	case n < 0:
		return -1
	case n > 0:
		return 1
	}
	return 0
}

// multipleOf reports whether d is an integer multiple of m, which is positive. The time depends on the number of
// digits, not on the exponents.
func (d decimal) multipleOf(m decimal) bool {
	if d.zero() {
		return true
	}
	// For a negative shift, d.digits would have to end in zeros, which are always removed.
	shift := d.exp - m.exp
	if shift < 0 {
		return false
	}
	by, _ := new(big.Int).SetString(string(m.digits), 10)
	rest := new(big.Int)
	for digits := d.digits; len(digits) > 0; {
		n := min(len(digits), 18)
		part, _ := strconv.ParseInt(string(digits[:n]), 10, 64)
		rest.Mul(rest, new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil))
		rest.Mod(rest.Add(rest, big.NewInt(part)), by)
		digits = digits[n:]
	}
	power := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(shift)), by)
	return rest.Mul(rest, power).Mod(rest, by).Sign() == 0
}

// clampInt returns a non-negative integer as text, at most 2^53.
func (d decimal) clampInt() string {
	if d.zero() {
		return "0"
	}
	const most = 1 << 53
	if len(d.digits)+d.exp > 16 {
		return strconv.Itoa(most)
	}
	n, _ := strconv.Atoi(string(d.digits) + string(bytes.Repeat([]byte{'0'}, d.exp)))
	return strconv.Itoa(min(n, most))
}

// smallInt parses an integer of at most 18 digits without allocation. ok is false for other numbers.
func smallInt(text []byte) (n int64, ok bool) {
	i := 0
	if len(text) > 0 && text[0] == '-' {
		i = 1
	}
	if len(text)-i > 18 {
		return 0, false
	}
	for _, c := range text[i:] {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = n*10 + int64(c-'0')
	}
	if i == 1 {
		n = -n
	}
	return n, true
}

// A bound is the number of a keyword such as minimum, as text, decimal and, if possible, int64.
type bound struct {
	text  string
	exact decimal
	small int64
	fits  bool // small is valid
}

func newBound(text string) *bound {
	b := &bound{text: text, exact: parseDecimal([]byte(text))}
	b.small, b.fits = smallInt([]byte(text))
	return b
}

// compare returns -1, 0 or 1 if the JSON number v is less than, equal to or greater than b.
func (b *bound) compare(v []byte) int {
	if n, ok := smallInt(v); ok && b.fits {
		switch {
		case n < b.small:
			return -1
		case n > b.small:
			return 1
		}
		return 0
	}
	return parseDecimal(v).compare(b.exact)
}

// divides reports whether the JSON number v is an integer multiple of b.
func (b *bound) divides(v []byte) bool {
	if n, ok := smallInt(v); ok && b.fits && b.small > 0 {
		return n%b.small == 0
	}
	return parseDecimal(v).multipleOf(b.exact)
}

// isIntegral reports whether a JSON number is an integer in value, such as 3, 3.0 or 30e-1.
func isIntegral(v []byte) bool {
	if !bytes.ContainsAny(v, ".eE") {
		return true
	}
	return parseDecimal(v).integral()
}
