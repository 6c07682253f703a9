package transform

import (
	"fmt"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
)

// A Point is the stage of a request at which a transform runs. The constants below are the only points.
type Point string

// The points, in the order of processing. See the package documentation.
const (
	ToolResults Point = "tool_result"
	Messages    Point = "message"
	Tools       Point = "tool"
	Responses   Point = "response"
	ToolCalls   Point = "tool_call"
)

// Key returns the configuration key that lists the transforms of the point, such as message_transforms.
func (p Point) Key() string { return string(p) + "_transforms" }

// A Transform is a named change of a request or response. Make one with OnMessage and the other functions of this
// package, or use one of [Builtins].
type Transform struct {
	Name  string
	Point Point
	Doc   string
	// Rules are the IDs of the note rules of the transform's changes. A built-in transform may be only a name for rules
	// that always apply; then Rules has these.
	Rules []string
	// Facts are facts about the model that the transform sets. The encoder of the model's API then makes the necessary
	// changes.
	Facts []caps.Fact

	change any // a func(T) (T, error), where T is the type for the point; nil if Rules and Facts suffice
}

// OnMessage returns a transform that applies f to each message of the conversation. A message returned with an empty
// Role is removed.
func OnMessage(name string, f func(callwright.Message) (callwright.Message, error)) Transform {
	return own(name, Messages, f, f == nil)
}

// OnTool returns a transform that applies f to each declared tool. f must keep the name and the type. Calls are
// validated against the client's original tool.
func OnTool(name string, f func(callwright.Tool) (callwright.Tool, error)) Transform {
	return own(name, Tools, f, f == nil)
}

// OnResponse returns a transform that applies f to the complete response of the provider. Its Report and Raw are nil.
// A stream is buffered until it is complete.
func OnResponse(name string, f func(callwright.Response) (callwright.Response, error)) Transform {
	return own(name, Responses, f, f == nil)
}

// OnToolCall returns a transform that applies f to each call of the response, native or parsed from text. f runs
// before the name is resolved and the arguments are repaired and validated. It does not get truncated calls. In a
// stream, calls are buffered until they are validated; text is not. f may get the same call more than once.
func OnToolCall(name string, f func(callwright.Call) (callwright.Call, error)) Transform {
	return own(name, ToolCalls, f, f == nil)
}

// OnToolResult returns a transform that applies f to each tool result in the conversation.
func OnToolResult(name string, f func(callwright.Result) (callwright.Result, error)) Transform {
	return own(name, ToolResults, f, f == nil)
}

// ownRules is the prefix of the rule IDs of a program's transforms.
const ownRules = "transform."

// own returns a transform that applies the function f at the point p. none reports that f is a nil function.
func own(name string, p Point, f any, none bool) Transform {
	t := Transform{Name: name, Point: p, Rules: []string{ownRules + name}, change: f}
	if none {
		t.change = nil
	}
	return t
}

// Func returns the function of the transform, a func(T) (T, error), where T is the type for its Point. It is nil for a
// built-in transform that consists of Rules and Facts.
func (t *Transform) Func() any { return t.change }

// Check returns an error if the name does not consist of lower-case letters, digits and '_', or if the transform has
// neither a function nor rules of Callwright.
func (t *Transform) Check() error {
	switch {
	case t.Name == "" || strings.Trim(t.Name, "abcdefghijklmnopqrstuvwxyz0123456789_") != "":
		return fmt.Errorf("expected a name of lower-case letters, digits and '_' for a transform, got %q", callwright.Excerpt(t.Name))
	case t.change == nil && (len(t.Rules) == 0 || strings.HasPrefix(t.Rules[0], ownRules)):
		return fmt.Errorf("transform %s has no function", t.Name)
	}
	return nil
}
