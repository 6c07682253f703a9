package jsonx_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/callwright/callwright/internal/jsonx"
)

// TestTexts: a Texts reads as TextOf does, and texts stay as they were when further ones are read.
func TestTexts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var texts jsonx.StringArena
		var got, want []string
		read := func(v []byte) {
			got, want = append(got, texts.Of(v)), append(want, jsonx.TextOf(v))
			got, want = append(got, texts.Copy(v)), append(want, string(v))
			for i := range v {
				v[i] = 'x'
			}
		}
		for range rapid.IntRange(1, 60).Draw(t, "n") {
			switch rapid.IntRange(0, 4).Draw(t, "kind") {
			case 0:
				a, b := rapid.StringN(0, 80, -1).Draw(t, "a"), rapid.StringN(0, 80, -1).Draw(t, "b")
				if len(got) > 0 && rapid.Bool().Draw(t, "goes on") {
					a = got[len(got)-1]
					a = a[len(a)-min(len(a), rapid.IntRange(0, 600).Draw(t, "tail")):]
				}
				got, want = append(got, texts.Join(a, b)), append(want, strings.Clone(a)+b)
			case 1:
				read([]byte(rapid.SampledFrom([]string{"", "null", "7", `"`, `""`, ` "a" `, `"a`, `"\u00e9\ud83d\ude00\n"`, `"\\"`, `["a"]`}).Draw(t, "odd")))
			default:
				text := rapid.StringN(0, 80, -1).Draw(t, "text")
				read(jsonx.AppendQuote(nil, text))
			}
		}
		if a, b := strings.Join(got, "|"), strings.Join(want, "|"); a != b {
			t.Fatalf("got %q, want %q", a, b)
		}
	})
}

func TestTextsAllocate(t *testing.T) {
	var texts jsonx.StringArena
	v := []byte(`"some words"`)
	if n := testing.AllocsPerRun(100, func() {
		for range 20 {
			texts.Of(v)
		}
	}); n > 1 {
		t.Errorf("%v allocations for 20 texts", n)
	}
}
