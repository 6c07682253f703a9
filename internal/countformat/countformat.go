// Package countformat encodes and decodes counts in the values of facts: non-negative numbers, and the day of their
// last change.
package countformat

import (
	"math"
	"strconv"
	"strings"
)

// maxNumber is the maximum count, so that sums are exact in float64.
const maxNumber = 1 << 40

// Number formats a count with at most two decimal places.
func Number(x float64) string { return strconv.FormatFloat(math.Round(x*100)/100, 'f', -1, 64) }

// ParseNumber sets *x to the count in s. It returns false if s is not a number of digits and "." or exceeds maxNumber.
func ParseNumber(x *float64, s string) bool {
	if s == "" || strings.Trim(s, "0123456789.") != "" {
		return false
	}
	v, err := strconv.ParseFloat(s, 64)
	*x = v
	return err == nil && v <= maxNumber
}

// CutDay splits COUNTS@DAY. day is the number of days since 1970-01-01, or 0 if s has no "@". ok is false if the day is
// not a positive number.
func CutDay(s string) (counts string, day int, ok bool) {
	counts, text, dated := strings.Cut(s, "@")
	if !dated {
		return counts, 0, true
	}
	n, err := strconv.Atoi(text)
	return counts, n, err == nil && n > 0 && n <= maxNumber
}
