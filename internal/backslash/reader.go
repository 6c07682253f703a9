package backslash

import "strings"

// A Reader decides for each backslash in one unescaped string whether it is text or begins an escape. Its total work is
// linear in the length of the string.
type Reader struct {
	text     string // content of the string, without quotes
	quote    byte   // quote character of the string
	language Language
	last     int  // offset of the end of the previous escape
	kept     bool // the previous backslash was text
	path     int  // offset of the end of the current path
	word     span // current name or command
	named    bool // word begins with a name character before its first backslash
	run      span // current run of characters without white space and quotes
}

// A span is a range of the text. Its start is the current position.
type span struct {
	end   int
	mixed bool // contains an invalid escape
}

// NewReader returns a Reader for the content of a string, without its quotes. quote is the quote character of the
// string.
func NewReader(text string, quote byte, l Language) *Reader {
	return &Reader{text: text, quote: quote, language: l}
}

// IsText reports whether the backslash at text[i] is text. If it returns false, the backslash begins an escape. If it
// is true for the first of two adjacent backslashes, it also holds for the second. The caller must call IsText for each
// backslash from left to right, except for the second byte of an escape.
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

// enter updates the current path and word for the backslash at i.
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

// spanAt returns the span from the escape at i over all escapes and the bytes that the function has accepts. It ends at
// the quote of the string or at an escaped line break.
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

// isSolid reports whether c is neither white space nor a quote.
func isSolid(c byte) bool { return c > ' ' && c != '"' && c != '\'' && c != '`' }

// inWord reports whether the escape \n, \r or \t at i is between two letters of a word with an invalid escape, as in
// src\data\new. A word that begins with a backslash may be a LaTeX command at the end of a line: in \hline\nTotal, \n
// is a line break.
func (r *Reader) inWord(i int, c byte) bool {
	if !r.word.mixed || i == 0 || !isName(r.text[i-1]) || i <= r.last && !r.kept {
		return false
	}
	next := r.after(i)
	return isName(next) && (r.named || c != 'n' || isLower(next))
}

// isCommand reports whether \r or \t at i probably begins a LaTeX command such as \rho or \times. As white space, \r
// and \t occur mostly at the beginning or end of a line.
func (r *Reader) isCommand(i int, c byte) bool {
	if !isLower(r.after(i)) {
		return false
	}
	return c == 'r' || c == 't' && i > r.last && strings.IndexByte(" {($^_&=+-[|", r.text[i-1]) >= 0
}

// after returns the byte after the escape at i, or 0 at the end of the text.
func (r *Reader) after(i int) byte {
	if i+2 >= len(r.text) {
		return 0
	}
	return r.text[i+2]
}

// begins reports whether the byte before text[i] is not part of a word.
func (r *Reader) begins(i int) bool {
	return i <= r.last || !isName(r.text[i-1]) && r.text[i-1] != '\\'
}
