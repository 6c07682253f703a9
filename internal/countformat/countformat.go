// Package countformat writes and reads the counts in the values of facts: numbers that are not negative, with the day
// on which they were changed last.
package countformat

import (
	"math"
	"strconv"
	"strings"
)

// maxNumber bounds numbers, so that sums of them stay exact.
const maxNumber = 1 << 40

// Number writes a count, with at most two digits behind its point.
func Number(x float64) string { return strconv.FormatFloat(math.Round(x*100)/100, 'f', -1, 64) }

// ParseNumber reads a count that is written in digits.
func ParseNumber(x *float64, s string) bool {
	if s == "" || strings.Trim(s, "0123456789.") != "" {
		return false
	}
	v, err := strconv.ParseFloat(s, 64)
	*x = v
	return err == nil && v <= maxNumber
}

// CutDay splits "COUNTS@DAY". The day counts from the Unix epoch, 0 where there is none. It is not ok where the day is
// no positive number.
func CutDay(s string) (counts string, day int, ok bool) {
	counts, text, dated := strings.Cut(s, "@")
	if !dated {
		return counts, 0, true
	}
	n, err := strconv.Atoi(text)
	return counts, n, err == nil && n > 0 && n <= maxNumber
}
