package citation

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"
)

// Places in bytes and in characters are told from each other however the words came, whatever was asked before.
func TestWords(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	letters := []rune("ab é☃😀")
	for range 300 {
		var w words
		var said strings.Builder
		for range 1 + r.IntN(8) {
			var piece strings.Builder
			for range r.IntN(300) {
				piece.WriteRune(letters[r.IntN(len(letters))])
			}
			w.add(piece.String())
			said.WriteString(piece.String())
			text := said.String()
			if w.total() != utf8.RuneCountInString(text) {
				t.Fatalf("expected %d characters, got %d", utf8.RuneCountInString(text), w.total())
			}
			char := 0
			for at := range text {
				if w.before(at) != char || w.at(char) != at {
					t.Fatalf("expected character %d at byte %d, got %d at %d", char, at, w.before(at), w.at(char))
				}
				char++
			}
			if w.at(char) != len(text) || w.at(char+5) != len(text) || w.before(len(text)+5) != char {
				t.Fatalf("behind the end: %d, %d", w.at(char), w.before(len(text)+5))
			}
		}
	}
}
