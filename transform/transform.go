package transform

import (
	"fmt"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
)

// A Point is the stage of a request at which a transform is made. The list is closed.
type Point string

// The points, in the order of the stages.
const (
	ToolResults Point = "tool_result"
	Messages    Point = "message"
	Tools       Point = "tool"
	Responses   Point = "response"
	ToolCalls   Point = "tool_call"
)

// Key is the configuration key that lists the transforms of the point, such as message_transforms.
func (p Point) Key() string { return string(p) + "_transforms" }

// A Transform is a named change. It is made by a function of this package, or is one of [Builtins].
type Transform struct {
	Name  string
	Point Point
	Doc   string
	// Rules are the rules of the notes of the transform. Where the transform is another name for rules that apply anyway,
	// they are those rules.
	Rules []string
	// Facts are the facts about the model that the transform states. The encoder of the model's API makes the changes that
	// they require.
	Facts []caps.Fact

	change any // a func(T) (T, error) with the T of the point; nil where rules and facts do it all
}

// OnMessage makes a transform of each message of the conversation. A message that is returned without a role is left
// out.
func OnMessage(name string, f func(callwright.Message) (callwright.Message, error)) Transform {
	return own(name, Messages, f, f == nil)
}

// OnTool makes a transform of each declared tool, of which the name and the type must stay. The calls of the answer are
// judged against the tool as the client declared it.
func OnTool(name string, f func(callwright.Tool) (callwright.Tool, error)) Transform {
	return own(name, Tools, f, f == nil)
}

// OnResponse makes a transform of the whole answer as its provider gave it, without Report and Raw. A stream is held
// until it is complete.
func OnResponse(name string, f func(callwright.Response) (callwright.Response, error)) Transform {
	return own(name, Responses, f, f == nil)
}

// OnToolCall makes a transform of each call of the answer, native or written as text, before its name is resolved and
// its arguments are mended and judged; a call that was cut is not given. Of a stream the calls are held until they are
// judged, and text flows. A function may be given one call more than once.
func OnToolCall(name string, f func(callwright.Call) (callwright.Call, error)) Transform {
	return own(name, ToolCalls, f, f == nil)
}

// OnToolResult makes a transform of each result in the conversation.
func OnToolResult(name string, f func(callwright.Result) (callwright.Result, error)) Transform {
	return own(name, ToolResults, f, f == nil)
}

// ownRules is the family of the rules of functions.
const ownRules = "transform."

// own is a transform of a program's own.
func own(name string, p Point, f any, none bool) Transform {
	t := Transform{Name: name, Point: p, Rules: []string{ownRules + name}, change: f}
	if none {
		t.change = nil
	}
	return t
}

// Func returns the function of the transform, a func(T) (T, error) with the T of its point. It is nil where rules and
// facts do it all.
func (t *Transform) Func() any { return t.change }

// Check reports why a transform cannot be made: a name that does not consist of lower-case letters, digits and '_', or
// no function.
func (t *Transform) Check() error {
	switch {
	case t.Name == "" || strings.Trim(t.Name, "abcdefghijklmnopqrstuvwxyz0123456789_") != "":
		return fmt.Errorf("expected a name of lower-case letters, digits and '_' for a transform, got %q", callwright.Excerpt(t.Name))
	case t.change == nil && (len(t.Rules) == 0 || strings.HasPrefix(t.Rules[0], ownRules)):
		return fmt.Errorf("transform %s has no function", t.Name)
	}
	return nil
}
