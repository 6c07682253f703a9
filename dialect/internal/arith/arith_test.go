package arith_test

import (
	"strings"
	"testing"

	"github.com/callwright/callwright/dialect/internal/arith"
)

// Constants are computed exactly, or not at all.
func TestEval(t *testing.T) {
	for text, want := range map[string]string{
		"7/100": "0.07", "2*3.5": "7", "1 + 2 * 3": "7", "(1+2)*3": "9", "-3*2": "-6", "9007199254740993*10": "90071992547409930", "0.1+0.2": "0.3", "2*-3": "-6", "1/8": "0.125",
		"1/3": "", "1/0": "", "7": "", "-7": "", "2**3": "", "7//2": "", "2*": "", "(2*3": "", "x*2": "", "": "", "1e9*2": "", "1 2": "", "1..2*3": "",
		strings.Repeat("9*", 40) + "9": "", strings.Repeat("(", 20) + "1*1" + strings.Repeat(")", 20): "",
	} {
		if got, ok := arith.Eval(text); got != want || ok != (want != "") {
			t.Errorf("%s: %q %t, want %q", text, got, ok, want)
		}
	}
}
