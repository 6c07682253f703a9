package literal_test

import (
	"testing"

	"github.com/callwright/callwright/dialect/internal/literal"
)

func TestList(t *testing.T) {
	for text, want := range map[string]string{
		`[dusk, dawn]`:         `["dusk","dawn"]`,
		` ['a, b', New York] `: `["a, b","New York"]`,
		`[1, 2*3, 4/2]`:        `[1,6,2]`,
		`[True, None, x]`:      `[true,null,"x"]`,
		`[]`:                   "",
		`[n+1]`:                "",
		`[a, , b]`:             "",
		`dusk, dawn`:           "",
		`['a' 'b]`:             "",
	} {
		if got, _, ok := literal.List(text); got != want || ok != (want != "") {
			t.Errorf("%s: %s %t", text, got, ok)
		}
	}
}
