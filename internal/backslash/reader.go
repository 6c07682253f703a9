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
	word     int  // end of the word at hand
	mixed    bool // that word has an unknown escape
	named    bool // that word begins with a name
}

// NewReader reads the inside of a string, up to its closing quote. quote is the string's own.
func NewReader(text string, quote byte, l Language) *Reader {
	return &Reader{text: text, quote: quote, language: l}
}

// IsText reports whether the backslash at text[i] is text and begins no escape. Of two backslashes both are text. It is asked about every
// backslash but the second ones of escapes, from left to right.
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
		return i < r.path || r.mixed
	case 'u':
		if isHex(r.text[i+2:], 4) {
			return false
		}
	}
	return i < r.path || r.mixed && r.language == JSON || IsUnknown(r.text, i, r.language)
}

// enter finds the path and the word that the backslash at i stands in.
func (r *Reader) enter(i int) {
	if i >= r.path && (r.afterDrive(i) || r.isServer(i) || r.isEscapedServer(i)) {
		r.path = r.pathEnd(i)
	}
	if i < r.word {
		return
	}
	r.named, r.mixed = i > r.last && isName(r.text[i-1]), false
	for r.word = i; r.word < len(r.text); {
		switch c := r.text[r.word]; {
		case c == '\\' && r.word+1 < len(r.text):
			next := r.text[r.word+1]
			if next == '"' || next == r.quote {
				return
			}
			if strings.IndexByte("nrt", next) >= 0 && !isName(r.after(r.word)) { // the end of a line
				if r.word == i {
					r.word += 2
				}
				return
			}
			r.mixed = r.mixed || isName(next) && IsUnknown(r.text, r.word, r.language)
			r.word += 2
		case isName(c):
			r.word++
		default:
			return
		}
	}
}

// inWord reports whether an escape of white space stands between two letters of a word that has an unknown escape. A word that begins with
// a backslash may be a command before the end of its line, as \hline before \nTotal.
func (r *Reader) inWord(i int, c byte) bool {
	if !r.mixed || i == 0 || !isName(r.text[i-1]) || i <= r.last && !r.kept {
		return false
	}
	next := r.after(i)
	return isName(next) && (r.named || c != 'n' || isLower(next))
}

// isCommand reports whether \r or \t begins a command of LaTeX: white space that it stands for is at the beginning or the end of a line.
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
