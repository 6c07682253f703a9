package grammar

import "strings"

// A tokenKind is a kind of token of a Lark grammar.
type tokenKind int

const (
	tokenEnd     tokenKind = iota
	tokenLine              // one line end or several
	tokenName              // of a rule or a terminal
	tokenString            // "..." with its flag i
	tokenRegexp            // /.../ with its flags
	tokenNumber            // digits, with a minus before them
	tokenMark              // an operator; .. and -> are one each
	tokenKeyword           // %import and the like, with the percent sign
)

// A token is an element of a Lark grammar as it is written.
type token struct {
	kind tokenKind
	text string
}

// is reports whether a token is an operator.
func (t token) is(mark string) bool { return t.kind == tokenMark && t.text == mark }

// tokens are the elements of a definition, with an end behind them. Comments and white space are left out.
func tokens(definition string) ([]token, error) {
	var out []token
	rest := definition
	for {
		rest = strings.TrimLeft(rest, " \t\f")
		if rest == "" {
			return append(out, token{kind: tokenEnd}), nil
		}
		if strings.HasPrefix(rest, "//") || rest[0] == '#' {
			rest = rest[runLength(rest, func(c byte) bool { return c != '\n' }):]
			continue
		}
		t, n, err := nextToken(rest)
		if err != nil {
			return nil, err
		}
		if rest = rest[n:]; t.kind != tokenLine || len(out) > 0 && out[len(out)-1].kind != tokenLine {
			out = append(out, t)
		}
	}
}

// nextToken is the token at the beginning of a text, and its length.
func nextToken(s string) (token, int, error) {
	c := s[0]
	switch {
	case c == '\n' || c == '\r':
		return token{kind: tokenLine}, 1, nil
	case c == '"':
		return scanLiteral(s, tokenString, "i")
	case c == '/':
		return scanLiteral(s, tokenRegexp, "imslux")
	case isNameByte(c) && !isDigit(c):
		n := runLength(s, isNameByte)
		return token{tokenName, s[:n]}, n, nil
	case isDigit(c), c == '-' && len(s) > 1 && isDigit(s[1]):
		n := 1 + runLength(s[1:], isDigit)
		return token{tokenNumber, s[:n]}, n, nil
	case c == '%':
		n := 1 + runLength(s[1:], isNameByte)
		return token{tokenKeyword, s[:n]}, n, nil
	case strings.HasPrefix(s, ".."), strings.HasPrefix(s, "->"):
		return token{tokenMark, s[:2]}, 2, nil
	case strings.IndexByte(":|()[]?*+~.,!{}=@<>", c) >= 0:
		return token{tokenMark, s[:1]}, 1, nil
	}
	return token{}, 0, unsupportedError("the grammar has an unknown character at %q", clip(s))
}

// scanLiteral is a literal between two marks of its first byte, and the flags behind it.
func scanLiteral(s string, kind tokenKind, flags string) (token, int, error) {
	for i := 1; i < len(s); i++ {
		switch {
		case s[i] == '\\':
			i++
		case s[i] == '\n' && kind == tokenString:
			return token{}, 0, unsupportedError("a string of the grammar is not closed: %q", clip(s))
		case s[i] == s[0]:
			n := i + 1 + runLength(s[i+1:], func(c byte) bool { return strings.IndexByte(flags, c) >= 0 })
			return token{kind, s[:n]}, n, nil
		}
	}
	return token{}, 0, unsupportedError("a literal of the grammar is not closed: %q", clip(s))
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isNameByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || isDigit(c) || c == '_'
}

// runLength is how many bytes at the beginning of a text are of a kind.
func runLength(s string, of func(byte) bool) int {
	for i := range len(s) {
		if !of(s[i]) {
			return i
		}
	}
	return len(s)
}
