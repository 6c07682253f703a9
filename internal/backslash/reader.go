package backslash

import "strings"

// A Reader decides about the backslashes of one string that was never escaped. Work is linear in the text.
type Reader struct {
	text     string // the inside of the string
	quote    byte   // the string's own quote
	language Language
	last     int  // end of the escape before
	kept     bool // it was text
	path     int  // end of the path at hand
	word     span // the name or command at hand
	named    bool // it begins with a letter
	run      span // all up to the next white space or quote
}

// A span is a part of the text up to end.
type span struct {
	end   int
	mixed bool // it has an unknown escape
}

// NewReader reads the inside of a string, up to its closing quote. quote is the string's own.
func NewReader(text string, quote byte, l Language) *Reader {
	return &Reader{text: text, quote: quote, language: l}
}

// IsText reports whether the backslash at text[i] is text and begins no escape. Of two backslashes both are text. It is
// asked about every backslash but the second ones of escapes, from left to right.
func (r *Reader) IsText(i int) bool {
	if i+1 >= len(r.text) {
		return true
	}
	r.enter(i)
	r.kept = r.decide(i, r.text[i+1])
	r.last = i + 2
	return r.kept
}

func (r *Reader) decide(i int, c byte) bool {
	switch c {
	case '"', r.quote:
		return false
	case '\\':
		return r.isServer(i)
	case 'n', 'r', 't':
		return i < r.path || r.inWord(i, c) || r.isCommand(i, c)
	case 'b', 'f':
		return true
	case 'a', 'v':
		return i < r.path || r.language == JSON || isLetter(r.after(i))
	case '/':
		return i < r.path || r.run.mixed
	case 'u':
		if isHex(r.text[i+2:], 4) {
			return false
		}
	}
	return i < r.path || r.run.mixed && r.language == JSON || IsUnknown(r.text, i, r.language)
}

// enter finds the path and the word that the backslash at i stands in.
func (r *Reader) enter(i int) {
	if i >= r.path && (r.afterDrive(i) || r.isServer(i) || r.isEscapedServer(i)) {
		r.path = r.pathEnd(i)
	}
	if i >= r.word.end {
		r.named = i > r.last && isName(r.text[i-1])
		r.word = r.spanAt(i, isName)
	}
	if i >= r.run.end {
		r.run = r.spanAt(i, isSolid)
	}
}

// spanAt is the span of these bytes and escapes that begins with the escape at i. A quote of the string and the end of
// a line end it.
func (r *Reader) spanAt(i int, has func(c byte) bool) span {
	s := span{end: i}
	for s.end < len(r.text) {
		c := r.text[s.end]
		if c != '\\' || s.end+1 == len(r.text) {
			if c == '\\' || !has(c) {
				return s
			}
			s.end++
			continue
		}
		next := r.text[s.end+1]
		if next == '"' || next == r.quote || strings.IndexByte("nrt", next) >= 0 && !isName(r.after(s.end)) {
			s.end = max(s.end, i+2)
			return s
		}
		s.mixed = s.mixed || isName(next) && IsUnknown(r.text, s.end, r.language)
		s.end += 2
	}
	return s
}

// isSolid reports whether a byte is no white space and no quote.
func isSolid(c byte) bool { return c > ' ' && c != '"' && c != '\'' && c != '`' }

// inWord reports whether an escape of white space stands between two letters of a word that has an unknown escape. A
// word that begins with a backslash may be a command before the end of its line, as \hline before \nTotal.
func (r *Reader) inWord(i int, c byte) bool {
	if !r.word.mixed || i == 0 || !isName(r.text[i-1]) || i <= r.last && !r.kept {
		return false
	}
	next := r.after(i)
	return isName(next) && (r.named || c != 'n' || isLower(next))
}

// isCommand reports whether \r or \t begins a command of LaTeX: white space that it stands for is at the beginning or
// the end of a line.
func (r *Reader) isCommand(i int, c byte) bool {
	if !isLower(r.after(i)) {
		return false
	}
	return c == 'r' || c == 't' && i > r.last && strings.IndexByte(" {($^_&=+-[|", r.text[i-1]) >= 0
}

// after is the byte after the escape at i, 0 at the end.
func (r *Reader) after(i int) byte {
	if i+2 >= len(r.text) {
		return 0
	}
	return r.text[i+2]
}

// begins reports whether no word is before text[i].
func (r *Reader) begins(i int) bool {
	return i <= r.last || !isName(r.text[i-1]) && r.text[i-1] != '\\'
}
