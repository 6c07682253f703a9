package constraint

import (
	"fmt"
	"regexp/syntax"
	"slices"
	"unicode"
)

// formats are the expressions of the supported formats of strings, without quotes.
var formats = map[string]string{
	"date":      dateFormat,
	"time":      timeFormat,
	"date-time": dateFormat + ` "T" ` + timeFormat,
	"uuid":      `[0-9a-fA-F]{8} "-" [0-9a-fA-F]{4} "-" [0-9a-fA-F]{4} "-" [0-9a-fA-F]{4} "-" [0-9a-fA-F]{12}`,
}

const (
	dateFormat = `[0-9]{4} "-" ("0" [1-9] | "1" [0-2]) "-" ("0" [1-9] | [1-2] [0-9] | "3" [0-1])`
	timeFormat = `([0-1] [0-9] | "2" [0-3]) ":" [0-5] [0-9] ":" [0-5] [0-9] ("." [0-9]{1,9})? ("Z" | [-+] ([0-1] [0-9] | "2" [0-3]) ":" [0-5] [0-9])`
)

// text returns the expression of a string of a shape. It applies the pattern, else the format, else the lengths.
func (s *schemas) text(n *shape) string {
	if n.maxLength >= 0 && n.maxLength < n.minLength {
		return impossible
	}
	if n.pattern != "" {
		if body, ok := s.pattern(n.pattern); ok {
			return s.rules.rule(sequence(`"\""`, body, `"\""`))
		}
	}
	if body, ok := formats[n.format]; ok {
		return s.rules.rule(sequence(`"\""`, body, `"\""`))
	}
	if n.minLength == 0 && n.maxLength < 0 {
		return s.plainText()
	}
	return s.rules.rule(sequence(`"\""`, s.rules.repeat(s.char(), n.minLength, n.maxLength), `"\""`))
}

// plainText returns the rule of any JSON string.
func (s *schemas) plainText() string { return s.rules.rule(sequence(`"\""`, s.char()+"*", `"\""`)) }

// char returns the rule of one character of a JSON string. Surrogates are escaped in pairs.
func (s *schemas) char() string { return s.rules.rule(oneOf(`[^"\\\x00-\x1F]`, s.escape())) }

func (s *schemas) escape() string {
	return s.rules.rule(`"\\" (["\\/bfnrt] | "u" ([0-9a-cA-CeEfF] [0-9a-fA-F]{3} | [dD] ([0-7] [0-9a-fA-F]{2} | [89abAB] [0-9a-fA-F]{2} "\\u" [dD] [c-fC-F] [0-9a-fA-F]{2})))`)
}

// pattern returns the expression of the strings that match a regular expression, without quotes. ok is false if the
// expression is not supported by RE2 or cannot be expressed.
func (s *schemas) pattern(text string) (string, bool) {
	parsed, err := syntax.Parse(text, syntax.Perl)
	if err != nil {
		return "", false
	}
	parsed = parsed.Simplify()
	parts := []*syntax.Regexp{parsed}
	if parsed.Op == syntax.OpConcat {
		parts = parsed.Sub
	}
	before, after := s.char()+"*", s.char()+"*"
	if len(parts) > 0 && parts[0].Op == syntax.OpBeginText {
		parts, before = parts[1:], ""
	}
	if len(parts) > 0 && parts[len(parts)-1].Op == syntax.OpEndText {
		parts, after = parts[:len(parts)-1], ""
	}
	body, ok := s.joinRegexps(parts)
	return sequence(before, body, after), ok
}

func (s *schemas) joinRegexps(parts []*syntax.Regexp) (string, bool) {
	var out []string
	for _, part := range parts {
		one, ok := s.regexp(part)
		if !ok {
			return "", false
		}
		out = append(out, one)
	}
	return sequence(out...), true
}

// regexp returns the expression of a part of a pattern. It returns false if it cannot be expressed.
func (s *schemas) regexp(re *syntax.Regexp) (string, bool) {
	switch re.Op {
	case syntax.OpEmptyMatch:
		return "", true
	case syntax.OpLiteral:
		return s.runes(re), true
	case syntax.OpCharClass:
		return s.oneOfRanges(re.Rune)
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return s.char(), true
	case syntax.OpCapture:
		return s.regexp(re.Sub[0])
	case syntax.OpConcat:
		return s.joinRegexps(re.Sub)
	case syntax.OpAlternate:
		var forms []string
		for _, sub := range re.Sub {
			one, ok := s.regexp(sub)
			if !ok {
				return "", false
			}
			forms = append(forms, one)
		}
		return s.rules.rule(oneOf(forms...)), true
	case syntax.OpStar, syntax.OpPlus, syntax.OpQuest:
		one, ok := s.regexp(re.Sub[0])
		if !ok || one == "" {
			return "", ok
		}
		name := s.rules.rule(one)
		return name + map[syntax.Op]string{syntax.OpStar: "*", syntax.OpPlus: "+", syntax.OpQuest: "?"}[re.Op], true
	}
	return "", false // an anchor or a word boundary within the pattern
}

// runes returns the expression of a literal in a pattern, with characters escaped as in JSON.
func (s *schemas) runes(re *syntax.Regexp) string {
	var out []string
	for _, r := range re.Rune {
		ranges := []rune{r, r}
		if re.Flags&syntax.FoldCase != 0 {
			for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
				ranges = append(ranges, f, f)
			}
		}
		one, _ := s.oneOfRanges(ranges)
		out = append(out, one)
	}
	return sequence(out...)
}

// oneOfRanges returns the expression of one character in ranges, as JSON writes it: quotes, backslashes and control
// characters are escaped. It returns false if the ranges are empty. Each range is two runes, its first and its last.
func (s *schemas) oneOfRanges(ranges []rune) (string, bool) {
	var plain []span
	var escaped []string
	for i := 0; i+1 < len(ranges); i += 2 {
		from, to := ranges[i], ranges[i+1]
		for r := from; r <= min(to, 0x7f); r++ {
			if short, ok := escapes[r]; ok {
				escaped = append(escaped, literal(short))
			} else if r < 0x20 {
				escaped = append(escaped, literal(fmt.Sprintf(`\u00%02x`, r)))
			} else {
				plain = append(plain, span{r, r})
			}
		}
		if to > 0x7f {
			plain = append(plain, span{max(from, 0x80), to})
		}
	}
	plain = joinSpans(plain)
	if len(plain) == 0 && len(escaped) == 0 {
		return "", false
	}
	if len(plain) > 0 {
		escaped = append(escaped, class(false, plain...))
	}
	return s.rules.rule(oneOf(escaped...)), true
}

// escapes are the short JSON escapes, by character.
var escapes = map[rune]string{'"': `\"`, '\\': `\\`, '\b': `\b`, '\f': `\f`, '\n': `\n`, '\r': `\r`, '\t': `\t`}

// joinSpans sorts ranges and merges adjacent ones.
func joinSpans(list []span) []span {
	slices.SortFunc(list, func(a, b span) int { return int(a.from - b.from) })
	var out []span
	for _, s := range list {
		if n := len(out); n > 0 && s.from <= out[n-1].to+1 {
			out[n-1].to = max(out[n-1].to, s.to)
			continue
		}
		out = append(out, s)
	}
	return out
}
