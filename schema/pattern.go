package schema

import (
	"regexp"
	"regexp/syntax"
	"strconv"
	"strings"
)

// compileRegexp compiles an ECMA-262 regular expression with RE2. It returns an error for syntax that RE2 lacks.
// Matching takes linear time.
func compileRegexp(expr string) (*regexp.Regexp, error) {
	return regexp.Compile(fromECMA(expr))
}

// maxPatternWork is the limit for one match: text bytes times pattern instructions.
const maxPatternWork = 1 << 26

// patternSize returns the number of instructions of the compiled pattern, 0 if it does not compile.
func patternSize(expr string) int {
	tree, err := syntax.Parse(fromECMA(expr), syntax.Perl)
	if err != nil {
		return 0
	}
	prog, err := syntax.Compile(tree.Simplify())
	if err != nil {
		return 0
	}
	return len(prog.Inst)
}

func isRegexp(expr string) bool {
	_, err := compileRegexp(expr)
	return err == nil
}

// ecmaSpace is the character class \s of ECMA-262.
const ecmaSpace = `\t\n\v\f\r \x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff}`

// fromECMA converts ECMA-262 syntax that RE2 spells differently, such as \u0041, \u{1F600}, \cA, \s, \S, \/ and [^],
// to RE2 syntax.
func fromECMA(expr string) string {
	if !strings.Contains(expr, `\`) && !strings.Contains(expr, "[^]") {
		return expr
	}
	var out strings.Builder
	class := false
	for i := 0; i < len(expr); i++ {
		switch c := expr[i]; {
		case c == '\\' && i+1 < len(expr):
			i += writeEscape(&out, expr[i+1:], class)
		case c == '[' && !class && strings.HasPrefix(expr[i:], "[^]"):
			out.WriteString(`[\x00-\x{10ffff}]`)
			i += 2
		default:
			if c == '[' {
				class = true
			} else if c == ']' {
				class = false
			}
			out.WriteByte(c)
		}
	}
	return out.String()
}

// writeEscape converts an escape sequence. rest is the text after the backslash. class reports whether it is in a
// character class. It returns the number of bytes of rest that the escape occupies.
func writeEscape(out *strings.Builder, rest string, class bool) int {
	switch c := rest[0]; {
	case c == 'u':
		if code, n := codePoint(rest); n > 0 {
			out.WriteString(`\x{` + strconv.FormatInt(code, 16) + `}`)
			return n
		}
	case c == 'c' && len(rest) > 1 && isLetter(rest[1]):
		out.WriteString(`\x{` + strconv.FormatInt(int64(rest[1]%32), 16) + `}`)
		return 2
	case c == 's' && class:
		out.WriteString(ecmaSpace)
		return 1
	case c == 's':
		out.WriteString(`[` + ecmaSpace + `]`)
		return 1
	case c == 'S' && !class:
		out.WriteString(`[^` + ecmaSpace + `]`)
		return 1
	case c == '/':
		out.WriteByte('/')
		return 1
	}
	out.WriteByte('\\')
	out.WriteByte(rest[0])
	return 1
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// codePoint parses u0041, a surrogate pair such as ud83d\ude00, or u{1F600}. It returns the code point and its length
// in s, 0 if s has none.
func codePoint(s string) (code int64, n int) {
	if strings.HasPrefix(s, "u{") {
		end := strings.IndexByte(s, '}')
		if end < 3 || end > 8 {
			return 0, 0
		}
		code, err := strconv.ParseInt(s[2:end], 16, 32)
		if err != nil {
			return 0, 0
		}
		return code, end + 1
	}
	if len(s) < 5 {
		return 0, 0
	}
	code, err := strconv.ParseInt(s[1:5], 16, 32)
	if err != nil {
		return 0, 0
	}
	if code >= 0xd800 && code < 0xdc00 && len(s) >= 11 && s[5] == '\\' && s[6] == 'u' {
		if low, err := strconv.ParseInt(s[7:11], 16, 32); err == nil && low >= 0xdc00 && low < 0xe000 {
			return (code-0xd800)<<10 + (low - 0xdc00) + 0x10000, 11
		}
	}
	return code, 5
}
