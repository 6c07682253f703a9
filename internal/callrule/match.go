package callrule

import (
	"fmt"
	"regexp"
	"regexp/syntax"

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
// after the match.
func compilePattern(text string) (*pattern, error) {
	if len(text) > maxExpression {
		return nil, fmt.Errorf("expected a regular expression of at most %d bytes, got %d", maxExpression, len(text))
	}
	tree, err := syntax.Parse(text, syntax.Perl)
	if err != nil {
		return nil, err
	}
	program, err := syntax.Compile(tree.Simplify())
	if err != nil {
		return nil, err
	}
	if n := len(program.Inst); n > maxRegex {
		return nil, fmt.Errorf("expected a regular expression of at most %d instructions, got %d", maxRegex, n)
	}
	re, err := regexp.Compile(text)
	if err != nil {
		return nil, err
	}
	return &pattern{re, len(program.Inst)}, nil
}

// match reports whether the text contains a match of the pattern. It returns an error before a match that would exceed
// maxMatchSteps.
func (p *pattern) match(text string) ref.Val {
	if most := maxMatchSteps / p.instructions; len(text) > most {
		return types.WrapErr(fmt.Errorf("operation cancelled: cost limit exceeded: matches looks at texts of at most %d bytes for this pattern, got %d", most, len(text)))
	}
	return types.Bool(p.re.MatchString(text))
}

// boundMatches replaces the function matches of CEL by one with limits. A constant pattern is compiled once.
func boundMatches(node interpreter.Interpretable) (interpreter.Interpretable, error) {
	call, ok := node.(interpreter.InterpretableCall)
	if !ok || call.Function() != overloads.Matches || len(call.Args()) != 2 {
		return node, nil
	}
	var fixed *pattern
	if c, ok := call.Args()[1].(interpreter.InterpretableConst); ok {
		text, _ := c.Value().(types.String)
		var err error
		if fixed, err = compilePattern(string(text)); err != nil {
			return nil, err
		}
	}
	return interpreter.NewCall(call.ID(), call.Function(), call.OverloadID(), call.Args(), func(args ...ref.Val) ref.Val {
		text, isText := args[0].(types.String)
		given, isPattern := args[1].(types.String)
		if !isText || !isPattern {
			return types.NoSuchOverloadErr()
		}
		p := fixed
		if p == nil {
			var err error
			if p, err = compilePattern(string(given)); err != nil {
				return types.WrapErr(err)
			}
		}
		return p.match(string(text))
	}), nil
}
