package paint

import (
	"unicode"
	"unicode/utf8"
)

// CutLeft removes the start of a text so that it fits into width columns of a terminal.
func CutLeft(s string, width int) string {
	over := Columns(s) - width
	if over <= 0 {
		return s
	}
	for over++; over > 0 && s != ""; {
		r, n := utf8.DecodeRuneInString(s)
		over -= columnsOf(r)
		s = s[n:]
	}
	return "…" + s
}

// CutRight removes the end of a text so that it fits into width columns of a terminal.
func CutRight(s string, width int) string {
	over := Columns(s) - width
	if over <= 0 {
		return s
	}
	for over++; over > 0 && s != ""; {
		r, n := utf8.DecodeLastRuneInString(s)
		over -= columnsOf(r)
		s = s[:len(s)-n]
	}
	return s + "…"
}

// Columns returns the width of a text on a terminal in columns.
func Columns(s string) int {
	n := 0
	for _, r := range s {
		n += columnsOf(r)
	}
	return n
}

func columnsOf(r rune) int {
	switch {
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		return 0
	case unicode.In(r, unicode.Han, unicode.Hangul, unicode.Hiragana, unicode.Katakana), 0xFF00 <= r &&
		r <= 0xFF60, 0x1F300 <= r && r <= 0x1FAFF:
		return 2
	}
	return 1
}

// Apart shortens the common start of two texts if one is wider than width columns, so that their difference is visible.
func Apart(a, b string, width int) (string, string) {
	if Columns(a) <= width && Columns(b) <= width {
		return a, b
	}
	const before = 12 // number of common characters to keep
	shared := 0
	var ends []int // end offsets of the common characters
	for shared < min(len(a), len(b)) {
		r, n := utf8.DecodeRuneInString(a[shared:])
		if q, m := utf8.DecodeRuneInString(b[shared:]); r != q || n != m {
			break
		}
		shared += n
		ends = append(ends, shared)
	}
	if len(ends) <= before {
		return a, b
	}
	from := ends[len(ends)-before-1]
	return "…" + a[from:], "…" + b[from:]
}
