package grammar

import (
	"fmt"
	"regexp/syntax"
	"strings"
)

// A Grammar is a compiled grammar. It is safe for concurrent use.
type Grammar struct {
	kind string
	prog *syntax.Prog
}

// The syntaxes of grammars.
const (
	Lark  = "lark"
	Regex = "regex"
)

const (
	maxDefinition   = 32 << 10 // bytes of a definition
	maxPattern      = 32 << 10 // bytes of the resulting regular expression
	maxInstructions = 16 << 10 // instructions of the compiled regular expression
)

// An UnsupportedError is the reason why a grammar cannot be checked.
type UnsupportedError struct {
	Reason string
}

func (e *UnsupportedError) Error() string { return e.Reason }

func unsupportedError(format string, args ...any) error {
	return &UnsupportedError{fmt.Sprintf(format, args...)}
}

// Compile compiles a definition with the syntax kind, Lark or Regex. Every error is an *UnsupportedError: the grammar
// is not supported, too large or invalid.
func Compile(kind, definition string) (*Grammar, error) {
	if len(definition) > maxDefinition {
		return nil, unsupportedError("the grammar is longer than %d bytes", maxDefinition)
	}
	pattern, err := "", error(nil)
	switch kind {
	case Lark:
		pattern, err = larkPattern(definition)
	case Regex:
		pattern, err = translate(definition)
	default:
		return nil, unsupportedError("grammars of the syntax %q are not checked", clip(kind))
	}
	if err != nil {
		return nil, err
	}
	if wideRanges(pattern) > maxWideRanges && ignoresCase(pattern) {
		return nil, unsupportedError("the grammar has too many ranges without regard to case")
	}
	tree, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return nil, unsupportedError("the pattern is outside of RE2: %v", err)
	}
	if size(tree) > maxInstructions {
		return nil, unsupportedError("the grammar is too large to be checked")
	}
	prog, err := syntax.Compile(tree.Simplify())
	if err != nil {
		return nil, unsupportedError("the pattern is outside of RE2: %v", err)
	}
	return &Grammar{kind, prog}, nil
}

// Kind returns the syntax of the grammar: Lark or Regex.
func (g *Grammar) Kind() string { return g.kind }

// maxWideRanges is the maximum number of non-ASCII ranges in a case-insensitive pattern, since package syntax visits
// each character of such a range.
const maxWideRanges = 64

// ignoresCase reports whether a part of a pattern may be case-insensitive.
func ignoresCase(pattern string) bool {
	for rest := pattern; ; {
		_, after, found := strings.Cut(rest, "(?")
		if !found {
			return false
		}
		flags := after[:runLength(after, func(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '-' })]
		if strings.Contains(flags, "i") {
			return true
		}
		rest = after
	}
}

// wideRanges returns the number of ranges in a pattern that may end outside ASCII.
func wideRanges(pattern string) int {
	n := 0
	for i := 1; i < len(pattern); i++ {
		if pattern[i-1] == '-' && (pattern[i] == '\\' || pattern[i] >= 0x80) {
			n++
		}
	}
	return n
}

// size estimates the number of instructions of a compiled expression.
func size(re *syntax.Regexp) int {
	n := 1
	switch re.Op {
	case syntax.OpLiteral:
		n = len(re.Rune)
	case syntax.OpRepeat:
		times := re.Max
		if times < 0 {
			times = re.Min + 1
		}
		return min(1+times*(1+size(re.Sub[0])), maxInstructions+1)
	}
	for _, sub := range re.Sub {
		n = min(n+1+size(sub), maxInstructions+1)
	}
	return n
}

// clip cuts a text to at most 40 bytes for an error.
func clip(s string) string {
	const most = 40
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "..."
}
