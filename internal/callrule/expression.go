package callrule

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/ext"
)

// The limits of expressions. A cost of one is about one evaluation step: see [cel.CostLimit].
const (
	maxExpression = 4096                   // characters
	maxNodes      = 1000                   // nodes of the syntax tree
	maxDepth      = 50                     // nesting depth
	maxLoops      = 3                      // nested loops
	maxRegex      = 1000                   // instructions of a compiled regular expression
	maxCost       = 1_000_000              // total cost of one evaluation
	maxMemory     = 16 << 20               // bytes allocated by one evaluation
	maxTime       = 250 * time.Millisecond // duration of one evaluation
	checkEvery    = 1                      // loop iterations between checks of the time limit
	maxPatterns   = 50_000                 // instructions of the regular expressions from arguments in one evaluation
	maxMatchSteps = 32 << 20               // of a regular expression match: bytes times instructions
	maxParts      = 1 << 20                // parts of a split string
)

// A Problem is an error in an expression. Line and Column count from 1, Column in characters.
type Problem struct {
	Line, Column int
	Message      string
}

// Error returns the message without the position.
func (p *Problem) Error() string { return p.Message }

// An expression is a compiled expression. It is safe for concurrent use.
type expression struct{ program cel.Program }

// environment returns the CEL environment of expressions: variables, functions and limits. It is created by the first
// call.
var environment = sync.OnceValues(func() (*cel.Env, error) {
	return cel.NewEnv(append([]cel.EnvOption{
		cel.Variable("tool", cel.StringType),
		cel.Variable("args", cel.MapType(cel.StringType, cel.DynType)),
		cel.Variable("key", cel.StringType),
		cel.Variable("group", cel.StringType),
		cel.Variable("model", cel.StringType),
		cel.Variable("client", cel.StringType),
		cel.Variable("session", cel.StringType),
		cel.CrossTypeNumericComparisons(true),
		ext.Strings(),
		cel.ParserExpressionSizeLimit(maxExpression),
		cel.ParserRecursionLimit(maxDepth),
		cel.ExpressionNodeLimit(maxNodes),
		cel.ExpressionNestingDepthLimit(maxDepth),
		cel.ASTValidators(cel.ValidateRegexLiterals(), cel.ValidateRegexProgramSizeLimit(maxRegex),
			cel.ValidateComprehensionNestingLimit(maxLoops)),
	}, textFunctions()...)...)
})

// Check returns the error in an expression, nil for a valid one.
func Check(text string) *Problem {
	_, err := compile(text)
	if p, ok := errors.AsType[*Problem](err); ok {
		return p
	}
	if err != nil {
		return &Problem{Line: 1, Column: 1, Message: err.Error()}
	}
	return nil
}

// compile compiles an expression. The error is a *Problem.
func compile(text string) (*expression, error) {
	if n := len([]rune(text)); n > maxExpression {
		return nil, &Problem{Line: 1, Column: 1,
			Message: fmt.Sprintf("expected at most %d characters, got %d: split the rule into several", maxExpression, n)}
	}
	env, err := environment()
	if err != nil {
		return nil, &Problem{Line: 1, Column: 1, Message: err.Error()}
	}
	tree, issues := env.Compile(text)
	if list := issues.Errors(); len(list) > 0 {
		first := list[0]
		p := &Problem{Line: 1, Column: 1, Message: first.Message + remedyOf(first.Message)}
		if at := first.Location; at != nil && at.Line() > 0 {
			p.Line, p.Column = at.Line(), at.Column()+1
		}
		return nil, p
	}
	if out := tree.OutputType(); !out.IsExactType(cel.BoolType) && !out.IsExactType(cel.DynType) {
		return nil, &Problem{Line: 1, Column: 1,
			Message: fmt.Sprintf("expected true or false, got %s: compare it, such as args.path == \"/etc\"", out)}
	}
	program, err := env.Program(tree, cel.CustomDecorator(boundMatches), cel.CostLimit(maxCost), cel.MemoryLimit(maxMemory),
		cel.InterruptCheckFrequency(checkEvery))
	if err != nil {
		return nil, &Problem{Line: 1, Column: 1, Message: err.Error()}
	}
	return &expression{program}, nil
}

// remedies are hints for users: remedy is appended to a message of the CEL compiler that contains the text in.
var remedies = []struct{ in, remedy string }{
	{"invalid matches argument", ": expected a regular expression in RE2 syntax"},
	{"undeclared reference", ": the variables are tool, args, key, group, model, client and session; strings need quotes"},
	{"no matching overload", ": convert a value with int(), double() or string()"},
	{"token recognition error", ": strings need quotes"},
	{"Syntax error", ": see https://github.com/google/cel-spec/blob/master/doc/langdef.md"},
}

func remedyOf(message string) string {
	for _, r := range remedies {
		if strings.Contains(message, r.in) {
			return r.remedy
		}
	}
	return ""
}

// holds returns the value of the expression for the variables. It adds an internal variable to the map. It returns an
// error if the evaluation fails, for example because the call lacks a member, or if the value is not a Boolean.
func (x *expression) holds(variables map[string]any) (bool, error) {
	ctx, cancel := context.WithTimeout(context.Background(), maxTime)
	defer cancel()
	variables[patternsName] = &patterns{}
	out, _, err := x.program.ContextEval(ctx, variables)
	if err != nil {
		return false, err
	}
	b, ok := out.(types.Bool)
	if !ok {
		return false, fmt.Errorf("expected true or false, got %s", out.Type().TypeName())
	}
	return bool(b), nil
}
