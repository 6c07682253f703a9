package chars

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestNextOpen(t *testing.T) {
	byByte := func(t string, i int) int {
		for i < len(t) && !strings.ContainsRune("<[]{(`~&", rune(t[i])) {
			i++
		}
		return i
	}
	for c := range 256 {
		text := strings.Repeat("a", 11) + string([]byte{byte(c)}) + strings.Repeat("~", 9)
		for i := range len(text) + 1 {
			if got, want := NextOpen(text, i), byByte(text, i); got != want {
				t.Fatalf("%q from %d: got %d, want %d", text, i, got, want)
			}
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		text := string(rapid.SliceOfN(rapid.Byte(), 0, 64).Draw(t, "text"))
		i := rapid.IntRange(0, len(text)).Draw(t, "i")
		if got, want := NextOpen(text, i), byByte(text, i); got != want {
			t.Fatalf("%q from %d: got %d, want %d", text, i, got, want)
		}
	})
}

func TestLineStart(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := string(rapid.SliceOfN(rapid.SampledFrom([]byte("\n\n\x8a\v\t ab\xff")), 0, 64).Draw(t, "text"))
		if got, want := LineStart(text), strings.LastIndexByte(text, '\n')+1; got != want {
			t.Fatalf("%q: got %d, want %d", text, got, want)
		}
	})
}

func BenchmarkNextOpen(b *testing.B) {
	text := strings.Repeat("The quick brown fox jumps over the lazy dog, and nobody minds it much. ", 1000)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if NextOpen(text, 0) != len(text) {
			b.Fatal("found something")
		}
	}
}
