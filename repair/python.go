package repair

import (
	"bytes"
	"strings"

	"github.com/callwright/callwright/internal/jsonx"
)

// Python parses one literal of Python or JavaScript and returns it as JSON. It accepts None, True and False in any
// case, numbers with underscores or in another base, and strings with any quotes, prefixes and concatenation. Lists,
// tuples and sets become arrays. Dicts become objects with string keys. Valid syntax of these languages is not noted
// as a fix; damage is repaired and noted as in JSON. A string with an invalid escape is assumed to have no escapes at
// all: in 'C:\data\new' the \n is two characters. For calls, names and expressions the error is ErrUnreadable.
func Python(text string) (Result, error) {
	p := pythonReader{s: text, out: make([]byte, 0, len(text)+16)}
	p.blank()
	if p.i >= len(text) {
		return Result{}, ErrUnreadable
	}
	if err := p.value(); err != nil {
		return Result{}, err
	}
	rest := strings.TrimSpace(text[p.i:])
	if onlyTokens(rest) {
		rest = ""
	}
	return Result{JSON: p.out, Fixes: p.sortFixes(), Rest: rest}, nil
}

// A pythonReader parses literals from s and appends them as JSON to out.
type pythonReader struct {
	s     string
	i     int
	out   []byte
	open  frames
	keyed bool // the next value belongs to a keyword argument
	journal
}

// blank skips white space, comments and line continuations.
func (p *pythonReader) blank() {
	for {
		p.i = skipSpace(p.s, p.i)
		if end := commentEnd(p.s, p.i); end > p.i {
			p.i = end
			continue
		}
		if !strings.HasPrefix(p.s[p.i:], "\\\n") {
			return
		}
		p.i += 2
	}
}

// peek skips white space and comments and returns the next byte, 0 at the end.
func (p *pythonReader) peek() byte {
	p.blank()
	if p.i >= len(p.s) {
		return 0
	}
	return p.s[p.i]
}

func (p *pythonReader) value() error {
	c := p.peek()
	switch {
	case c == 0:
		return ErrTruncated
	case isOpener(c):
		return p.container(c)
	case isQuote(c):
		return p.strings()
	case isNumber(c):
		return p.number()
	case isWord(c):
		return p.word()
	}
	return ErrUnreadable
}

func (p *pythonReader) container(c byte) error {
	if p.open.depth() >= jsonx.MaxDepth {
		return ErrDepth
	}
	p.open.push(c)
	p.keyed = false
	defer p.open.pop()
	p.i++
	start := len(p.out)
	p.out = append(p.out, c)
	if c == '{' {
		return p.braces(start)
	}
	alone, err := p.elements(closes(c))
	if err != nil {
		return err
	}
	p.out[start] = '['
	if c == '(' && alone { // parentheses around a single value are not a tuple
		p.out[start] = ' '
		return nil
	}
	p.out = append(p.out, ']')
	return nil
}

// elements parses elements up to the closing bracket closer. alone reports that there is exactly one element and no
// comma.
func (p *pythonReader) elements(closer byte) (alone bool, err error) {
	for n := 0; ; n++ {
		if p.peek() == closer {
			p.i++
			return false, nil
		}
		if n > 0 {
			p.out = append(p.out, ", "...)
		}
		if err := p.value(); err != nil {
			return false, err
		}
		more, err := p.comma(closer)
		if !more {
			return n == 0, err
		}
	}
}

// comma parses a comma or the closing bracket closer. more is true after a comma.
func (p *pythonReader) comma(closer byte) (more bool, err error) {
	switch p.peek() {
	case ',', closer:
		p.i++
		return p.s[p.i-1] == ',', nil
	case 0:
		return false, ErrTruncated
	}
	return false, ErrUnreadable
}

// braces parses the rest of a dict or set. Its opening brace is out[start].
func (p *pythonReader) braces(start int) error {
	set := false
	for n := 0; ; n++ {
		if p.peek() == '}' {
			p.i++
			break
		}
		if n > 0 {
			p.out = append(p.out, ", "...)
		}
		from := len(p.out)
		if err := p.keyOrElement(); err != nil {
			return err
		}
		colon := p.peek() == ':'
		if n == 0 {
			set = !colon
		}
		switch {
		case p.i >= len(p.s):
			return ErrTruncated
		case set == colon:
			return ErrUnreadable
		case colon:
			if err := p.member(from); err != nil {
				return err
			}
		}
		more, err := p.comma('}')
		if err != nil {
			return err
		}
		if !more {
			break
		}
	}
	if set {
		p.out[start] = '['
		p.out = append(p.out, ']')
		return nil
	}
	p.out = append(p.out, '}')
	return nil
}

// keyOrElement parses a set element or a dict key. A name before a colon is a key, as in JavaScript.
func (p *pythonReader) keyOrElement() error {
	c := p.peek()
	if isQuote(c) {
		return p.stringsAt(asKey)
	}
	if isWord(c) && !isNumber(c) {
		end := p.wordEnd()
		if next := skipSpace(p.s, end); next < len(p.s) && p.s[next] == ':' {
			p.out = jsonx.AppendQuote(p.out, p.s[p.i:end])
			p.i = end
			return nil
		}
	}
	return p.value()
}

// member parses the colon and value of a dict entry. It converts the key, out[from:], to a string.
func (p *pythonReader) member(from int) error {
	p.i++
	switch k := jsonx.KindOf(p.out[from:]); k {
	case jsonx.Text:
	case jsonx.Object, jsonx.Array:
		return ErrUnreadable
	default:
		raw := bytes.TrimSpace(p.out[from:])
		p.out = jsonx.AppendQuote(p.out[:from], string(raw))
	}
	p.out = append(p.out, ": "...)
	return p.value()
}

func (p *pythonReader) number() error {
	start := p.i
	p.i = numberEnd(p.s, start)
	raw := p.s[start:p.i]
	text, ok := number(raw)
	switch {
	case !ok && p.i == len(p.s) && p.open.depth() > 0:
		return ErrTruncated
	case !ok:
		return p.infinite(start, raw)
	case len(raw) > 1 && raw[0] == '0' && isDigit(raw[1]):
		p.note(numberForm, start, raw, text)
	}
	p.out = append(p.out, text...)
	return nil
}

func (p *pythonReader) infinite(start int, raw string) error {
	switch strings.ToLower(strings.TrimLeft(raw, "+-")) {
	case "infinity", "inf", "nan":
		p.note(jsLiteral, start, raw, "null")
		p.out = append(p.out, "null"...)
		return nil
	}
	return ErrUnreadable
}

func (p *pythonReader) wordEnd() int {
	end := p.i
	for end < len(p.s) && isWord(p.s[end]) {
		end++
	}
	return end
}

func (p *pythonReader) word() error {
	start, end := p.i, p.wordEnd()
	raw := p.s[start:end]
	if stringPrefix(p.s, start) > 0 {
		return p.strings()
	}
	l := literalOf(raw)
	switch {
	case l == nil && end == len(p.s) && p.open.depth() > 0:
		return ErrTruncated
	case l == nil:
		return ErrUnreadable
	case l.rule == jsLiteral:
		p.note(jsLiteral, start, raw, l.json)
	}
	p.i = end
	p.out = append(p.out, l.json...)
	return nil
}
