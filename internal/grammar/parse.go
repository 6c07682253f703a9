package grammar

import (
	"strconv"
	"strings"
)

// A nodeKind is the type of a node.
type nodeKind int

const (
	nodePattern  nodeKind = iota // a string or a regular expression, as an RE2 pattern
	nodeName                     // a rule or a terminal
	nodeSequence                 // its children in sequence
	nodeChoice                   // one of its children
	nodeRepeat                   // its child, repeated from min to max times
)

// A node is an expression of a Lark grammar.
type node struct {
	kind     nodeKind
	text     string // the pattern or the name
	children []*node
	min, max int // max is -1 for no maximum
}

// maxNesting is the maximum depth of brackets.
const maxNesting = 100

// A definition contains the rules and terminals of a Lark grammar by name, and the texts that are ignored between
// terminals.
type definition struct {
	named   map[string]*node
	ignored []*node
}

// A parser parses a Lark grammar.
type parser struct {
	tokens []token
	depth  int
	out    definition
}

// parse parses a Lark grammar.
func parse(text string) (*definition, error) {
	list, err := tokens(text)
	if err != nil {
		return nil, err
	}
	p := &parser{tokens: list, out: definition{named: map[string]*node{}}}
	for {
		p.skipLines()
		if p.tokens[0].kind == tokenEnd {
			return &p.out, nil
		}
		if err := p.statement(); err != nil {
			return nil, err
		}
	}
}

func (p *parser) skipLines() {
	for p.tokens[0].kind == tokenLine {
		p.tokens = p.tokens[1:]
	}
}

// take consumes the next token and returns it. It does not consume the end.
func (p *parser) take() token {
	t := p.tokens[0]
	if t.kind != tokenEnd {
		p.tokens = p.tokens[1:]
	}
	return t
}

// takeMark reports whether the next token is the given operator. If so, it consumes the token.
func (p *parser) takeMark(mark string) bool {
	if !p.tokens[0].is(mark) {
		return false
	}
	p.take()
	return true
}

// statement parses a rule, a terminal or a directive.
func (p *parser) statement() error {
	t := p.take()
	if t.kind == tokenKeyword {
		switch t.text {
		case "%ignore":
			n, err := p.choice()
			p.out.ignored = append(p.out.ignored, n)
			return err
		case "%import":
			return p.imports()
		}
		return unsupportedError("%s of a grammar is not checked", clip(t.text))
	}
	for t.is("?") || t.is("!") {
		t = p.take()
	}
	if t.kind != tokenName {
		return unsupportedError("the grammar has %q where a rule begins", clip(t.text))
	}
	if p.takeMark(".") {
		p.take() // a priority
	}
	if !p.takeMark(":") {
		return unsupportedError("the rule %s of the grammar is no plain one", clip(t.text))
	}
	if p.out.named[t.text] != nil {
		return unsupportedError("the grammar has two rules named %s", clip(t.text))
	}
	n, err := p.choice()
	p.out.named[t.text] = n
	return err
}

// imports parses the names of %import. Only terminals of common are supported.
func (p *parser) imports() error {
	if from := p.take(); from.kind != tokenName || from.text != "common" {
		return unsupportedError("the grammar imports from %q", clip(from.text))
	}
	var err error
	if p.takeMark(".") {
		name := p.take().text
		as := name
		if p.takeMark("->") {
			as = p.take().text
		}
		return p.bring(name, as)
	}
	list := p.takeMark("(")
	for list && err == nil && !p.takeMark(")") {
		name := p.take().text
		err = p.bring(name, name)
		p.takeMark(",")
	}
	return err
}

// bring imports the terminal called name of the grammar common, under the name that the parameter as contains.
func (p *parser) bring(name, as string) error {
	pattern, ok := common[name]
	if !ok || as == "" {
		return unsupportedError("common has no terminal %q", clip(name))
	}
	p.out.named[as] = &node{kind: nodePattern, text: pattern}
	return nil
}

// isNext reports whether the next token begins a statement, possibly after the modifiers ? and ! of a rule.
func (p *parser) isNext() bool {
	list := p.tokens
	for list[0].is("?") || list[0].is("!") {
		list = list[1:]
	}
	switch {
	case list[0].kind == tokenEnd, list[0].kind == tokenKeyword:
		return true
	case list[0].kind != tokenName:
		return false
	}
	return list[1].is(":") || list[1].is(".") || list[1].is("{")
}

// choice parses alternatives.
func (p *parser) choice() (*node, error) {
	if p.depth++; p.depth > maxNesting {
		return nil, unsupportedError("the brackets of the grammar are nested too deeply")
	}
	defer func() { p.depth-- }()
	out := &node{kind: nodeChoice}
	for {
		n, err := p.sequence()
		if err != nil {
			return nil, err
		}
		out.children = append(out.children, n)
		if !p.takeMark("|") {
			return out, nil
		}
	}
}

// sequence parses the items of one alternative, up to a bar, a closing bracket or the next statement. It ignores an
// alias.
func (p *parser) sequence() (*node, error) {
	out := &node{kind: nodeSequence}
	for {
		if p.tokens[0].kind == tokenLine {
			if p.skipLines(); p.depth == 1 && p.isNext() {
				return out, nil
			}
		}
		switch t := p.tokens[0]; {
		case t.kind == tokenEnd, t.is("|"), t.is(")"), t.is("]"):
			return out, nil
		case t.is("->"):
			p.take()
			p.take()
			continue
		}
		n, err := p.parseRepetition()
		if err != nil {
			return nil, err
		}
		out.children = append(out.children, n)
	}
}

// parseRepetition parses an atom with its repetition operator.
func (p *parser) parseRepetition() (*node, error) {
	n, err := p.atom()
	if err != nil {
		return nil, err
	}
	switch {
	case p.takeMark("?"):
		return &node{kind: nodeRepeat, children: []*node{n}, max: 1}, nil
	case p.takeMark("*"):
		return &node{kind: nodeRepeat, children: []*node{n}, max: -1}, nil
	case p.takeMark("+"):
		return &node{kind: nodeRepeat, children: []*node{n}, min: 1, max: -1}, nil
	case p.takeMark("~"):
		least, ok := p.count()
		most := least
		if p.takeMark("..") && ok {
			most, ok = p.count()
		}
		if !ok || most < least {
			return nil, unsupportedError("a number of repetitions of the grammar cannot be read")
		}
		return &node{kind: nodeRepeat, children: []*node{n}, min: least, max: most}, nil
	}
	return n, nil
}

func (p *parser) count() (int, bool) {
	n, err := strconv.Atoi(p.take().text)
	return n, err == nil && n >= 0 && n <= 1000 // the maximum of RE2
}

// atom parses a name, a literal or a group.
func (p *parser) atom() (*node, error) {
	switch t := p.take(); {
	case t.is("("):
		n, err := p.choice()
		if err == nil && !p.takeMark(")") {
			err = unsupportedError("a bracket of the grammar is not closed")
		}
		return n, err
	case t.is("["):
		n, err := p.choice()
		if err == nil && !p.takeMark("]") {
			err = unsupportedError("a bracket of the grammar is not closed")
		}
		return &node{kind: nodeRepeat, children: []*node{n}, max: 1}, err
	case t.kind == tokenName:
		if p.tokens[0].is("{") {
			return nil, unsupportedError("templates of a grammar are not checked")
		}
		return &node{kind: nodeName, text: t.text}, nil
	case t.kind == tokenString && p.takeMark(".."):
		return charRange(t, p.take())
	case t.kind == tokenString:
		return stringNode(t.text)
	case t.kind == tokenRegexp:
		return regexpNode(t.text)
	default:
		return nil, unsupportedError("the grammar has %q where an expression is due", clip(t.text))
	}
}

// charRange returns the node of a range such as "a".."z".
func charRange(from, to token) (*node, error) {
	a, b := onlyCharacter(from), onlyCharacter(to)
	if a < 0 || b < a {
		return nil, unsupportedError("a range of the grammar cannot be read: %s..%s", clip(from.text), clip(to.text))
	}
	return &node{kind: nodePattern, text: "[" + codePoint(a) + "-" + codePoint(b) + "]"}, nil
}

// onlyCharacter returns the character of a string literal with a single one, or -1.
func onlyCharacter(t token) rune {
	if t.kind != tokenString || !strings.HasSuffix(t.text, `"`) {
		return -1
	}
	text, err := unquote(t.text[1 : len(t.text)-1])
	if list := []rune(text); err == nil && len(list) == 1 {
		return list[0]
	}
	return -1
}

func codePoint(r rune) string { return `\x{` + strconv.FormatInt(int64(r), 16) + `}` }
