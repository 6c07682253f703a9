package kit

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/callwright/callwright/internal/jsonx"
)

func TestMemo(t *testing.T) {
	long := func(n int) string {
		kind := "type"
		if n == 3 {
			kind = "kind"
		}
		return fmt.Sprintf(`[{%q:"function","n":%d},%q]`, kind, n, strings.Repeat("x", memoLeast))
	}
	var m memo
	pass := func(text string) (end int, sound bool) {
		w := jsonx.NewWalker([]byte(text))
		end, untyped := m.pass(w, []byte(text), 1)
		if w.Sound() && untyped != strings.HasPrefix(text, ` [{"kind"`) {
			t.Errorf("%.20s: untyped %v", text, untyped)
		}
		return end, w.Sound()
	}
	for n := range 3 * memoValues {
		for range 2 {
			if end, sound := pass(" " + long(n) + ",1"); end != 1+len(long(n)) || !sound {
				t.Fatalf("value %d ends at %d, sound %v", n, end, sound)
			}
		}
		if known := *m.known.Load(); len(known) > memoValues || !bytes.Equal(known[0].list, []byte(long(n))) {
			t.Errorf("expected value %d first of at most %d, got %d", n, memoValues, len(known))
		}
	}
	before := len(*m.known.Load())
	for _, broken := range []string{long(99)[:memoLeast+2], `"` + strings.Repeat("x", memoLeast), `["` + strings.Repeat("x", memoLeast) + "\"}"} {
		if _, sound := pass(" " + broken); sound {
			t.Errorf("%.20s passes", broken)
		}
	}
	for _, v := range []string{`"` + strings.Repeat("x", memoLeast) + `"`, strings.Repeat("1", memoLeast)} {
		if end, sound := pass(" " + v); !sound || end != 1+len(v) || len(*m.known.Load()) != before {
			t.Errorf("%.20s is kept: it may go on where a known one ends", v)
		}
	}
}
