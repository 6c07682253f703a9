package grammar

import (
	"errors"
	"fmt"
	"regexp/syntax"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A Budget limits the total work of several checks, in steps. A step processes one instruction of the compiled grammar
// at one position of the text.
type Budget struct {
	Steps int
}

// DefaultSteps is sufficient for 100 KB of text and a grammar of some hundred terminals.
const DefaultSteps = 1 << 25

// ErrBudget is the error of a check that exceeds its budget.
var ErrBudget = errors.New("the check takes too many steps")

// A MismatchError is the first position at which a text violates a grammar.
type MismatchError struct {
	Kind         string   // syntax of the grammar
	Offset       int      // offset in bytes; the text before it is a prefix of a valid text
	Line, Column int      // position of Offset, counted from 1; columns are characters
	Expected     []string // permitted input at Offset, as quoted literals and classes; at most maxExpected
	Found        string   // actual input at Offset, quoted; "the end of the input" at the end
}

func (e *MismatchError) Error() string {
	at := fmt.Sprintf("the input breaks the tool's %s grammar at line %d, column %d: ", e.Kind, e.Line, e.Column)
	expected := "the end of the input"
	if len(e.Expected) > 0 {
		expected = strings.Join(e.Expected, " or ")
	}
	return at + "expected " + expected + ", found " + e.Found
}

// Check returns a *MismatchError if the text does not satisfy the grammar, and ErrBudget if the budget is exhausted.
func (g *Grammar) Check(text string, b *Budget) error {
	m := matcher{prog: g.prog, budget: b, now: newSet(len(g.prog.Inst)), next: newSet(len(g.prog.Inst))}
	at := 0
	first, width := decode(text, 0)
	m.follow(m.now, uint32(g.prog.Start), syntax.EmptyOpContext(-1, first))
	for width > 0 {
		after, nextWidth := decode(text, at+width)
		flags := syntax.EmptyOpContext(first, after)
		m.next.clear()
		for _, pc := range m.now.list {
			if in := &g.prog.Inst[pc]; takesRune(in) && in.MatchRune(first) {
				m.follow(m.next, in.Out, flags)
			}
		}
		if m.budget.Steps -= len(m.now.list) + 1; m.budget.Steps < 0 {
			return ErrBudget
		}
		if len(m.next.list) == 0 {
			return g.mismatch(text, at, m.now)
		}
		m.now, m.next = m.next, m.now
		at, first, width = at+width, after, nextWidth
	}
	for _, pc := range m.now.list {
		if g.prog.Inst[pc].Op == syntax.InstMatch {
			return nil
		}
	}
	return g.mismatch(text, at, m.now)
}

// decode returns the character at an offset and its width in bytes, or -1 and 0 at the end.
func decode(text string, at int) (r rune, width int) {
	if at == len(text) {
		return -1, 0
	}
	return utf8.DecodeRuneInString(text[at:])
}

func takesRune(in *syntax.Inst) bool {
	switch in.Op {
	case syntax.InstRune, syntax.InstRune1, syntax.InstRuneAny, syntax.InstRuneAnyNotNL:
		return true
	}
	return false
}

// A matcher runs a compiled grammar on a text with all threads in parallel.
type matcher struct {
	prog      *syntax.Prog
	budget    *Budget
	now, next *set     // threads at the present and at the following character
	stack     []uint32 // instructions that follow still visits
}

// follow adds to a set an instruction and all that it reaches without consuming a character. flags are the zero-width
// conditions that hold at the position, such as the beginning of a line.
func (m *matcher) follow(to *set, pc uint32, flags syntax.EmptyOp) {
	m.stack = append(m.stack[:0], pc)
	for len(m.stack) > 0 {
		pc := m.stack[len(m.stack)-1]
		m.stack = m.stack[:len(m.stack)-1]
		if !to.visit(pc) {
			continue
		}
		m.budget.Steps--
		in := &m.prog.Inst[pc]
		switch in.Op {
		case syntax.InstAlt, syntax.InstAltMatch:
			m.stack = append(m.stack, in.Arg, in.Out)
		case syntax.InstCapture, syntax.InstNop:
			m.stack = append(m.stack, in.Out)
		case syntax.InstEmptyWidth:
			if syntax.EmptyOp(in.Arg)&^flags == 0 {
				m.stack = append(m.stack, in.Out)
			}
		case syntax.InstFail:
		default:
			to.list = append(to.list, pc)
		}
	}
}

// A set is a set of instructions. list has those at which threads wait for a character. marks has, for each
// instruction, the round of its last visit.
type set struct {
	list  []uint32
	marks []uint32
	round uint32
}

func newSet(n int) *set { return &set{marks: make([]uint32, n), round: 1} }

func (s *set) clear() {
	s.list = s.list[:0]
	if s.round++; s.round == 0 {
		clear(s.marks)
		s.round = 1
	}
}

func (s *set) visit(pc uint32) bool {
	if s.marks[pc] == s.round {
		return false
	}
	s.marks[pc] = s.round
	return true
}

// maxExpected is the maximum number of alternatives in a MismatchError.
const maxExpected = 6

// mismatch returns the error for a position at which no thread can continue. waiting has the instructions at which the
// threads wait for a character.
func (g *Grammar) mismatch(text string, at int, waiting *set) *MismatchError {
	e := &MismatchError{Kind: g.kind, Offset: at, Line: 1 + strings.Count(text[:at], "\n"), Found: "the end of the input"}
	line := text[strings.LastIndexByte(text[:at], '\n')+1:]
	e.Column = 1 + utf8.RuneCountInString(line[:at-(len(text)-len(line))])
	if at < len(text) {
		rest := text[at:]
		if end := strings.IndexByte(rest, '\n'); end > 0 {
			rest = rest[:end]
		}
		e.Found = strconv.Quote(clip(rest))
	}
	l := lister{prog: g.prog, visited: map[uint32]bool{}}
	for _, pc := range waiting.list {
		l.list(pc, "")
	}
	l.found = slices.DeleteFunc(slices.Clone(l.found), l.isLonger)
	if len(l.found) > maxExpected {
		l.found = append(l.found[:maxExpected-1], "other text")
	}
	e.Expected = l.found
	return e
}

// A lister collects the literals and classes that are permitted at a position.
type lister struct {
	prog    *syntax.Prog
	visited map[uint32]bool
	found   []string
}

// maxLiteral is the maximum length in bytes of a literal in a MismatchError. A literal also ends at a newline.
const maxLiteral = 40

// list adds the inputs that an instruction expects. literal is the text that was expected before it.
func (l *lister) list(pc uint32, literal string) {
	in := &l.prog.Inst[pc]
	switch {
	case len(l.found) > 4*maxExpected:
	case l.visited[pc]:
		l.add(literal, "")
	case in.Op == syntax.InstAlt || in.Op == syntax.InstAltMatch:
		l.visited[pc] = true
		l.list(in.Out, literal)
		l.list(in.Arg, literal)
	case in.Op == syntax.InstNop || in.Op == syntax.InstCapture:
		l.visited[pc] = true
		l.list(in.Out, literal)
	case in.Op == syntax.InstRune1 || in.Op == syntax.InstRune && len(in.Rune) == 1:
		l.visited[pc] = true
		if literal += string(in.Rune[0]); in.Rune[0] == '\n' || len(literal) >= maxLiteral {
			l.add(literal, "")
			return
		}
		l.list(in.Out, literal)
	default:
		l.add(literal, words(in))
	}
}

// add adds a literal in quotes, or the description in words if the literal is empty. It adds no text twice.
func (l *lister) add(literal, words string) {
	if literal != "" {
		words = strconv.Quote(literal)
	}
	if words != "" && !slices.Contains(l.found, words) {
		l.found = append(l.found, words)
	}
}

// isLonger reports whether words is a quoted literal that begins with another literal in l.found.
func (l *lister) isLonger(words string) bool {
	return words[0] == '"' && slices.ContainsFunc(l.found, func(other string) bool {
		return other[0] == '"' && len(other) < len(words) && strings.HasPrefix(words, other[:len(other)-1])
	})
}

// words describes the input that an instruction expects.
func words(in *syntax.Inst) string {
	switch in.Op {
	case syntax.InstMatch:
		return "the end of the input"
	case syntax.InstRuneAny:
		return "any character"
	case syntax.InstRuneAnyNotNL:
		return "any character but a line end"
	case syntax.InstRune:
		return "one of " + class(in.Rune)
	}
	return ""
}

// class returns the ranges of a character class, at most the first four.
func class(ranges []rune) string {
	var b strings.Builder
	b.WriteByte('[')
	for i := 0; i+1 < len(ranges); i += 2 {
		if i == 8 {
			b.WriteString("...")
			break
		}
		lo, hi := strconv.QuoteRune(ranges[i]), strconv.QuoteRune(ranges[i+1])
		b.WriteString(lo[1 : len(lo)-1])
		if lo != hi {
			b.WriteString("-" + hi[1:len(hi)-1])
		}
	}
	return b.String() + "]"
}
