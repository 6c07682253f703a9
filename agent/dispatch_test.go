package agent_test

import (
	"context"
	"encoding/json"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/agent"
)

// A tool may do anything: its call has one result, which says so, and the conversation and the process stay whole.
func TestHostileTools(t *testing.T) {
	type output = agent.Output
	var none *agent.ToolError
	for name, c := range map[string]struct {
		run    func(context.Context, json.RawMessage) (output, error)
		result string
	}{
		"panics with nothing":     {func(context.Context, json.RawMessage) (output, error) { panic(nil) }, "TOOL_FAILED"},
		"ends its goroutine":      {func(context.Context, json.RawMessage) (output, error) { runtime.Goexit(); return output{}, nil }, "TOOL_FAILED"},
		"an error that is nil":    {func(context.Context, json.RawMessage) (output, error) { return output{}, none }, "TOOL_FAILED"},
		"an error without a code": {func(context.Context, json.RawMessage) (output, error) { return output{}, &agent.ToolError{} }, "TOOL_FAILED"},
		"a part that is nil": {func(context.Context, json.RawMessage) (output, error) {
			return output{Parts: []callwright.Part{nil}}, nil
		}, "TOOL_FAILED"},
		"a part that is none": {func(context.Context, json.RawMessage) (output, error) {
			return output{Parts: []callwright.Part{callwright.Call{}}}, nil
		}, "TOOL_FAILED"},
		"empty data": {func(context.Context, json.RawMessage) (output, error) { return output{Data: json.RawMessage{}}, nil }, "TOOL_FAILED"},
		"data that is not UTF-8": {func(context.Context, json.RawMessage) (output, error) {
			return output{Data: json.RawMessage("\"\xff\"")}, nil
		}, "TOOL_FAILED"},
		"an error in no UTF-8": {func(context.Context, json.RawMessage) (output, error) {
			return output{}, &agent.ToolError{Code: "A\xff", Message: "\xff"}
		}, "A\ufffd"},
		"a warning in no UTF-8": {func(context.Context, json.RawMessage) (output, error) { return output{Warnings: []string{"\xff"}}, nil }, "null"},
		"a long error": {func(context.Context, json.RawMessage) (output, error) {
			return output{}, &agent.ToolError{Code: "X", Message: strings.Repeat("x", 1<<20)}
		}, "X"},
		"long warnings": {func(context.Context, json.RawMessage) (output, error) {
			return output{Warnings: []string{strings.Repeat("x", 1<<20)}}, nil
		}, "TOOL_OUTPUT_TOO_LARGE"},
		"a long text beside": {func(context.Context, json.RawMessage) (output, error) {
			return output{Parts: []callwright.Part{callwright.File{Text: strings.Repeat("x", 1<<20)}}}, nil
		}, "TOOL_OUTPUT_TOO_LARGE"},
		"writes to its arguments": {func(_ context.Context, a json.RawMessage) (output, error) { clear(a); return output{}, nil }, "null"},
		"an answer behind the time": {func(ctx context.Context, _ json.RawMessage) (output, error) {
			<-ctx.Done()
			time.Sleep(300 * time.Millisecond)
			return output{Data: json.RawMessage(`1`)}, nil
		}, "TIMEOUT"},
	} {
		t.Run(name, func(t *testing.T) {
			bad := agent.Tool{Name: "bad", Run: c.run, Schema: json.RawMessage(`{}`), Timeout: 50 * time.Millisecond}
			a := agent.New(&script{answers: []any{calls("bad", `{"city":"Oslo"}`), "Done."}}, agent.Tools(bad))
			res, _ := a.Run(t.Context(), callwright.UserText("Go."))
			if res == nil || len(results(res.Messages)) != 1 || results(res.Messages)[0] != c.result {
				t.Fatalf("%+v", res)
			}
			if args := string(res.Messages[1].Parts[0].(callwright.Call).Arguments); args != `{"city":"Oslo"}` {
				t.Errorf("the arguments of the conversation are %q", args)
			}
			if text := res.Messages[2].Parts[0].(callwright.Result).Text(); len(text) > agent.DefaultMaxBytes+1000 {
				t.Errorf("the model is told %d bytes", len(text))
			}
		})
	}
}

// A tool has the id of its run, also as an argument.
func TestRunArgument(t *testing.T) {
	for arguments, want := range map[string]string{`{}`: `{"run":"run_7"}`, `{"run":null,"x":1}`: `{"run":"run_7","x":1}`, `{"run":"run_7"}`: `{"run":"run_7"}`, `{"run":"run_8"}`: "INVALID_ARGUMENTS"} {
		got := ""
		mine := agent.Tool{Name: "mine", RunArgument: "run", Schema: json.RawMessage(`{"type":"object","properties":{"run":{"type":"string"},"x":{}},"required":["run"]}`), Run: func(ctx context.Context, arguments json.RawMessage) (agent.Output, error) {
			got = string(arguments)
			if agent.RunOf(ctx) != "run_7" {
				t.Errorf("the run is %q", agent.RunOf(ctx))
			}
			return agent.Output{}, nil
		}}
		a := agent.New(&script{answers: []any{calls("mine", arguments), "Done."}}, agent.Tools(mine), agent.WithRunID(func() agent.RunID { return "run_7" }))
		res, err := a.Run(t.Context(), callwright.UserText("Go."))
		if err != nil {
			t.Fatal(err)
		}
		if got == "" {
			got = results(res.Messages)[0]
		}
		if got != want {
			t.Errorf("%s: %s, expected %s", arguments, got, want)
		}
	}
}
