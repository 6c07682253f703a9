package constraint

import (
	"errors"
	"strconv"
	"strings"
)

// errSize is the error for tools whose grammar is too large to send with each request.
var errSize = errors.New("constraint: the grammar is too large")

// The limits of a grammar: the bytes of its text, the number of schemas read (counted again at each reference with
// other keywords), the count of repetitions, and the depth of schemas. llama-server refuses more than 2,000
// repetitions, and expands them.
const (
	maxGrammar = 256 << 10
	maxSchemas = 20_000
	maxRepeat  = 256
	maxDepth   = 64
)

// A ruleSet is the rules of a GBNF grammar. Expressions are GBNF text that may be part of a sequence or precede a
// repetition operator.
type ruleSet struct {
	text   strings.Builder
	byBody map[string]string // names of rules by their bodies
	count  int
	read   int // number of schemas read
	err    error
}

// reads counts a schema that is read. It returns false if there are too many.
func (r *ruleSet) reads() bool {
	if r.read++; r.read > maxSchemas {
		r.err = errSize
	}
	return r.err == nil
}

func newRuleSet() *ruleSet { return &ruleSet{byBody: map[string]string{}} }

// name reserves the name of a rule that is defined later.
func (r *ruleSet) name() string {
	r.count++
	return "r" + strconv.Itoa(r.count)
}

// define writes the rule with a reserved name.
func (r *ruleSet) define(name, body string) {
	if r.text.Len()+len(body) > maxGrammar {
		r.err = errSize
		return
	}
	r.text.WriteString(name + " ::= " + body + "\n")
}

// rule returns the name of the rule with the given body, which it defines if needed.
func (r *ruleSet) rule(body string) string {
	if name, ok := r.byBody[body]; ok {
		return name
	}
	name := r.name()
	r.byBody[body] = name
	r.define(name, body)
	return name
}

// sequence joins expressions, omitting empty ones.
func sequence(parts ...string) string {
	var out []string
	for _, p := range parts {
		if p != "" {
			out = append(out, p)
		}
	}
	return strings.Join(out, " ")
}

// oneOf returns the choice between alternatives. An empty alternative is the empty sequence.
func oneOf(alternatives ...string) string {
	if len(alternatives) == 1 {
		return alternatives[0]
	}
	for i, a := range alternatives {
		if a == "" {
			alternatives[i] = `""`
		}
	}
	return strings.Join(alternatives, " | ")
}

// repeat returns an expression for repetitions of expression, with a minimum and a maximum number. A negative maximum
// means none. Numbers above maxRepeat are relaxed.
func (r *ruleSet) repeat(expression string, least, most int) string {
	least = min(least, maxRepeat)
	if most > maxRepeat {
		most = -1
	}
	if strings.ContainsAny(expression, " |") && !isAtom(expression) {
		expression = r.rule(expression)
	}
	switch {
	case most == 0:
		return ""
	case least == 1 && most == 1:
		return expression
	case least == 0 && most == 1:
		return expression + "?"
	case least == 0 && most < 0:
		return expression + "*"
	case least == 1 && most < 0:
		return expression + "+"
	case most < 0:
		return expression + "{" + strconv.Itoa(least) + ",}"
	}
	return expression + "{" + strconv.Itoa(least) + "," + strconv.Itoa(most) + "}"
}

// isAtom reports whether an expression is a single character class or literal.
func isAtom(expression string) bool {
	end := map[byte]byte{'[': ']', '"': '"'}[expression[0]]
	if end == 0 {
		return false
	}
	for i := 1; i < len(expression); i++ {
		switch expression[i] {
		case '\\':
			i++
		case end:
			return i == len(expression)-1
		}
	}
	return false
}

// literal returns the expression of a text, or "" for the empty text.
func literal(text string) string {
	if text == "" {
		return ""
	}
	var out strings.Builder
	out.WriteByte('"')
	for _, c := range text {
		writeChar(&out, c, `"\`)
	}
	out.WriteByte('"')
	return out.String()
}

// A span is a range of characters, both inclusive.
type span struct{ from, to rune }

// class returns the expression of one character in the ranges, or outside of them if negated.
func class(negated bool, ranges ...span) string {
	var out strings.Builder
	out.WriteByte('[')
	if negated {
		out.WriteByte('^')
	}
	for _, s := range ranges {
		writeChar(&out, s.from, `"\[]^-`)
		if s.to > s.from {
			out.WriteByte('-')
			writeChar(&out, s.to, `"\[]^-`)
		}
	}
	out.WriteByte(']')
	return out.String()
}

// writeChar writes a character of a literal or class. It escapes characters in special and those that are not printable
// ASCII.
func writeChar(out *strings.Builder, c rune, special string) {
	const hex = "0123456789ABCDEF"
	switch {
	case c > 0x7e:
		out.WriteString(`\U`)
		for shift := 28; shift >= 0; shift -= 4 {
			out.WriteByte(hex[c>>shift&0xf])
		}
	case c == '"' || c == '\\' || c == '[' || c == ']':
		if strings.ContainsRune(special, c) {
			out.WriteByte('\\')
		}
		out.WriteRune(c)
	case c < 0x20 || strings.ContainsRune(special, c):
		out.WriteString(`\x`)
		out.WriteByte(hex[c>>4])
		out.WriteByte(hex[c&0xf])
	default:
		out.WriteRune(c)
	}
}
