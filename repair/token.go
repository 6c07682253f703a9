package repair

import (
	"math/big"
	"strings"
)

// The byte classes of the parsers, as bits.
const (
	spaceByte  = 1 << iota // JSON white space
	wordByte               // part of an unquoted key or a literal, including all non-ASCII bytes
	numberByte             // can begin a number
	plainByte              // needs no interpretation in any string
)

var classes = func() (t [256]uint8) {
	for c := range t {
		switch {
		case c == ' ' || c == '\n' || c == '\t' || c == '\r':
			t[c] |= spaceByte
		case c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c == '$' || c >= 0x80 && c != smartLead:
			t[c] |= wordByte
		case c >= '0' && c <= '9' || c == '-' || c == '.':
			t[c] |= wordByte | numberByte
		case c == '+':
			t[c] |= numberByte
		}
		if c >= ' ' && c < 0x80 && c != '"' && c != '\'' && c != '`' && c != '\\' {
			t[c] |= plainByte
		}
	}
	return t
}()

func isSpace(c byte) bool  { return classes[c]&spaceByte != 0 }
func isWord(c byte) bool   { return classes[c]&wordByte != 0 }
func isNumber(c byte) bool { return classes[c]&numberByte != 0 }
func isPlain(c byte) bool  { return classes[c]&plainByte != 0 }
func isDigit(c byte) bool  { return c >= '0' && c <= '9' }

func skipSpace(s string, i int) int {
	for i < len(s) && isSpace(s[i]) {
		i++
	}
	return i
}

// escapedBlank returns the end of escaped white space (\n, \t, \r) at s[i], or i if there is none.
func escapedBlank(s string, i int) int {
	for i+1 < len(s) && s[i] == '\\' && (s[i+1] == 'n' || s[i+1] == 't' || s[i+1] == 'r') {
		i = skipSpace(s, i+2)
	}
	return i
}

// A literal is a word for a JSON value, such as None for null.
type literal struct {
	word, json string
	rule       ruleID
}

var literals = []literal{
	{"true", "true", pythonLiteral},
	{"false", "false", pythonLiteral},
	{"null", "null", pythonLiteral},
	{"none", "null", pythonLiteral},
	{"nil", "null", pythonLiteral},
	{"undefined", "null", jsLiteral},
	{"nan", "null", jsLiteral},
	{"infinity", "null", jsLiteral},
}

// literalOf returns the literal for word in any case, nil if there is none.
func literalOf(word string) *literal {
	if len(word) < 3 || len(word) > 9 {
		return nil
	}
	for i := range literals {
		if len(word) == len(literals[i].word) && strings.EqualFold(word, literals[i].word) {
			return &literals[i]
		}
	}
	return nil
}

// cutLiteral reports whether word is a proper prefix of a literal.
func cutLiteral(word string) bool {
	for i := range literals {
		if w := literals[i].word; len(word) < len(w) && strings.EqualFold(word, w[:len(word)]) {
			return true
		}
	}
	return false
}

// isEndMark reports whether s begins with a control token such as <|eot_id|>, or with a closing tag. It needs at most
// four bytes.
func isEndMark(s string) bool {
	if len(s) < 2 || s[0] != '<' {
		return false
	}
	return s[1] == '|' || s[1] == '/' || strings.HasPrefix(s[1:], "｜")
}

const maxToken = 64 // maximum size of a control token in bytes

// controlToken returns the length of the control token or tag at the start of s, 0 if there is none.
func controlToken(s string) int {
	if s == "" || s[0] != '<' {
		return 0
	}
	if len(s) > maxToken {
		s = s[:maxToken]
	}
	n := strings.IndexByte(s, '>') + 1
	if n < 3 {
		return 0
	}
	body := s[1 : n-1]
	if isEndMark(s) {
		if strings.ContainsAny(body, "\n{}\"") {
			return 0
		}
		return n
	}
	switch body {
	case "eos", "eot", "bos", "s", "end_of_turn", "start_of_turn", "end_of_text", "endoftext", "pad":
		return n
	}
	return 0
}

// numberEnd returns the end of the run of bytes at s[i] that can belong to a number.
func numberEnd(s string, i int) int {
	for i < len(s) && (isWord(s[i]) || s[i] == '+') && s[i] != '$' && s[i] < 0x80 {
		i++
	}
	return i
}

// number converts a number to JSON notation, such as +.5 to 0.5. ok is false if raw is not a number. Digits are
// preserved, except for a number in another base, which becomes decimal.
func number(raw string) (text string, ok bool) {
	sign, rest := "", raw
	if rest != "" && (rest[0] == '-' || rest[0] == '+') {
		if rest[0] == '-' {
			sign = "-"
		}
		rest = rest[1:]
	}
	if len(rest) > 2 && rest[0] == '0' && strings.IndexByte("xXoObB", rest[1]) >= 0 {
		return toDecimal(sign, rest)
	}
	whole, rest := digits(rest)
	fraction, point := "", strings.HasPrefix(rest, ".")
	if point {
		fraction, rest = digits(rest[1:])
	}
	if whole == "" && fraction == "" {
		return "", false
	}
	exponent := ""
	if rest != "" && rest[0]|0x20 == 'e' {
		exponent, rest = rest[:1], rest[1:]
		if rest != "" && (rest[0] == '-' || rest[0] == '+') {
			exponent, rest = exponent+rest[:1], rest[1:]
		}
		var power string
		if power, rest = digits(rest); power == "" {
			return "", false
		}
		exponent += power
	}
	if rest != "" {
		return "", false
	}
	if whole = strings.TrimLeft(whole, "0"); whole == "" {
		whole = "0"
	}
	if point {
		if fraction == "" {
			fraction = "0"
		}
		fraction = "." + fraction
	}
	return sign + whole + fraction + exponent, true
}

// digits splits s after its leading decimal digits. It removes single underscores between digits, as in 1_000.
func digits(s string) (run, rest string) {
	i, grouped := 0, false
	for i < len(s) {
		if s[i] == '_' && i > 0 && isDigit(s[i-1]) && i+1 < len(s) && isDigit(s[i+1]) {
			grouped = true
		} else if !isDigit(s[i]) {
			break
		}
		i++
	}
	run = s[:i]
	if grouped {
		run = strings.ReplaceAll(run, "_", "")
	}
	return run, s[i:]
}

const maxBased = 4096 // maximum digits of a number in another base, because the conversion takes quadratic time

func toDecimal(sign, s string) (string, bool) {
	if len(s) > maxBased || strings.HasPrefix(s[2:], "-") || strings.HasPrefix(s[2:], "+") {
		return "", false
	}
	n, ok := new(big.Int).SetString(s, 0)
	if !ok {
		return "", false
	}
	return sign + n.String(), true
}
