package agent_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/callwright/callwright/agent"
	"github.com/google/go-cmp/cmp"
)

type order struct {
	Item  string      `json:"item" jsonschema:"what is ordered"`
	Count int8        `json:"count,omitempty"`
	Price json.Number `json:"price,omitempty"`
	To    *address    `json:"to"`
	At    time.Time   `json:"at,omitzero"`
	Picky picky       `json:"picky,omitzero"`
}

type address struct {
	Streets []string `json:"streets"`
}

type picky struct{}

func (*picky) UnmarshalJSON([]byte) error {
	return &agent.ToolError{Code: agent.CodeNotAllowed, Message: "never", Path: "/picky"}
}

// echo returns a tool that gives back what it was given.
func echo[T any]() agent.Tool {
	return agent.Func("echo", "gives back", func(_ context.Context, in T) (T, error) { return in, nil })
}

// gives returns a tool without arguments that gives back a value.
func gives[T any](out T) agent.Tool {
	return agent.Func("give", "gives", func(context.Context, struct{}) (T, error) { return out, nil })
}

func ExampleFunc() {
	type query struct {
		City string `json:"city" jsonschema:"the name of a city"`
	}
	type weather struct {
		Degrees int `json:"degrees"`
	}
	tool := agent.Func("get_weather", "The weather in a city", func(_ context.Context, q query) (weather, error) {
		if q.City != "Oslo" {
			return weather{}, &agent.ToolError{Code: agent.CodeToolFailed, Message: "no such city"}
		}
		return weather{3}, nil
	}, agent.ReadOnly(), agent.WithTimeout(5*time.Second))
	fmt.Println(string(tool.Schema))
	out, err := tool.Run(context.Background(), json.RawMessage(`{"city": "Oslo"}`))
	fmt.Println(string(out.Data), err)
	_, err = tool.Run(context.Background(), json.RawMessage(`{"city": "Atlantis"}`))
	fmt.Println(err)
	// Output:
	// {"type":"object","properties":{"city":{"type":"string","description":"the name of a city"}},"required":["city"],"additionalProperties":false}
	// {"degrees":3} <nil>
	// TOOL_FAILED: no such city
}

func TestFuncReadsArguments(t *testing.T) {
	for _, c := range []struct{ arguments, want string }{
		{`{"item":"a <b>","price":12345678901234567890.10,"other":1}`, `{"item":"a <b>","price":12345678901234567890.10,"to":null}`},
		{``, `{"item":"","to":null}`},
		{`{"item":3}`, `INVALID_ARGUMENTS: expected string, got number at /item`},
		{`{"item":"a","count":300}`, `INVALID_ARGUMENTS: expected int8, got number 300 at /count`},
		{`{"item":"a","to":{"streets":{}}}`, `INVALID_ARGUMENTS: expected []string, got object at /to/streets`},
		{`[]`, `INVALID_ARGUMENTS: expected agent_test.order, got array at `},
		{`{"item":`, `INVALID_ARGUMENTS: unexpected end of JSON input at `},
		{`{"at":"noon"}`, `INVALID_ARGUMENTS: parsing time "noon" as "2006-01-02T15:04:05Z07:00": cannot parse "noon" as "2006" at `},
		{`{"picky":1}`, `NOT_ALLOWED: never at /picky`},
	} {
		out, err := echo[order]().Run(t.Context(), json.RawMessage(c.arguments))
		got := string(out.Data)
		if told, ok := errors.AsType[*agent.ToolError](err); ok {
			got = told.Error() + " at " + told.Path
		}
		if got = strings.Replace(got, `,"picky":{}`, "", 1); got != c.want {
			t.Errorf("%s: got %s, want %s", c.arguments, got, c.want)
		}
	}
}

func TestFuncWritesOutput(t *testing.T) {
	whole := agent.Output{Data: json.RawMessage(`1`), Warnings: []string{"w"}}
	for _, c := range []struct {
		tool agent.Tool
		want agent.Output
	}{
		{gives("<&>\u00e9"), agent.Output{Data: json.RawMessage("\"<&>\u00e9\"")}},
		{gives(struct{}{}), agent.Output{Data: json.RawMessage(`null`)}},
		{gives((*order)(nil)), agent.Output{Data: json.RawMessage(`null`)}},
		{gives[any](nil), agent.Output{Data: json.RawMessage(`null`)}},
		{gives(json.RawMessage(nil)), agent.Output{Data: json.RawMessage(`null`)}},
		{gives(json.RawMessage(`{"a": 1.0}`)), agent.Output{Data: json.RawMessage(`{"a":1.0}`)}},
		{gives(whole), whole},
		{gives(&whole), whole},
		{gives[any](whole), whole},
		{gives([]int{1, 2}), agent.Output{Data: json.RawMessage(`[1,2]`)}},
	} {
		got, err := c.tool.Run(t.Context(), nil)
		if diff := cmp.Diff(c.want, got); diff != "" || err != nil {
			t.Error(err, diff)
		}
	}
	if _, err := gives(math.NaN()).Run(t.Context(), nil); err == nil || err.Error() != "the output cannot be written as JSON: json: unsupported value: NaN" {
		t.Errorf("got %v", err)
	}
}

func TestFuncPassesErrors(t *testing.T) {
	cause := errors.New("no")
	tool := agent.Func("a", "", func(context.Context, struct{}) (agent.Output, error) {
		return agent.Output{Data: json.RawMessage("1")}, cause
	})
	if out, err := tool.Run(t.Context(), nil); err != cause || out.Data != nil {
		t.Errorf("got %s, %v", out.Data, err)
	}
}

func TestOptions(t *testing.T) {
	needed := func(json.RawMessage) bool { return true }
	for _, c := range []struct {
		options []agent.ToolOption
		want    agent.Tool
	}{
		{[]agent.ToolOption{agent.WithTimeout(time.Second), agent.ReadOnly()}, agent.Tool{Timeout: time.Second, Effects: agent.EffectsNone}},
		{[]agent.ToolOption{agent.Idempotent(), agent.Approve(agent.ApproveOnce)}, agent.Tool{Effects: agent.EffectsIdempotent, Approval: agent.ApproveOnce}},
		{[]agent.ToolOption{agent.ReadOnly(), agent.Destructive()}, agent.Tool{Effects: agent.EffectsDestructive}},
		{[]agent.ToolOption{agent.Polling(), agent.RunArgument("run")}, agent.Tool{Polling: true, RunArgument: "run"}},
		{[]agent.ToolOption{agent.ApproveIf(needed)}, agent.Tool{Approval: agent.ApproveAlways, ApproveIf: needed}},
		{[]agent.ToolOption{agent.Approve(agent.ApproveOnce), agent.ApproveIf(needed)}, agent.Tool{Approval: agent.ApproveOnce, ApproveIf: needed}},
	} {
		got := agent.Func("a", "", func(context.Context, struct{}) (struct{}, error) { return struct{}{}, nil }, c.options...)
		if got.Timeout != c.want.Timeout || got.Effects != c.want.Effects || got.Approval != c.want.Approval || got.Polling != c.want.Polling ||
			got.RunArgument != c.want.RunArgument || (got.ApproveIf == nil) != (c.want.ApproveIf == nil) {
			t.Errorf("got %+v, want %+v", got, c.want)
		}
	}
}
