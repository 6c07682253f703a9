package kit_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/internal/kit"
)

// The end of a value is the same whether its place is known, as those of long ones are, or it is looked for.
func TestSkip(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for n := range 50 {
		var values []string
		for range random.IntN(60) {
			v := fmt.Sprintf("%q", strings.Repeat("x", random.IntN(700)))
			if random.IntN(3) == 0 {
				v = "[" + v + "," + v + "]"
			}
			values = append(values, v)
		}
		x := kit.NewIndex([]byte(`{"a":[` + strings.Join(values, ",") + `]}`))
		var starts []int
		element := leaves(func(o *kit.Object) { starts = append(starts, o.From) })
		err := x.Walk("test", element, func(w *kit.Walk, _ jsonx.Key, at int) int { return w.List(at, walkedPart) })
		if err != nil || len(starts) != len(values) {
			t.Fatalf("%d of %d values: %v", len(starts), len(values), err)
		}
		for i, at := range starts {
			end := x.Skip(at)
			if got := string(x.Raw[at:end]); got != values[i] {
				t.Fatalf("body %d: value %d of %d bytes ends after %d", n, i, len(values[i]), len(got))
			}
			if _, long := x.AsQuoted(x.Raw[at:end]); long != (values[i][0] == '"' && len(values[i]) >= 256) {
				t.Fatalf("body %d: a text of %d bytes is known as long: %v", n, len(values[i]), long)
			}
		}
	}
}
