package grid

import (
	"fmt"
	"strconv"
	"time"
)

// Roughly formats a duration, such as "1 min 5 s".
func Roughly(d time.Duration) string {
	switch d = d.Round(time.Second); {
	case d < time.Minute:
		return fmt.Sprintf("%d s", int(d.Seconds()))
	case d < time.Hour:
		return fmt.Sprintf("%d min %d s", int(d.Minutes()), int(d.Seconds())%60)
	}
	d = d.Round(time.Minute)
	return fmt.Sprintf("%d h %d min", int(d.Hours()), int(d.Minutes())%60)
}

// Thousands formats a number with commas, such as "1,234".
func Thousands(n int) string {
	digits := strconv.Itoa(n)
	sign := ""
	if n < 0 {
		sign, digits = "-", digits[1:]
	}
	for at := len(digits) - 3; at > 0; at -= 3 {
		digits = digits[:at] + "," + digits[at:]
	}
	return sign + digits
}

// FormatCount returns a number with a noun whose plural ends in s, such as "2 trials".
func FormatCount(n int, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return Thousands(n) + " " + thing
}

// Milliseconds formats a time in milliseconds, with one decimal below 10.
func Milliseconds(t float64) string {
	if t < 10 {
		return fmt.Sprintf("%.1f", t)
	}
	return fmt.Sprintf("%.0f", t)
}

// Percentiles formats three percentiles in milliseconds.
func Percentiles(p50, p95, p99 float64) string {
	return fmt.Sprintf("p50 %s ms, p95 %s ms, p99 %s ms", Milliseconds(p50), Milliseconds(p95), Milliseconds(p99))
}

// Percent formats the success rate of n trials. ok is the number of successful trials. The result is "100%" only if all
// trials succeeded, "0%" only if none did, and "–" if n is 0.
func Percent(ok, n int, rate float64) string {
	const least, most = 0.001, 0.999
	switch {
	case n == 0:
		return "–"
	case ok == n:
		return "100%"
	case ok == 0:
		return "0%"
	case rate < least:
		return "<0.1%"
	case rate > most:
		return ">99.9%"
	}
	return PercentOf(rate)
}

// PercentOf formats a share as a percentage with one decimal, such as "12.5%".
func PercentOf(share float64) string { return fmt.Sprintf("%.1f%%", share*100) }
