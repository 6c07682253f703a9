package humane_test

import (
	"math"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/callwright/callwright/internal/dashboard/internal/humane"
	"pgregory.net/rapid"
)

func TestWrite(t *testing.T) {
	for _, tt := range []struct{ got, want string }{
		{humane.Short(0), "0"}, {humane.Short(999), "999"}, {humane.Short(1000), "1 k"}, {humane.Short(12345), "12.3 k"}, {humane.Short(999499), "999 k"}, {humane.Short(999999), "1 M"},
		{humane.Short(4567890), "4.57 M"}, {humane.Short(2e9), "2 G"},
		{humane.USD(0), "$0"}, {humane.USD(0.0031), "$0.0031"}, {humane.USD(0.00312), "$0.0031"}, {humane.USD(0.0000012), "$0.0000012"}, {humane.USD(1e-9), "<$0.000001"}, {humane.USD(0.01), "$0.01"},
		{humane.USD(0.5), "$0.50"}, {humane.USD(12.345), "$12.35"}, {humane.USD(12345), "$12\u202f345"},
		{humane.Took(0), "0"}, {humane.Took(15 * time.Microsecond), "15 µs"}, {humane.Took(240 * time.Millisecond), "240 ms"}, {humane.Took(1234 * time.Millisecond), "1.23 s"},
		{humane.Took(59900 * time.Millisecond), "59.9 s"}, {humane.Took(59990 * time.Millisecond), "1 min"}, {humane.Took(125 * time.Second), "2 min 5 s"}, {humane.Took(200 * time.Minute), "3 h 20 min"},
		{humane.Percent(1, 0), "–"}, {humane.Percent(1, 3), "33.3 %"}, {humane.Percent(1, 2), "50 %"}, {humane.Percent(9999, 10000), "99.9 %"}, {humane.Percent(1, 10000), "0.1 %"}, {humane.Percent(7, 7), "100 %"},
		{humane.Number("1234567"), "1\u202f234\u202f567"}, {humane.Number("-123"), "-123"}, {humane.Plural(1, "model", "models"), "1 model"}, {humane.Plural(1200, "model", "models"), "1\u202f200 models"},
	} {
		if tt.got != tt.want {
			t.Errorf("got %q, want %q", tt.got, tt.want)
		}
	}
}

// No amount that is more than nothing looks like nothing, and none has more than three digits that say something.
func TestNoZeros(t *testing.T) {
	digit := regexp.MustCompile("[1-9]")
	rapid.Check(t, func(t *rapid.T) {
		v := math.Pow(10, rapid.Float64Range(-12, 9).Draw(t, "power"))
		for _, text := range []string{humane.USD(v), humane.Took(time.Duration(v * 1e6)), humane.Short(int(v) + 1), humane.Percent(1, int(v)+1)} {
			if text != "0" && !digit.MatchString(text) {
				t.Errorf("%g is written %q", v, text)
			}
		}
		for _, text := range []string{humane.Took(time.Duration(v)), humane.Short(int(v))} {
			first, _, _ := strings.Cut(text, " ")
			if n := len(strings.Trim(strings.ReplaceAll(first, ".", ""), "0")); n > 3 && !strings.Contains(text, "h") {
				t.Errorf("%g is written %q", v, text)
			}
		}
	})
}
