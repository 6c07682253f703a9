package repair

import (
	"strings"

	"github.com/callwright/callwright/internal/jsonx"
)

// A Finder finds the end of one object, array or list of arguments that comes in pieces, broken or not. The first byte
// fed must be its opening bracket. It knows strings in every kind of quotes that JSON mends, so that brackets in them
// do not count, and it gives the same end however the text is cut. The zero value is ready; it is not safe for
// concurrent use, nor to be copied after the first Feed. Work is linear in the text; it keeps no more than a few
// kilobytes of it.
type Finder struct {
	open frames
	held held // what cannot be judged yet
	base int  // offset of the first byte of held, or of the next piece
	at   spot
	mark mark
	esc  string // the escaped quote that opened the string
	back spot   // where it stood before a comment
	deep bool   // nested too deeply
	torn bool
	gap  bool // white space or a comma came since the last word
	eq   bool // an equals sign came last
	end  int
	over bool
}

// spot is where a Finder stands.
type spot uint8

const (
	atStart    spot = iota
	beforeKey       // a key may come
	inKey           // in a key without quotes
	afterKey        // a colon is to come
	atValue         // a value may come
	inWord          // in a number, a literal or a name
	afterValue      // a comma or a bracket is to come
	inText          // in a string that is a value
	inKeyText       // in a string that is a key
	inLine          // in a comment up to the end of the line
	inBlock         // in a comment up to */
)

// Feed takes the next piece. When the value has ended, done is true and end is the offset after its last byte, counted
// from the first byte ever fed. A control token or a closing tag outside of strings ends the value, too, before itself:
// then Depth is not zero. After that Feed changes nothing and says the same again. A value that is nested deeper than
// jsonx.MaxDepth never ends.
func (f *Finder) Feed(piece string) (end int, done bool) { return f.feed(piece, false) }

// Close ends the text, and decides the questions that only later text could have answered.
func (f *Finder) Close() (end int, done bool) { return f.feed("", true) }

// Depth is the number of brackets that are open.
func (f *Finder) Depth() int { return f.open.depth() }

// InString reports whether the text so far ended inside a string, or after a quote that may not be its last.
func (f *Finder) InString() bool { return f.at == inText || f.at == inKeyText }

// Value returns the length of the JSON value at the start of text, white space before it included. The value may be
// broken as in JSON. Where a control token or a closing tag comes before the last bracket, the value ends there. The
// error is ErrTruncated when the value does not end in text, and ErrUnreadable when none begins there; n is -1 then.
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

// step reads on from i to next. ok is false when more text is needed to go on from there.
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

// resume is where a Finder stands after a comma or a comment.
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
