package chars_test

import (
	"strings"
	"testing"

	"github.com/callwright/callwright/dialect/internal/chars"
)

// Each class of bytes holds what it says, and the wider ones hold the narrower.
func TestClasses(t *testing.T) {
	for i := range 256 {
		c := byte(i)
		letter := 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
		if chars.IsLetter(c) != letter || chars.IsUpper(c) != (letter && c < 'a') || chars.IsLower(c) != (letter && c >= 'a') {
			t.Errorf("%q: letter %t", c, chars.IsLetter(c))
		}
		if chars.IsSpace(c) != (strings.IndexByte(" \n\t\r\x00", c) >= 0) || chars.IsASCII(string([]byte{c})) != (c < 0x80) {
			t.Errorf("%q: space %t", c, chars.IsSpace(c))
		}
		if letter && (!chars.IsNameByte(c) || !chars.IsTagByte(c) || !chars.IsWordByte(c)) || chars.IsNameByte(c) && !chars.IsHeadByte(c) || chars.IsJoint(c) && !chars.IsNameByte(c) {
			t.Errorf("%q: a class lacks it", c)
		}
		if strings.IndexByte(" \n<>\"'(){}[]=,", c) >= 0 && (chars.IsNameByte(c) || chars.IsTagByte(c) || chars.IsWordByte(c)) {
			t.Errorf("%q belongs to a name, a tag or a word", c)
		}
	}
}

// A bar is one in every spelling, and may be one where it is cut.
func TestBarAt(t *testing.T) {
	for text, want := range map[string]int{"|": 1, "｜x": 3, "‖": 3, " |": 2, " ｜": 4, "x": 0, " x": 0, "": 0, " ": -1, "\xef\xbd": -1, " \xe2": -1, "é": 0} {
		if got := chars.BarAt(text, 0); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
}

// Names and white space end where they do, and within their bounds.
func TestEnds(t *testing.T) {
	for _, c := range []struct {
		text        string
		word, space int
	}{{"", 0, 0}, {"ab c", 2, 0}, {"  x", 0, 2}, {"a.b:c/d-e_f(", 11, 0}, {strings.Repeat("a", 999), chars.MaxName, 0}, {strings.Repeat("\n", 999), 0, chars.MaxBlank}} {
		if word, space := chars.WordEnd(c.text, 0), chars.SpaceEnd(c.text, 0); word != c.word || space != c.space {
			t.Errorf("%.20q: a word to %d, white space to %d, want %d and %d", c.text, word, space, c.word, c.space)
		}
	}
}
