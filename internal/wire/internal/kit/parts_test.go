package kit_test

import (
	"github.com/callwright/callwright/internal/jsonx"
	"testing"

	"github.com/callwright/callwright/internal/wire/internal/kit"
)

func TestHoldsType(t *testing.T) {
	for list, want := range map[string]bool{
		`[]`:                                 false,
		`[{"type":"image"}]`:                 true,
		`["a", {"x":[1]}, {"type":"image"}]`: true,
		`[{"type":"im\u0061ge"}]`:            true,
		`[{"type":"text","text":"\"type\":\"image\""}]`: false,
		`[{"x":{"type":"image"}}, [{"type":"image"}]]`:  false,
	} {
		raw := []byte(list + " ")
		end, _, holds := kit.HoldsType(jsonx.NewWalker(raw), raw, 0, "image")
		if holds != want || end != len(list) {
			t.Errorf("%s: got %t to %d, want %t to %d", list, holds, end, want, len(list))
		}
	}
}
