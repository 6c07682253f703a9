package jsonx

import (
	"bytes"
	"strconv"
)

// decimal is a parsed number: 0.WHOLEFRACTION * 10^(point + exponent). The first and the last digit are not zero. Zero
// has no digits.
type decimal struct {
	negative        bool
	whole, fraction []byte
	point           int
	exponent        []byte // digits without leading zeros
	small           bool   // whether the exponent is negative
}

func newDecimal(v []byte) decimal {
	var d decimal
	v, d.negative = bytes.CutPrefix(v, []byte("-"))
	if e := bytes.IndexAny(v, "eE"); e >= 0 {
		d.exponent, d.small = bytes.CutPrefix(v[e+1:], []byte("-"))
		d.exponent = trimZeros(bytes.TrimPrefix(d.exponent, []byte("+")))
		v = v[:e]
	}
	d.whole, d.fraction, _ = bytes.Cut(v, []byte("."))
	d.whole = trimZeros(d.whole)
	d.point = len(d.whole)
	d.fraction = bytes.TrimRight(d.fraction, "0")
	if d.point == 0 {
		digits := trimZeros(d.fraction)
		d.point = len(digits) - len(d.fraction)
		d.fraction = digits
	}
	if len(d.fraction) == 0 {
		d.whole = bytes.TrimRight(d.whole, "0")
	}
	return d
}

func trimZeros(digits []byte) []byte { return bytes.TrimLeft(digits, "0") }

// sameNumber reports whether two JSON numbers have the same value, exactly.
func sameNumber(a, b []byte) bool {
	x, y := newDecimal(a), newDecimal(b)
	n := len(x.whole) + len(x.fraction)
	if n != len(y.whole)+len(y.fraction) {
		return false
	}
	if n == 0 {
		return true // zero has no sign and no exponent
	}
	if x.negative != y.negative {
		return false
	}
	for i := range n {
		if x.digit(i) != y.digit(i) {
			return false
		}
	}
	var xs, ys [24]byte
	return bytes.Equal(x.power(xs[:0]), y.power(ys[:0]))
}

func (d *decimal) digit(i int) byte {
	if i < len(d.whole) {
		return d.whole[i]
	}
	return d.fraction[i-len(d.whole)]
}

// power appends the exponent in canonical form. It adds exponents of any length digit by digit.
func (d *decimal) power(dst []byte) []byte {
	const safe = 18 // digits that fit into an int64 with any point added
	if len(d.exponent) <= safe {
		e, _ := strconv.ParseInt(string(d.exponent), 10, 64) // an empty exponent is zero
		if d.small {
			e = -e
		}
		return strconv.AppendInt(dst, e+int64(d.point), 10)
	}
	carry := d.point
	if d.small {
		dst = append(dst, '-')
		carry = -carry
	}
	sum := append([]byte{'0'}, d.exponent...)
	for i := len(sum) - 1; i >= 0 && carry != 0; i-- {
		carry += int(sum[i] - '0')
		digit := (carry%10 + 10) % 10
		sum[i] = byte(digit) + '0'
		carry = (carry - digit) / 10
	}
	return append(dst, trimZeros(sum)...)
}
