package repair

import (
	"strings"

	"github.com/callwright/callwright/internal/jsonx"
)

// A Finder finds the end of one streamed object, array or argument list, valid or malformed. The first byte fed must
// be the opening bracket. It ignores brackets inside strings with any quotes that JSON repairs. The result does not
// depend on how the text is split. The zero value is ready for use. A Finder is not safe for concurrent use and must
// not be copied after the first Feed. It runs in linear time and buffers at most a few kilobytes.
type Finder struct {
	open           frames
	held           held // bytes whose meaning depends on later text
	base           int  // offset of the first byte of held
	at             spot
	mark           mark
	esc            string // the escaped quote that opened the string, such as \" or &quot;
	back           spot   // state before a comment
	deep           bool   // nesting is too deep
	hasInnerQuotes bool
	gap            bool // white space or a comma follows the last word
	eq             bool // the last token is an equals sign
	end            int
	over           bool
}

// spot is the parser state of a Finder.
type spot uint8

const (
	atStart    spot = iota
	beforeKey       // a key is expected
	inKey           // in an unquoted key
	afterKey        // a colon is expected
	atValue         // a value is expected
	inWord          // in a number, a literal or a name
	afterValue      // a comma or a bracket is expected
	inText          // in a string value
	inKeyText       // in a string key
	inLine          // in a line comment
	inBlock         // in a block comment
)

// Feed processes the next chunk. At the end of the value, done is true and end is the offset after the last byte,
// counted from the first byte fed. A control token such as <|eot_id|>, or a closing tag, outside strings also ends the
// value; end is then its offset and Depth is not zero. Later calls return the same result. A value nested deeper than
// jsonx.MaxDepth never ends.
func (f *Finder) Feed(piece string) (end int, done bool) { return f.feed(piece, false) }

// Close processes the end of the text. It resolves ambiguities that later text could have resolved, and returns the
// result of Feed.
func (f *Finder) Close() (end int, done bool) { return f.feed("", true) }

// Depth returns the number of open brackets.
func (f *Finder) Depth() int { return f.open.depth() }

// InString reports whether the current position is in a string, or after a quote that may not be the closing quote.
func (f *Finder) InString() bool { return f.at == inText || f.at == inKeyText }

// Value returns the length of the JSON value at the start of text, including leading white space. The value may be
// malformed as in JSON. A control token or a closing tag before the last bracket ends the value. If the value is
// incomplete, n is -1 and err is ErrTruncated. If text does not begin with a value, n is -1 and err is ErrUnreadable.
func Value(text string) (n int, err error) {
	i := skipSpace(text, 0)
	if i >= len(text) {
		return -1, ErrUnreadable
	}
	c := text[i]
	switch {
	case c == '{' || c == '[':
		var f Finder
		end, done := f.feed(text[i:], true)
		switch {
		case f.deep:
			return -1, ErrDepth
		case !done:
			return -1, ErrTruncated
		}
		return i + end, nil
	case isWord(c) || isNumber(c):
		for i < len(text) && (isWord(text[i]) || text[i] == '+') {
			i++
		}
		return i, nil
	}
	m, ok := opening(text, i, asElement)
	if !ok {
		return -1, ErrUnreadable
	}
	for i += m.size; i < len(text); i++ {
		if w := m.width(text, i); w > 0 {
			return i + w, nil
		}
		if text[i] == '\\' {
			i++
		}
	}
	return -1, ErrTruncated
}

func (f *Finder) feed(piece string, final bool) (int, bool) {
	if f.over || f.deep {
		return f.end, f.over
	}
	s := piece
	again := f.held.text != ""
	if again {
		s = f.held.add(piece)
	}
	i := 0
	for i < len(s) && !f.over && !f.deep {
		var ok bool
		if i, ok = f.step(s, i, final); !ok {
			break
		}
	}
	f.base += i
	if f.over {
		f.end = f.base
	}
	switch {
	case f.over || f.deep:
		f.held = held{}
	case again:
		f.held.drop(i)
	case i < len(s):
		f.held.add(s[i:])
	}
	return f.end, f.over
}

// step advances from offset i to next. ok is false if it needs more text. final reports that s is the end of the text.
func (f *Finder) step(s string, i int, final bool) (next int, ok bool) {
	switch f.at {
	case inText, inKeyText:
		return f.text(s, i, final)
	case inLine:
		if n := strings.IndexByte(s[i:], '\n'); n >= 0 {
			f.at = f.back
			return i + n, true
		}
		return len(s), true
	case inBlock:
		return f.block(s, i, final)
	}
	c := s[i]
	if isSpace(c) {
		f.space()
		return i + 1, true
	}
	if !isQuote(c) {
		f.eq = c == '='
	}
	switch {
	case isOpener(c):
		f.opener(c)
		return i + 1, true
	case isCloser(c):
		f.closeBracket(c)
		return i + 1, true
	case c == ',':
		f.gap = true
		f.at = f.resume()
		return i + 1, true
	case c == ':' || c == '=':
		f.at = atValue
		return i + 1, true
	case isQuote(c):
		return f.quote(s, i, final)
	case c == '\\' || c == '&':
		return f.escape(s, i, final)
	case c == '/' || c == '#':
		return f.comment(s, i, final)
	case c == '<':
		return f.token(s, i, final)
	}
	f.word()
	return i + 1, true
}

// resume returns the state after a comma or a comment.
func (f *Finder) resume() spot {
	if f.open.top() == brace {
		return beforeKey
	}
	return atValue
}

func (f *Finder) space() {
	f.gap = true
	switch f.at {
	case inKey:
		f.at = afterKey
	case inWord:
		f.at = afterValue
	}
}

func (f *Finder) word() {
	switch f.at {
	case beforeKey:
		f.at = inKey
	case afterValue:
		f.at = inWord
		if f.gap && f.open.top() == brace {
			f.at = inKey
		}
	case atValue:
		f.at = inWord
	}
	f.gap = false
}

func (f *Finder) opener(c byte) {
	if f.open.depth() >= jsonx.MaxDepth {
		f.deep = true
		return
	}
	f.open.push(c)
	f.gap = false
	f.at = f.resume()
}

func (f *Finder) closeBracket(c byte) {
	if !f.open.has(c) {
		return
	}
	for f.open.pop() != opens(c) {
	}
	f.at = afterValue
	f.gap = false
	f.over = f.open.depth() == 0
}
