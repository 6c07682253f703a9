package grammar

import "strings"

// A tokenKind is the type of a token.
type tokenKind int

const (
	tokenEnd     tokenKind = iota
	tokenLine              // one or more newlines
	tokenName              // name of a rule or a terminal
	tokenString            // "..." with the flag i
	tokenRegexp            // /.../ with flags
	tokenNumber            // digits, with or without a minus
	tokenMark              // an operator; .. and -> are single tokens
	tokenKeyword           // a directive such as %import, with the percent sign
)

// A token is a token of a Lark grammar.
type token struct {
	kind tokenKind
	text string
}

// is reports whether the token is the given operator.
func (t token) is(mark string) bool { return t.kind == tokenMark && t.text == mark }

// tokens returns the tokens of a definition, followed by tokenEnd. It omits comments and white space.
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

// nextToken returns the token at the beginning of a text and its length.
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

// scanLiteral returns a literal between two equal delimiters, with the flags after it, and its length.
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

// runLength returns the number of leading bytes of s that satisfy the given function.
func runLength(s string, of func(byte) bool) int {
	for i := range len(s) {
		if !of(s[i]) {
			return i
		}
	}
	return len(s)
}
