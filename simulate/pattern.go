package simulate

import (
	"regexp"
	"regexp/syntax"
	"strings"
	"unicode/utf8"
)

// maxPattern is the length in bytes above which a generated text is not extended.
const maxPattern = 4096

// matching returns a text that matches a JSON Schema pattern. least and most limit the number of characters; -1 as most
// means no limit. ok is false if no text was found, such as for assertions that Go's regexp does not support.
func matching(pattern string, least, most int) (string, bool) {
	tree, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return "", false
	}
	check, err := regexp.Compile(pattern)
	if err != nil {
		return "", false
	}
	for _, repeats := range []int{0, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 128, 256} {
		for arm := range 3 {
			m := patternMaker{repeats: repeats, arm: arm}
			m.write(tree)
			text := m.out.String()
			for !strings.HasSuffix(pattern, "$") && utf8.RuneCountInString(text) < min(least, maxPattern) {
				text += "a"
			}
			if n := utf8.RuneCountInString(text); n >= least && (most < 0 || n <= most) && (n > 0 || most == 0) && check.MatchString(text) {
				return text, true
			}
		}
	}
	return "", false
}

// A patternMaker generates a text for a regular expression. It writes open repetitions repeats times, and takes the
// alternative with the index arm.
type patternMaker struct {
	repeats int
	arm     int
	out     strings.Builder
}

func (m *patternMaker) write(r *syntax.Regexp) {
	if m.out.Len() > maxPattern {
		return
	}
	switch r.Op {
	case syntax.OpLiteral:
		for _, c := range r.Rune {
			m.out.WriteRune(c)
		}
	case syntax.OpCharClass:
		m.out.WriteRune(likelyRune(r.Rune))
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		m.out.WriteByte('a')
	case syntax.OpCapture, syntax.OpConcat:
		for _, s := range r.Sub {
			m.write(s)
		}
	case syntax.OpAlternate:
		m.write(r.Sub[min(m.arm, len(r.Sub)-1)])
	case syntax.OpStar:
		m.times(r, m.repeats)
	case syntax.OpPlus:
		m.times(r, max(1, m.repeats))
	case syntax.OpQuest:
		m.times(r, min(1, m.repeats))
	case syntax.OpRepeat:
		n := max(r.Min, m.repeats)
		if r.Max >= 0 {
			n = min(n, r.Max)
		}
		m.times(r, n)
	}
}

func (m *patternMaker) times(r *syntax.Regexp, n int) {
	for range n {
		m.write(r.Sub[0])
	}
}

// likelyRune returns a character of a class, preferably a letter or digit. class contains pairs of bounds.
func likelyRune(class []rune) rune {
	for _, want := range "aA1b2x-_ ." {
		for i := 0; i+1 < len(class); i += 2 {
			if class[i] <= want && want <= class[i+1] {
				return want
			}
		}
	}
	if len(class) == 0 {
		return 'a'
	}
	return class[0]
}
