package constraint

import (
	"errors"
	"strconv"
	"strings"
)

// errSize says that the tools make a grammar that is too large to be sent with each request.
var errSize = errors.New("constraint: the grammar is too large")

// Bounds of a grammar: of its text in bytes, of the schemas that are read for it, each as often as it is referred to
// beside other keywords, of the repetitions that are counted, and of the nesting of schemas. llama-server refuses
// repetitions of more than 2,000 and writes each of them out.
const (
	maxGrammar = 256 << 10
	maxSchemas = 20_000
	maxRepeat  = 256
	maxDepth   = 64
)

// A ruleSet is the rules of a GBNF grammar. Expressions are GBNF text that may stand in a sequence or behind a
// repetition operator.
type ruleSet struct {
	text   strings.Builder
	byBody map[string]string // names of rules by their bodies
	count  int
	read   int // how many schemas were read
	err    error
}

// reads counts a schema that is read, and reports whether more may be.
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

// define writes the rule of a reserved name.
func (r *ruleSet) define(name, body string) {
	if r.text.Len()+len(body) > maxGrammar {
		r.err = errSize
		return
	}
	r.text.WriteString(name + " ::= " + body + "\n")
}

// rule returns the name of a rule with a body. Equal bodies share a rule.
func (r *ruleSet) rule(body string) string {
	if name, ok := r.byBody[body]; ok {
		return name
	}
	name := r.name()
	r.byBody[body] = name
	r.define(name, body)
	return name
}

// sequence joins expressions; empty ones say nothing.
func sequence(parts ...string) string {
	var out []string
	for _, p := range parts {
		if p != "" {
			out = append(out, p)
		}
	}
	return strings.Join(out, " ")
}

// oneOf is the choice between alternatives; the empty text is the empty sequence.
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

// repeat is an expression from least to most times; most below 0 is without limit. Counts above maxRepeat are widened.
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

// isAtom reports whether an expression is one character class or one literal.
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

// literal is the expression of a text, empty for the empty text.
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

// A span is a range of characters, both ends included.
type span struct{ from, to rune }

// class is the expression of one character among ranges, or of one outside of them.
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

// writeChar writes a character of a literal or class, escaped where it is special there or cannot be seen.
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
