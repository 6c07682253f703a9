package kit_test

import (
	"strconv"
	"testing"

	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/internal/kit"
)

func TestNamesThatStandTwice(t *testing.T) {
	for name, c := range map[string]struct {
		keys []string
		want int // the first that stands there twice
	}{
		"none":       {[]string{`"a"`, `"b"`, `"A"`, `""`}, -1},
		"plain":      {[]string{`"a"`, `"b"`, `"a"`}, 2},
		"spelled":    {[]string{`"model"`, `"mod\u0065l"`}, 1},
		"empty":      {[]string{`""`, `""`}, 1},
		"a quote":    {[]string{`"\""`, `""`, `"\u0022"`}, 2},
		"among many": {append(numbered(100), `"7"`), 100},
		"late":       {append(numbered(100), `"99"`), 100},
	} {
		t.Run(name, func(t *testing.T) {
			var names kit.Names
			got := -1
			for i, k := range c.keys {
				if names.Twice(jsonx.Key(k)) && got < 0 {
					got = i
				}
			}
			if got != c.want {
				t.Errorf("expected %d, got %d", c.want, got)
			}
		})
	}
}

func numbered(n int) []string {
	var out []string
	for i := range n {
		out = append(out, strconv.Quote(strconv.Itoa(i)))
	}
	return out
}
