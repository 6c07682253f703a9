package callrule

import (
	"fmt"
	"regexp"
	"regexp/syntax"
	"slices"

	"cel.dev/cel-go/common/overloads"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/interpreter"
)

// A pattern is a compiled regular expression with the number of its instructions. The time of a match is proportional
// to that number times the length of the text (https://pkg.go.dev/regexp), so that it can be limited in advance.
type pattern struct {
	re           *regexp.Regexp
	instructions int
}

// compilePattern compiles a regular expression. It rejects a large one in advance, because CEL counts the cost only
// after the match. spent is the number of instructions that were compiled, also of a rejected one.
func compilePattern(text string) (p *pattern, spent int, err error) {
	if len(text) > maxExpression {
		return nil, 0, fmt.Errorf("expected a regular expression of at most %d bytes, got %d", maxExpression, len(text))
	}
	tree, err := syntax.Parse(text, syntax.Perl)
	if err != nil {
		return nil, len(text), err
	}
	program, err := syntax.Compile(tree.Simplify())
	if err != nil {
		return nil, len(text), err
	}
	n := len(program.Inst)
	if n > maxRegex {
		return nil, n, fmt.Errorf("expected a regular expression of at most %d instructions, got %d", maxRegex, n)
	}
	re, err := regexp.Compile(text)
	if err != nil {
		return nil, n, err
	}
	return &pattern{re, n}, n, nil
}

// patternsName is the variable that has the *patterns of an evaluation. It is no identifier, so that no expression can
// refer to it.
const patternsName = "patterns of matches"

// patterns has the regular expressions that one evaluation compiled from arguments. Each is compiled once, and the
// number of instructions is limited, because CEL counts neither the time nor the memory. As a value of CEL it is null.
type patterns struct {
	types.Null
	compiled map[string]*pattern
	spent    int // number of instructions
}

// compile returns a compiled regular expression, cached within the evaluation. Beyond maxPatterns it returns an error.
func (l *patterns) compile(text string) (*pattern, error) {
	if p := l.compiled[text]; p != nil {
		return p, nil
	}
	if l.spent > maxPatterns {
		return nil, fmt.Errorf("operation cancelled: cost limit exceeded: the regular expressions of one evaluation have more than %d instructions", maxPatterns)
	}
	p, spent, err := compilePattern(text)
	if l.spent += spent; err != nil {
		return nil, err
	}
	if l.compiled == nil {
		l.compiled = map[string]*pattern{}
	}
	l.compiled[text] = p
	return p, nil
}

// A patternsNode is an additional argument of the CEL function matches. Its value is the *patterns of the evaluation.
type patternsNode struct{ id int64 }

// ID implements interpreter.Interpretable.
func (n patternsNode) ID() int64 { return n.id }

// Eval implements interpreter.Interpretable.
func (n patternsNode) Eval(a interpreter.Activation) ref.Val {
	if v, ok := a.ResolveName(patternsName); ok {
		if l, ok := v.(*patterns); ok {
			return l
		}
	}
	return &patterns{}
}

// Exec implements interpreter.InterpretableV2.
func (n patternsNode) Exec(f *interpreter.ExecutionFrame) ref.Val { return n.Eval(f) }

// match reports whether the text contains a match of the pattern. It returns an error before a match that would exceed
// maxMatchSteps.
func (p *pattern) match(text string) ref.Val {
	if most := maxMatchSteps / p.instructions; len(text) > most {
		return types.WrapErr(fmt.Errorf("operation cancelled: cost limit exceeded: matches looks at texts of at most %d bytes for this pattern, got %d", most, len(text)))
	}
	return types.Bool(p.re.MatchString(text))
}

// boundMatches returns node or, if it is a call of the CEL function matches, a node for a call with limits. A constant
// pattern is compiled once for all evaluations.
func boundMatches(node interpreter.Interpretable) (interpreter.Interpretable, error) {
	call, ok := node.(interpreter.InterpretableCall)
	if !ok || call.Function() != overloads.Matches || len(call.Args()) != 2 {
		return node, nil
	}
	args := call.Args()
	compile := func(args []ref.Val) (*pattern, error) {
		return args[2].(*patterns).compile(string(args[1].(types.String)))
	}
	if c, ok := args[1].(interpreter.InterpretableConst); ok {
		text, _ := c.Value().(types.String)
		p, _, err := compilePattern(string(text))
		if err != nil {
			return nil, err
		}
		compile = func([]ref.Val) (*pattern, error) { return p, nil }
	} else {
		args = append(slices.Clip(args), patternsNode{call.ID()})
	}
	return interpreter.NewCall(call.ID(), call.Function(), call.OverloadID(), args, func(args ...ref.Val) ref.Val {
		text, isText := args[0].(types.String)
		if _, isPattern := args[1].(types.String); !isText || !isPattern {
			return types.NoSuchOverloadErr()
		}
		p, err := compile(args)
		if err != nil {
			return types.WrapErr(err)
		}
		return p.match(string(text))
	}), nil
}
