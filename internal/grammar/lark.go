package grammar

import (
	"strconv"
	"strings"
)

// larkPattern returns a regular expression for the texts that satisfy a Lark grammar.
func larkPattern(text string) (string, error) {
	def, err := parse(text)
	if err != nil {
		return "", err
	}
	w := &writer{definition: def, done: map[string]string{}, open: map[string]bool{}}
	if len(def.ignored) > 0 {
		ignored, err := w.node(&node{kind: nodeRepeat, max: -1, children: []*node{{kind: nodeChoice, children: def.ignored}}}, inTerminal)
		if err != nil {
			return "", err
		}
		w.between = ignored
	}
	start, err := w.patternOf("start", inRule)
	if err != nil {
		return "", err
	}
	return start + w.between, nil
}

// A place is the context of an expression: a rule, in which ignored text may precede each terminal, or a terminal, in
// which no text is ignored.
type place bool

const (
	inRule     place = false
	inTerminal place = true
)

// A writer converts rules to one regular expression.
type writer struct {
	*definition
	between string            // the pattern of ignored text
	done    map[string]string // finished patterns by name
	open    map[string]bool   // names whose patterns are being built
	bytes   int               // total bytes written, with inner patterns counted again in each outer one
}

// maxWritten is the maximum of writer.bytes. It limits the work of a writer.
const maxWritten = 16 * maxPattern

// checkSize adds the length of a pattern to w.bytes. It returns the pattern, or an error if it or w.bytes is too large.
func (w *writer) checkSize(pattern string) (string, error) {
	if w.bytes += len(pattern); len(pattern) > maxPattern || w.bytes > maxWritten {
		return "", unsupportedError("the grammar is too large to be checked")
	}
	return pattern, nil
}

// isTerminal reports whether a name is that of a terminal: its first letter is a capital.
func isTerminal(name string) bool {
	name = strings.TrimLeft(name, "_")
	return name != "" && name[0] >= 'A' && name[0] <= 'Z'
}

// patternOf returns the pattern of a rule or a terminal. In a rule, the pattern of a terminal begins with ignored text.
func (w *writer) patternOf(name string, at place) (string, error) {
	pattern, ok := w.done[name]
	if !ok {
		var err error
		if pattern, err = w.define(name); err != nil {
			return "", err
		}
		w.done[name] = pattern
	}
	if isTerminal(name) && at == inRule {
		pattern = w.between + pattern
	}
	return w.checkSize(pattern)
}

// define builds the pattern of a rule or a terminal.
func (w *writer) define(name string) (string, error) {
	n := w.definition.named[name]
	switch {
	case n == nil:
		return "", unsupportedError("the grammar has no rule named %s", clip(name))
	case w.open[name]:
		return "", unsupportedError("the rule %s of the grammar refers to itself", clip(name))
	case len(w.open) > maxNesting:
		return "", unsupportedError("the rules of the grammar are nested too deeply")
	}
	w.open[name] = true
	defer delete(w.open, name)
	return w.node(removeRecursion(name, n), place(isTerminal(name)))
}

// removeRecursion returns a rule without references to itself at the beginning or the end of its alternatives: a: a X |
// Y a | Z becomes Y* Z X*.
func removeRecursion(name string, n *node) *node {
	isSelf := func(n *node) bool { return n.kind == nodeName && n.text == name }
	before, after, rest := &node{kind: nodeChoice}, &node{kind: nodeChoice}, &node{kind: nodeChoice}
	if n.kind != nodeChoice {
		return n
	}
	for _, alternative := range n.children {
		parts := alternative.children
		last := len(parts) - 1
		switch {
		case alternative.kind == nodeSequence && last > 0 && isSelf(parts[0]):
			after.children = append(after.children, &node{kind: nodeSequence, children: parts[1:]})
		case alternative.kind == nodeSequence && last > 0 && isSelf(parts[last]):
			before.children = append(before.children, &node{kind: nodeSequence, children: parts[:last]})
		default:
			rest.children = append(rest.children, alternative)
		}
	}
	if len(rest.children) == len(n.children) {
		return n
	}
	out := &node{kind: nodeSequence}
	if len(before.children) > 0 {
		out.children = append(out.children, &node{kind: nodeRepeat, max: -1, children: []*node{before}})
	}
	out.children = append(out.children, rest)
	if len(after.children) > 0 {
		out.children = append(out.children, &node{kind: nodeRepeat, max: -1, children: []*node{after}})
	}
	return out
}

// node returns the pattern of an expression.
func (w *writer) node(n *node, at place) (string, error) {
	switch n.kind {
	case nodePattern:
		if at == inRule {
			return w.checkSize(w.between + n.text)
		}
		return w.checkSize(n.text)
	case nodeName:
		return w.patternOf(n.text, at)
	case nodeRepeat:
		inner, err := w.node(n.children[0], at)
		if err != nil {
			return "", err
		}
		return w.checkSize("(?:" + inner + ")" + operator(n.min, n.max))
	default:
		return w.list(n, at)
	}
}

// list returns the pattern of a sequence or a choice.
func (w *writer) list(n *node, at place) (string, error) {
	if n.kind == nodeChoice && len(n.children) == 0 {
		return `[^\x{0}-\x{10FFFF}]`, nil // matches no text, since every alternative refers to the rule itself
	}
	parts := make([]string, len(n.children))
	for i, child := range n.children {
		part, err := w.node(child, at)
		if err != nil {
			return "", err
		}
		parts[i] = part
	}
	if n.kind == nodeSequence {
		return w.checkSize(strings.Join(parts, ""))
	}
	return w.checkSize("(?:" + strings.Join(parts, "|") + ")")
}

// operator returns the operator of a repetition: "?", "*", "+" or "{2,3}". A negative most means no maximum.
func operator(least, most int) string {
	switch {
	case most == 1 && least == 0:
		return "?"
	case most < 0 && least == 0:
		return "*"
	case most < 0 && least == 1:
		return "+"
	}
	return "{" + strconv.Itoa(least) + "," + strconv.Itoa(most) + "}"
}
