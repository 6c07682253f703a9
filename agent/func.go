package agent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"time"

	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/schema"
)

// Func returns a tool that calls the Go function f. Its schema is [schema.For] of In and must describe an object: In is
// a struct or a map, struct{} for a tool without arguments. Arguments that encoding/json cannot decode into In are
// INVALID_ARGUMENTS. The result of f is encoded as JSON without HTML escapes; struct{} and nil become null. If Out is
// [Output], it is used unchanged. f must be safe for concurrent use.
//
// Func does not panic if In has no schema. [Tool.Err], CheckTool and each run of an agent with the tool return the
// error.
func Func[In, Out any](name, description string, f func(ctx context.Context, in In) (Out, error), opts ...ToolOption) Tool {
	t := Tool{Name: name, Description: description}
	t.Schema, t.err = argumentsOf[In]()
	switch {
	case t.err != nil:
	case f != nil:
		t.Run = func(ctx context.Context, arguments json.RawMessage) (Output, error) {
			var in In
			if err := readArguments(arguments, &in); err != nil {
				return Output{}, err
			}
			out, err := f(ctx, in)
			if err != nil {
				return Output{}, err
			}
			return outputOf(out)
		}
	}
	for _, o := range opts {
		o(&t)
	}
	return t
}

// argumentsOf returns the JSON Schema of In. It returns an error if the schema does not describe an object.
func argumentsOf[In any]() (json.RawMessage, error) {
	s, err := schema.For[In]()
	if err != nil {
		return nil, err
	}
	if kind, _ := jsonx.Find(s, "type"); jsonx.TextOf(kind) != "object" {
		return nil, fmt.Errorf("expected arguments that are an object, got %s", reflect.TypeFor[In]())
	}
	return s, nil
}

// readArguments decodes the arguments of a call into a value. Empty arguments count as {}. Errors are *ToolError.
func readArguments(arguments json.RawMessage, into any) error {
	if len(arguments) == 0 {
		arguments = json.RawMessage("{}")
	}
	err := json.Unmarshal(arguments, into)
	if err == nil {
		return nil
	}
	if told, ok := errors.AsType[*ToolError](err); ok {
		return told
	}
	if e, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		path := ""
		if e.Field != "" {
			path = "/" + strings.ReplaceAll(e.Field, ".", "/")
		}
		return &ToolError{Code: CodeInvalidArguments, Message: fmt.Sprintf("expected %s, got %s", e.Type, e.Value), Path: path}
	}
	return &ToolError{Code: CodeInvalidArguments, Message: err.Error()}
}

// outputOf converts the result of a tool's function to an Output.
func outputOf(out any) (Output, error) {
	switch v := out.(type) {
	case Output:
		return v, nil
	case *Output:
		if v != nil {
			return *v, nil
		}
	case struct{}:
		return Output{Data: json.RawMessage("null")}, nil
	}
	data, err := jsonx.Marshal(out)
	if err != nil {
		return Output{}, fmt.Errorf("the output cannot be written as JSON: %w", err)
	}
	return Output{Data: data}, nil
}

// A ToolOption sets a property of a [Tool] that Func returns. If two options contradict, the last one wins.
type ToolOption func(*Tool)

// WithTimeout sets the time limit of one call of the tool. Without it the agent's limit applies.
func WithTimeout(d time.Duration) ToolOption { return func(t *Tool) { t.Timeout = d } }

// ReadOnly declares that the tool only reads (EffectsNone). Its calls may be repeated after a crash.
func ReadOnly() ToolOption { return func(t *Tool) { t.Effects = EffectsNone } }

// Idempotent declares that a second call with equal arguments changes nothing (EffectsIdempotent). Its calls may be
// repeated after a crash.
func Idempotent() ToolOption { return func(t *Tool) { t.Effects = EffectsIdempotent } }

// Destructive declares that the tool may destroy data. A person must approve each call, unless Approve sets another
// rule.
func Destructive() ToolOption { return func(t *Tool) { t.Effects = EffectsDestructive } }

// Approve sets when a person must approve a call of the tool, such as ApproveAlways.
func Approve(a Approval) ToolOption { return func(t *Tool) { t.Approval = a } }

// ApproveIf restricts approval to the calls for whose arguments needed returns true. Without Approve, each of these
// calls needs approval; with Approve(ApproveOnce), one approval covers all of them.
func ApproveIf(needed func(arguments json.RawMessage) bool) ToolOption {
	return func(t *Tool) {
		t.ApproveIf = needed
		if t.Approval == ApproveByEffects {
			t.Approval = ApproveAlways
		}
	}
}

// Polling declares that the model may repeat the same call, so that the loop detection ignores the tool.
func Polling() ToolOption { return func(t *Tool) { t.Polling = true } }

// PersonOnly declares that no model may use the tool, under its name or any of the aliases; see [Tool.PersonOnly].
func PersonOnly(aliases ...string) ToolOption {
	return func(t *Tool) { t.PersonOnly, t.Aliases = true, aliases }
}

// RunArgument names the argument that the agent sets to the id of the run.
func RunArgument(name string) ToolOption { return func(t *Tool) { t.RunArgument = name } }
