package constraint_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// A matcher accepts texts by a grammar in GBNF, as llama-server reads it: see llama-grammar.cpp there. It keeps the set of stacks of what may
// follow, and refuses left recursion.
type matcher struct {
	rules map[string][][]symbol
	empty map[string]bool // the rules that take the empty text
	names int
}

// A symbol is a reference to a rule, or a class of characters.
type symbol struct {
	rule    string
	negated bool
	ranges  []rune // pairs
}

func (s *symbol) takes(c rune) bool {
	for i := 0; i < len(s.ranges); i += 2 {
		if s.ranges[i] <= c && c <= s.ranges[i+1] {
			return !s.negated
		}
	}
	return s.negated
}

// newMatcher parses a grammar.
func newMatcher(t testing.TB, grammar string) *matcher {
	t.Helper()
	m := &matcher{rules: map[string][][]symbol{}}
	for line := range strings.Lines(grammar) {
		name, body, ok := strings.Cut(strings.TrimSuffix(line, "\n"), " ::= ")
		if !ok || m.rules[name] != nil {
			t.Fatalf("the line %q is no rule, or the second of its name", line)
		}
		p := &bodyReader{m: m, rest: body}
		m.rules[name] = p.alternatives()
		if p.rest != "" {
			t.Fatalf("rule %s ends at %q", name, p.rest)
		}
	}
	for name, alternatives := range m.rules {
		for _, a := range alternatives {
			for _, s := range a {
				if s.rule != "" && m.rules[s.rule] == nil {
					t.Fatalf("rule %s refers to %s, which there is none of", name, s.rule)
				}
			}
		}
	}
	m.findEmpty()
	done := map[string]bool{}
	for name := range m.rules {
		m.refuseLeftRecursion(t, name, map[string]bool{}, done)
	}
	return m
}

// refuseLeftRecursion fails where a rule comes to itself before a character. Rules that were looked at are in done.
func (m *matcher) refuseLeftRecursion(t testing.TB, name string, open, done map[string]bool) {
	if open[name] {
		t.Fatalf("rule %s is left-recursive", name)
	}
	if done[name] {
		return
	}
	open[name] = true
	for _, a := range m.rules[name] {
		for _, s := range a {
			if s.rule == "" {
				break
			}
			m.refuseLeftRecursion(t, s.rule, open, done)
			if !m.empty[s.rule] {
				break
			}
		}
	}
	delete(open, name)
	done[name] = true
}

// findEmpty finds the rules that take the empty text.
func (m *matcher) findEmpty() {
	m.empty = map[string]bool{}
	for more := true; more; {
		more = false
		for name, alternatives := range m.rules {
			if !m.empty[name] && slices.ContainsFunc(alternatives, func(a []symbol) bool {
				return !slices.ContainsFunc(a, func(s symbol) bool { return !m.empty[s.rule] })
			}) {
				m.empty[name], more = true, true
			}
		}
	}
}

// A bodyReader reads the body of a rule.
type bodyReader struct {
	m    *matcher
	rest string
}

func (p *bodyReader) alternatives() [][]symbol {
	out := [][]symbol{p.sequence()}
	for strings.HasPrefix(p.rest, "|") {
		p.rest = strings.TrimLeft(p.rest[1:], " ")
		out = append(out, p.sequence())
	}
	return out
}

func (p *bodyReader) sequence() []symbol {
	out := []symbol{}
	for p.rest != "" && p.rest[0] != '|' && p.rest[0] != ')' {
		item := p.item()
		least, most := p.repetition()
		if least == 1 && most == 1 {
			out = append(out, item...)
		} else {
			out = append(out, p.repeat(item, least, most)...)
		}
		p.rest = strings.TrimLeft(p.rest, " ")
	}
	return out
}

func (p *bodyReader) rule(alternatives ...[]symbol) symbol {
	p.m.names++
	name := "made " + strconv.Itoa(p.m.names)
	p.m.rules[name] = alternatives
	return symbol{rule: name}
}

func (p *bodyReader) repeat(item []symbol, least, most int) []symbol {
	if max(least, most) > 2000 {
		panic("more repetitions than llama-server takes")
	}
	var out []symbol
	for range least {
		out = append(out, item...)
	}
	if most < 0 {
		p.m.names++
		name := "made " + strconv.Itoa(p.m.names)
		p.m.rules[name] = [][]symbol{append(slices.Clone(item), symbol{rule: name}), {}}
		return append(out, symbol{rule: name})
	}
	var last []symbol
	for range most - least {
		last = []symbol{p.rule(slices.Concat(item, last), nil)}
	}
	return append(out, last...)
}

func (p *bodyReader) repetition() (least, most int) {
	if p.rest == "" {
		return 1, 1
	}
	switch p.rest[0] {
	case '*':
		least, most = 0, -1
	case '+':
		least, most = 1, -1
	case '?':
		least, most = 0, 1
	case '{':
		inner, rest, _ := strings.Cut(p.rest[1:], "}")
		from, to, two := strings.Cut(inner, ",")
		p.rest = " " + rest
		least, _ = strconv.Atoi(from)
		switch most = -1; {
		case !two:
			most = least
		case to != "":
			most, _ = strconv.Atoi(to)
		}
	default:
		return 1, 1
	}
	p.rest = p.rest[1:]
	return least, most
}

func (p *bodyReader) item() []symbol {
	switch p.rest[0] {
	case '"':
		p.rest = p.rest[1:]
		var out []symbol
		for p.rest[0] != '"' {
			c := p.char()
			out = append(out, symbol{ranges: []rune{c, c}})
		}
		p.rest = p.rest[1:]
		return out
	case '[':
		s := symbol{}
		if p.rest = p.rest[1:]; p.rest[0] == '^' {
			s.negated, p.rest = true, p.rest[1:]
		}
		for p.rest[0] != ']' {
			from := p.char()
			to := from
			if p.rest[0] == '-' && p.rest[1] != ']' {
				p.rest = p.rest[1:]
				to = p.char()
			}
			s.ranges = append(s.ranges, from, to)
		}
		p.rest = p.rest[1:]
		return []symbol{s}
	case '(':
		p.rest = p.rest[1:]
		inner := p.alternatives()
		if p.rest == "" || p.rest[0] != ')' {
			panic("a group without its end: " + p.rest)
		}
		p.rest = p.rest[1:]
		return []symbol{p.rule(inner...)}
	}
	end := strings.IndexAny(p.rest+" ", " *+?{|)")
	name := p.rest[:end]
	if strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" || name == "" {
		panic(fmt.Sprintf("no name of a rule: %q", p.rest))
	}
	p.rest = p.rest[end:]
	return []symbol{{rule: name}}
}

// char reads one character, which may be escaped.
func (p *bodyReader) char() rune {
	if p.rest[0] != '\\' {
		c := []rune(p.rest)[0]
		p.rest = p.rest[len(string(c)):]
		return c
	}
	digits := map[byte]int{'x': 2, 'u': 4, 'U': 8}[p.rest[1]]
	if digits > 0 {
		c, err := strconv.ParseUint(p.rest[2:2+digits], 16, 32)
		if err != nil {
			panic(err)
		}
		p.rest = p.rest[2+digits:]
		return rune(c)
	}
	c, ok := map[byte]rune{'n': '\n', 'r': '\r', 't': '\t', '"': '"', '[': '[', ']': ']', '\\': '\\'}[p.rest[1]]
	if !ok {
		panic("no escape of GBNF: " + p.rest)
	}
	p.rest = p.rest[2:]
	return c
}

// A stack is what may follow, the next symbol first.
type stack struct {
	top  *symbol
	next *stack
}

// accepts reports whether a text is one of the grammar, and at which character it fails where it is not.
func (m *matcher) accepts(text string) (ok bool, at int) {
	var stacks []*stack
	seen := map[string]bool{}
	m.expand(&symbol{rule: "root"}, nil, &stacks, seen)
	for i, c := range text {
		var after []*stack
		seen := map[string]bool{}
		for _, s := range stacks {
			if s != nil && s.top.takes(c) {
				m.settle(s.next, &after, seen)
			}
		}
		if len(after) == 0 {
			return false, i
		}
		stacks = after
	}
	return slices.Contains(stacks, nil), len(text)
}

// expand adds the stacks that begin with a character of a symbol above a stack.
func (m *matcher) expand(s *symbol, next *stack, out *[]*stack, seen map[string]bool) {
	if s.rule == "" {
		key := fmt.Sprintf("%p %p", s, next)
		if !seen[key] {
			seen[key] = true
			*out = append(*out, &stack{s, next})
		}
		return
	}
	key := fmt.Sprintf("%s %p", s.rule, next)
	if seen[key] {
		return
	}
	seen[key] = true
	for _, a := range m.rules[s.rule] {
		below := next
		for i := len(a) - 1; i > 0; i-- {
			below = &stack{&a[i], below}
		}
		if len(a) == 0 {
			m.settle(next, out, seen)
		} else {
			m.expand(&a[0], below, out, seen)
		}
	}
}

// settle adds the stacks that a stack comes to.
func (m *matcher) settle(s *stack, out *[]*stack, seen map[string]bool) {
	if s == nil {
		if !slices.Contains(*out, nil) {
			*out = append(*out, nil)
		}
		return
	}
	m.expand(s.top, s.next, out, seen)
}
