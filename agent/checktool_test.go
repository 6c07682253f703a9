package agent_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/agent"
)

func run(context.Context, json.RawMessage) (agent.Output, error) { return agent.Output{}, nil }

func TestCheckToolAccepts(t *testing.T) {
	for _, tool := range []agent.Tool{
		{Name: "a", Run: run},
		{Name: strings.Repeat("a", 128), Run: run, Schema: json.RawMessage(`{}`)},
		{Name: "github.com/a:b-c_D9", Run: run, Schema: json.RawMessage(` {"type":"dict","properties":{"a":{"type":"int"}}}`)},
		{Name: "a", Run: run, Schema: json.RawMessage(`{"type":"object","properties":{"run":{"type":"string"}}}`), RunArgument: "run"},
		echo[order](),
		echo[map[string]int](),
	} {
		if err := agent.CheckTool(tool); err != nil {
			t.Error(err)
		}
	}
}

func TestCheckToolRefuses(t *testing.T) {
	object := json.RawMessage(`{"type":"object","properties":{"id":{"type":"integer"},"any":{}}}`)
	var none func(context.Context, struct{}) (int, error)
	for _, c := range []struct {
		tool agent.Tool
		kind callwright.Kind
		want string
	}{
		{agent.Tool{Run: run}, callwright.KindInvalid, `/name: tool "": expected a name of up to 128 letters, digits, '_', '-', '.', ':' and '/'`},
		{agent.Tool{Name: "a b", Run: run}, callwright.KindInvalid, `/name: tool "a b": expected a name of up to 128 letters, digits, '_', '-', '.', ':' and '/'`},
		{agent.Tool{Name: "é", Run: run}, callwright.KindInvalid, `/name: tool "é": expected a name of up to 128 letters, digits, '_', '-', '.', ':' and '/'`},
		{agent.Tool{Name: "a"}, callwright.KindInvalid, `/run: tool "a": expected a function, got nil`},
		{agent.Tool{Name: "a", Run: run, Description: "\xff"}, callwright.KindInvalid, `/description: tool "a": expected UTF-8`},
		{agent.Tool{Name: "a", Run: run, Schema: json.RawMessage(`{"properties":{"x":{"type":"strin g"}}}`)}, callwright.KindSchema,
			`/schema/properties/x/type: tool "a": there is no type "strin g"`},
		{agent.Tool{Name: "a", Run: run, Schema: json.RawMessage(`true`)}, callwright.KindSchema, `/schema: tool "a": expected a schema of an object, got boolean`},
		{agent.Tool{Name: "a", Run: run, Schema: json.RawMessage(`{"type":"array"}`)}, callwright.KindSchema, `/schema/type: tool "a": expected "object", got "array"`},
		{agent.Tool{Name: "a", Run: run, Schema: json.RawMessage(`{"type":["object","null"]}`)}, callwright.KindSchema, `/schema/type: tool "a": expected "object", got ["object","null"]`},
		{agent.Tool{Name: "a", Run: run, Timeout: -1}, callwright.KindInvalid, `/timeout: tool "a": expected a time of 0 or more, got -1ns`},
		{agent.Tool{Name: "a", Run: run, Effects: 9}, callwright.KindInvalid, `/effects: tool "a": expected a constant of Effects, got 9`},
		{agent.Tool{Name: "a", Run: run, Approval: "maybe"}, callwright.KindInvalid, `/approval: tool "a": expected never, once, always or nothing, got "maybe"`},
		{agent.Tool{Name: "a", Run: run, RunArgument: "run"}, callwright.KindInvalid, `/run_argument: tool "a": expected the name of a string parameter, got "run"`},
		{agent.Tool{Name: "a", Run: run, Schema: object, RunArgument: "id"}, callwright.KindInvalid, `/run_argument: tool "a": expected the name of a string parameter, got "id"`},
		{agent.Tool{Name: "a", Run: run, Schema: object, RunArgument: "any"}, callwright.KindInvalid, `/run_argument: tool "a": expected the name of a string parameter, got "any"`},
		{echo[string](), callwright.KindSchema, `/schema: tool "echo": the schema of the arguments cannot be generated: expected arguments that are an object, got string`},
		{echo[map[bool]int](), callwright.KindSchema, `/schema: tool "echo": the schema of the arguments cannot be generated: schema: at the root: a map by bool cannot be represented in JSON`},
		{agent.Func("a", "", none), callwright.KindInvalid, `/run: tool "a": expected a function, got nil`},
	} {
		err := agent.CheckTool(c.tool)
		if e, ok := errors.AsType[*callwright.Error](err); !ok || e.Kind != c.kind || err.Error() != "agent.check_tool: "+c.want {
			t.Errorf("got %v, want %s", err, c.want)
		}
	}
}

func TestErr(t *testing.T) {
	if err := echo[string]().Err(); err == nil || echo[string]().Run != nil {
		t.Errorf("got %v and a function", err)
	}
	if err := echo[order]().Err(); err != nil {
		t.Error(err)
	}
}
