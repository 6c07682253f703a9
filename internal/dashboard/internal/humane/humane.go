// Package humane formats numbers, amounts and times for display, with two or three digits and a unit.
package humane

import (
	"fmt"
	"math"
	"strconv"
	"time"
)

// thin is the space between groups of digits and before units.
const thin = "\u202f"

// Number formats a decimal integer with spaces between groups of three digits.
func Number(s string) string {
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + thin + s[i:]
	}
	return s
}

// scales are the units of large counts.
var scales = []struct {
	from float64
	unit string
}{{1e9, "G"}, {1e6, "M"}, {1e3, "k"}}

// Short formats a count with up to three digits: "999", "12.3 k", "4.56 M".
func Short(n int) string {
	v := float64(n)
	for i, s := range scales {
		if math.Abs(v) < s.from && (i == len(scales)-1 || digits(v/scales[i+1].from) != "1000") {
			continue
		}
		return digits(v/s.from) + " " + s.unit
	}
	return strconv.Itoa(n)
}

// digits formats a number with up to three digits, without trailing zeros after the point.
func digits(v float64) string {
	decimals := 0
	switch a := math.Abs(v); {
	case a < 9.995:
		decimals = 2
	case a < 99.95:
		decimals = 1
	}
	text := strconv.FormatFloat(v, 'f', decimals, 64)
	v, _ = strconv.ParseFloat(text, 64)
	return strconv.FormatFloat(v, 'f', -1, 64)
}

// USD formats an amount of US dollars: with cents from one cent, otherwise with two significant digits. Amounts below
// $0.000001 are "<$0.000001", and 0 is "$0".
func USD(v float64) string {
	switch a := math.Abs(v); {
	case v == 0:
		return "$0"
	case a < 0.000001:
		return "<$0.000001"
	case a < 0.00995:
		decimals := 1 - int(math.Floor(math.Log10(a)))
		return "$" + strconv.FormatFloat(v, 'f', decimals, 64)
	case a < 1000:
		return "$" + strconv.FormatFloat(v, 'f', 2, 64)
	}
	return "$" + Number(strconv.FormatFloat(v, 'f', 0, 64))
}

// Took formats a duration with up to three digits: "<1 µs", "15 µs", "240 ms", "1.23 s", "2 min 5 s", "3 h 20 min".
func Took(d time.Duration) string {
	switch v := float64(d); {
	case d == 0:
		return "0"
	case v < 1e3:
		return "<1 µs"
	case v < 999.5*1e3:
		return digits(v/1e3) + " µs"
	case v < 999.5*1e6:
		return digits(v/1e6) + " ms"
	case v < 59.95*1e9:
		return digits(v/1e9) + " s"
	}
	if d < time.Hour-time.Second/2 {
		d = d.Round(time.Second)
		return pair(int(d/time.Minute), "min", int(d%time.Minute/time.Second), "s")
	}
	d = d.Round(time.Minute)
	return pair(int(d/time.Hour), "h", int(d%time.Hour/time.Minute), "min")
}

func pair(n int, unit string, m int, smaller string) string {
	if m == 0 {
		return fmt.Sprintf("%d %s", n, unit)
	}
	return fmt.Sprintf("%d %s %d %s", n, unit, m, smaller)
}

// Percent formats the share of n things among of things in percent, with at most one decimal. If of is 0, it returns
// "–". It returns "100 %" only if n equals of, and "0 %" only if n is 0.
func Percent(n, of int) string {
	if of == 0 {
		return "–"
	}
	v := math.Round(1000*float64(n)/float64(of)) / 10
	switch {
	case v == 100 && n < of:
		v = 99.9
	case v == 0 && n > 0:
		v = 0.1
	}
	return strconv.FormatFloat(v, 'f', -1, 64) + " %"
}

// Ago formats how long before or after now a time is, such as "5 min ago" or "in 2 h". The zero time is "never".
func Ago(now, t time.Time) string {
	if t.IsZero() {
		return "never"
	}
	d, form := now.Sub(t), "%d %s ago"
	if d < 0 {
		d, form = -d, "in %d %s"
	}
	switch {
	case d < time.Minute:
		return fmt.Sprintf(form, int(d/time.Second), "s")
	case d < time.Hour:
		return fmt.Sprintf(form, int(d/time.Minute), "min")
	case d < 48*time.Hour:
		return fmt.Sprintf(form, int(d/time.Hour), "h")
	}
	return fmt.Sprintf(form, int(d/(24*time.Hour)), "days")
}

// Plural formats a count with the singular or plural form of a noun.
func Plural(n any, one, many string) string {
	if text := fmt.Sprint(n); text != "1" {
		return Number(text) + " " + many
	}
	return "1 " + one
}
