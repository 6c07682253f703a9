package grammar

import (
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

// common are the terminals of Lark's grammar common, as RE2 patterns.
var common = map[string]string{
	"DIGIT":          `[0-9]`,
	"HEXDIGIT":       `[0-9A-Fa-f]`,
	"INT":            `[0-9]+`,
	"SIGNED_INT":     `[+-]?[0-9]+`,
	"DECIMAL":        `(?:[0-9]+\.[0-9]*|\.[0-9]+)`,
	"FLOAT":          float,
	"SIGNED_FLOAT":   `[+-]?` + float,
	"NUMBER":         `(?:` + float + `|[0-9]+)`,
	"SIGNED_NUMBER":  `[+-]?(?:` + float + `|[0-9]+)`,
	"ESCAPED_STRING": `"(?:[^\\\n]|\\[^\n])*"`,
	"LCASE_LETTER":   `[a-z]`,
	"UCASE_LETTER":   `[A-Z]`,
	"LETTER":         `[A-Za-z]`,
	"WORD":           `[A-Za-z]+`,
	"CNAME":          `[A-Za-z_][A-Za-z_0-9]*`,
	"WS_INLINE":      `[ \t]+`,
	"WS":             `[ \t\f\r\n]+`,
	"CR":             `\r`,
	"LF":             `\n`,
	"NEWLINE":        `(?:\r?\n)+`,
	"SH_COMMENT":     `#[^\n]*`,
	"CPP_COMMENT":    `//[^\n]*`,
	"C_COMMENT":      `/\*(?s:.*?)\*/`,
	"SQL_COMMENT":    `--[^\n]*`,
}

const float = `(?:[0-9]+[eE][+-]?[0-9]+|(?:[0-9]+\.[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)`

// stringNode returns the node of a string literal such as "a"i.
func stringNode(written string) (*node, error) {
	inner, fold := strings.CutSuffix(written, "i")
	text, err := unquote(inner[1 : len(inner)-1])
	if err != nil {
		return nil, err
	}
	pattern := regexp.QuoteMeta(text)
	if fold {
		pattern = "(?i:" + pattern + ")"
	}
	return &node{kind: nodePattern, text: pattern}, nil
}

// unquote unescapes a string.
func unquote(s string) (string, error) {
	var b strings.Builder
	for len(s) > 0 {
		if s[0] != '\\' {
			n := strings.IndexByte(s, '\\')
			if n < 0 {
				n = len(s)
			}
			b.WriteString(s[:n])
			s = s[n:]
			continue
		}
		r, n, ok := parseEscape(s)
		if !ok {
			return "", unsupportedError("an escape of the grammar cannot be read: %q", clip(s))
		}
		b.WriteRune(r)
		s = s[n:]
	}
	return b.String(), nil
}

// parseEscape returns the character of the escape at the beginning of a text and the escape's length. ok is false for
// an unknown escape.
func parseEscape(s string) (r rune, n int, ok bool) {
	if len(s) < 2 {
		return 0, 0, false
	}
	if i := strings.IndexByte("ntrf", s[1]); i >= 0 {
		return rune("\n\t\r\f"[i]), 2, true
	}
	if i := strings.IndexByte("xuU", s[1]); i >= 0 {
		digits := []int{2, 4, 8}[i]
		if len(s) < 2+digits {
			return 0, 0, false
		}
		v, err := strconv.ParseUint(s[2:2+digits], 16, 32)
		return rune(v), 2 + digits, err == nil && v <= utf8.MaxRune && utf8.ValidRune(rune(v))
	}
	return rune(s[1]), 2, strings.IndexByte(`"\/'`, s[1]) >= 0
}

// regexpNode returns the node of a regular expression such as /a+/i.
func regexpNode(written string) (*node, error) {
	end := strings.LastIndexByte(written, '/')
	pattern, err := translate(written[1:end])
	if err != nil {
		return nil, err
	}
	flags := strings.ReplaceAll(written[end+1:], "u", "") // characters are Unicode with and without the flag u
	if strings.ContainsAny(flags, "lx") {
		return nil, unsupportedError("the flags %q of a pattern are not checked", flags)
	}
	if flags != "" {
		pattern = "(?" + flags + ":" + pattern + ")"
	}
	return &node{kind: nodePattern, text: pattern}, nil
}
