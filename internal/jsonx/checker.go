package jsonx

import (
	"fmt"
	"unicode/utf8"
)

// A Checker validates JSON that arrives in chunks, as strictly as Valid. If Feed returns nil, the text so far is a
// prefix of a valid value. The zero value is ready for use. It takes linear time and fixed memory, and retains no
// chunk. It is not safe for concurrent use.
type Checker struct {
	open   nesting
	offset int   // number of accepted bytes
	err    error // the first error, which is permanent
	at     place
	key    bool // whether the present string is a member's name
	hex    uint8
	more   uint8 // remaining bytes of a UTF-8 sequence; the next one is between low and high
	low    byte
	high   byte
	word   string // the present literal
	letter int    // index of the next byte in word
}

// FeedString is Feed for a string.
func (c *Checker) FeedString(p string) error {
	return c.Feed([]byte(p)) // without a copy, since Feed neither retains nor modifies the bytes
}

// Feed validates the next chunk. At the first byte that makes the text invalid it returns ErrDepth, or a *SyntaxError
// whose offset counts from the first chunk. Later calls return the same error.
func (c *Checker) Feed(p []byte) error {
	if c.err != nil {
		return c.err
	}
	for i := 0; i < len(p); {
		var n int
		switch {
		case c.at == inString:
			n = c.text(p[i:])
		case c.at <= afterValue && isSpace(p[i]):
			n = 1
		default:
			n = c.step(p[i])
		}
		if n == 0 {
			if c.err == nil {
				_ = c.fail(describe(p[i]))
			}
			return c.err
		}
		i += n
		c.offset += n
	}
	return nil
}

// Complete reports whether the text so far is a complete valid value. A number outside arrays and objects is complete
// after each digit, although more digits may follow.
func (c *Checker) Complete() bool {
	return c.err == nil && c.open.depth == 0 && (c.at == afterValue || c.at.endsNumber())
}

// Close returns nil if Complete returns true. Otherwise it returns the error of Feed, or a *SyntaxError that names the
// missing part.
func (c *Checker) Close() error {
	if c.err != nil || c.Complete() {
		return c.err
	}
	return c.fail("end of text")
}

// Depth returns the number of open arrays and objects.
func (c *Checker) Depth() int { return c.open.depth }

// InString reports whether the next byte is part of a string or a member's name, after the opening quote.
func (c *Checker) InString() bool { return c.at >= inString && c.at <= inRune }

func (c *Checker) fail(got string) error {
	want := wants[c.at]
	switch {
	case c.at == inLiteral:
		want = c.word
	case c.at == afterValue && c.open.top() == Object:
		want = "',' or '}'"
	case c.at == afterValue && c.open.top() == Array:
		want = "',' or ']'"
	}
	c.err = &SyntaxError{Offset: c.offset, Want: want, Got: got}
	return c.err
}

func describe(b byte) string {
	if b < 0x20 || b >= 0x7f {
		return fmt.Sprintf("byte 0x%02x", b)
	}
	return fmt.Sprintf("%q", rune(b))
}

// text consumes bytes of a string and returns their number, or 0 if the first is not permitted.
func (c *Checker) text(p []byte) int {
	i := plain(p, 0)
	for i < len(p) && p[i] >= utf8.RuneSelf {
		_, size := utf8.DecodeRune(p[i:])
		if size == 1 {
			break
		}
		i = plain(p, i+size)
	}
	if i > 0 {
		return i
	}
	switch b := p[0]; {
	case b == '"':
		c.at = afterValue
		if c.key {
			c.at = atColon
		}
	case b == '\\':
		c.at = inEscape
	case b < 0x20 || !c.lead(b):
		return 0
	}
	return 1
}

// lead begins an incomplete or invalid UTF-8 sequence. It returns false if b cannot begin one. The ranges of the second
// byte are in table 3-7 of the Unicode standard.
func (c *Checker) lead(b byte) bool {
	c.low, c.high = 0x80, 0xbf
	switch {
	case b >= 0xc2 && b <= 0xdf:
		c.more = 1
	case b >= 0xe0 && b <= 0xef:
		c.more = 2
	case b >= 0xf0 && b <= 0xf4:
		c.more = 3
	default:
		return false
	}
	switch b {
	case 0xe0:
		c.low = 0xa0
	case 0xed:
		c.high = 0x9f
	case 0xf0:
		c.low = 0x90
	case 0xf4:
		c.high = 0x8f
	}
	c.at = inRune
	return true
}

// step consumes one byte outside the plain text of strings. It returns 1, or 0 if the byte is not permitted.
func (c *Checker) step(b byte) int {
	ok := false
	switch c.at {
	case atValue:
		ok = c.value(b)
	case atFirstElement:
		ok = b == ']' && c.pop() || b != ']' && c.value(b)
	case atFirstKey:
		ok = b == '}' && c.pop() || b == '"' && c.quote(true)
	case atKey:
		ok = b == '"' && c.quote(true)
	case atColon:
		ok = b == ':' && c.move(atValue)
	case afterValue:
		ok = c.after(b)
	case inEscape, inHex, inRune:
		ok = c.escape(b)
	case inLiteral:
		if ok = b == c.word[c.letter]; ok {
			if c.letter++; c.letter == len(c.word) {
				c.at = afterValue
			}
		}
	default:
		ok = c.number(b)
	}
	if !ok {
		return 0
	}
	return 1
}

func (c *Checker) move(to place) bool {
	c.at = to
	return true
}

// quote begins a string. name reports whether the string is a member's name. The result is always true.
func (c *Checker) quote(name bool) bool {
	c.key = name
	return c.move(inString)
}

func (c *Checker) pop() bool {
	c.open.depth--
	return c.move(afterValue)
}

func (c *Checker) push(k Kind, to place) bool {
	if !c.open.push(k) {
		c.err = ErrDepth
		return false
	}
	return c.move(to)
}

// value begins a value. It returns false if b cannot begin one or MaxDepth is exceeded. In the latter case it sets
// c.err.
func (c *Checker) value(b byte) bool {
	switch kinds[b] {
	case Text:
		return c.quote(false)
	case Object:
		return c.push(Object, atFirstKey)
	case Array:
		return c.push(Array, atFirstElement)
	case Bool, Null:
		c.word, c.letter = literals[b], 1
		return c.move(inLiteral)
	case Number:
		switch b {
		case '-':
			return c.move(inMinus)
		case '0':
			return c.move(inZero)
		}
		return c.move(inInteger)
	}
	return false
}

// after consumes a byte after a value: a comma or a closing bracket. It returns false if the byte is not permitted.
func (c *Checker) after(b byte) bool {
	switch top := c.open.top(); {
	case b == ',' && top == Object:
		return c.move(atKey)
	case b == ',' && top == Array:
		return c.move(atValue)
	case b == '}' && top == Object, b == ']' && top == Array:
		return c.pop()
	}
	return false
}

// escape consumes a byte within an escape or a UTF-8 sequence. It returns false if the byte is not permitted.
func (c *Checker) escape(b byte) bool {
	switch {
	case c.at == inRune:
		if b < c.low || b > c.high {
			return false
		}
		c.low, c.high = 0x80, 0xbf
		if c.more--; c.more == 0 {
			c.at = inString
		}
	case c.at == inHex:
		if !isHex(b) {
			return false
		}
		if c.hex--; c.hex == 0 {
			c.at = inString
		}
	case b == 'u':
		c.hex, c.at = 4, inHex
	case escapes[b] != 0:
		c.at = inString
	default:
		return false
	}
	return true
}

// number consumes a byte within a number, or passes a byte that ends the number to after. It returns false if the byte
// is not permitted.
func (c *Checker) number(b byte) bool {
	digit := isDigit(b)
	switch {
	case digit && (c.at == inInteger || c.at == inFraction || c.at == inPower):
		return true
	case digit && c.at == inMinus && b == '0':
		return c.move(inZero)
	case digit && c.at == inMinus:
		return c.move(inInteger)
	case digit && c.at == inPoint:
		return c.move(inFraction)
	case digit && (c.at == inExponent || c.at == inSign):
		return c.move(inPower)
	case b == '.' && (c.at == inZero || c.at == inInteger):
		return c.move(inPoint)
	case b|0x20 == 'e' && (c.at == inZero || c.at == inInteger || c.at == inFraction):
		return c.move(inExponent)
	case (b == '+' || b == '-') && c.at == inExponent:
		return c.move(inSign)
	case !c.at.endsNumber():
		return false
	case isSpace(b):
		return c.move(afterValue)
	}
	return c.after(b)
}
