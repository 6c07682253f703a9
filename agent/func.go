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

// Func returns a tool that is a function of Go. Its schema is that of In as [schema.For] has it, and must be an object:
// a struct, or a map; a tool without arguments has struct{}. Arguments that encoding/json cannot read are
// INVALID_ARGUMENTS. The result of f is written as JSON without escapes for HTML: null for struct{} and for nil; an
// Output stays as it is. f is called from several goroutines at once.
//
// A type without a schema does not panic: Err of the tool returns the error, and so do CheckTool and an agent that is
// given the tool.
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

// argumentsOf returns the schema of a type that must be an object.
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

// readArguments reads arguments into a value, none as an empty object.
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

// outputOf encodes the result of a function.
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

// A ToolOption sets a property of a [Tool] beside its function. Of contradicting options the last one counts.
type ToolOption func(*Tool)

// WithTimeout bounds the time of one call.
func WithTimeout(d time.Duration) ToolOption { return func(t *Tool) { t.Timeout = d } }

// ReadOnly says that the tool only reads.
func ReadOnly() ToolOption { return func(t *Tool) { t.Effects = EffectsNone } }

// Idempotent says that a second call with the same arguments changes nothing more.
func Idempotent() ToolOption { return func(t *Tool) { t.Effects = EffectsIdempotent } }

// Destructive says that the tool may destroy something. A person is asked before each call unless Approve says
// otherwise.
func Destructive() ToolOption { return func(t *Tool) { t.Effects = EffectsDestructive } }

// Approve says when a person is asked first.
func Approve(a Approval) ToolOption { return func(t *Tool) { t.Approval = a } }

// ApproveIf has a person asked before calls whose arguments need it: always where Approve says nothing, once where it
// says so.
func ApproveIf(needed func(arguments json.RawMessage) bool) ToolOption {
	return func(t *Tool) {
		t.ApproveIf = needed
		if t.Approval == ApproveByEffects {
			t.Approval = ApproveAlways
		}
	}
}

// Polling says that the same call may be made again and again.
func Polling() ToolOption { return func(t *Tool) { t.Polling = true } }

// PersonOnly says that only a person may use the tool, and no model, under its name or one of the aliases.
func PersonOnly(aliases ...string) ToolOption {
	return func(t *Tool) { t.PersonOnly, t.Aliases = true, aliases }
}

// RunArgument names the argument that is the id of the run.
func RunArgument(name string) ToolOption { return func(t *Tool) { t.RunArgument = name } }
