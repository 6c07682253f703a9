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

// A model may answer anything: each call has an id of its own, and the run goes on.
func TestHostileAnswers(t *testing.T) {
	call := func(id, name, arguments string) callwright.Part {
		return callwright.Call{ID: id, Name: name, Arguments: json.RawMessage(arguments)}
	}
	oslo := `{"city":"Oslo"}`
	for name, c := range map[string]struct {
		parts   []callwright.Part
		results string
	}{
		"ids of ours":              {[]callwright.Part{call("call_1_2", "weather", oslo), call("", "weather", oslo)}, "ok ok"},
		"an id in no UTF-8":        {[]callwright.Part{call("\xff", "weather", oslo)}, "ok"},
		"an id of control":         {[]callwright.Part{call("\x00\n", "weather", oslo)}, "ok"},
		"a name in no UTF-8":       {[]callwright.Part{call("a", "\xff", oslo), call("b", "weather", oslo)}, "UNKNOWN_TOOL ok"},
		"no name":                  {[]callwright.Part{call("a", "", oslo)}, "UNKNOWN_TOOL"},
		"arguments in no UTF-8":    {[]callwright.Part{call("a", "weather", "{\"city\":\"\xff\"}")}, "INVALID_ARGUMENTS"},
		"no arguments":             {[]callwright.Part{call("a", "weather", "")}, "INVALID_ARGUMENTS"},
		"a number that is none":    {[]callwright.Part{call("a", "weather", `{"city":"x","days":NaN}`)}, "INVALID_ARGUMENTS"},
		"two values":               {[]callwright.Part{call("a", "weather", oslo+oslo)}, "INVALID_ARGUMENTS"},
		"deep":                     {[]callwright.Part{call("a", "weather", strings.Repeat("[", 90_000))}, "INVALID_ARGUMENTS"},
		"50 MB":                    {[]callwright.Part{call("a", "weather", `{"city":"`+strings.Repeat("x", 50<<20)+`"}`)}, "ARGUMENTS_TOO_LARGE"},
		"a call of type custom":    {[]callwright.Part{callwright.Call{ID: "a", Name: "weather", Type: callwright.CustomTool, Input: "Oslo"}}, "INVALID_ARGUMENTS"},
		"the run of somebody else": {[]callwright.Part{call("a", "mine", `{"run":"run_2"}`)}, "INVALID_ARGUMENTS"},
		"another run behind ours":  {[]callwright.Part{call("a", "mine", `{"run":"run_1","run":"run_2"}`)}, "INVALID_ARGUMENTS"},
	} {
		t.Run(name, func(t *testing.T) {
			var called []string
			mine := agent.Tool{Name: "mine", RunArgument: "run", Schema: json.RawMessage(`{"type":"object","properties":{"run":{"type":"string"}}}`),
				Run: func(context.Context, json.RawMessage) (agent.Output, error) { return agent.Output{}, nil }}
			a := agent.New(&script{answers: []any{c.parts, "Done."}}, agent.Tools(weather(&called), mine), agent.WithMaxSteps(4), fixed("run_1"))
			res, err := a.Run(t.Context(), callwright.UserText("Go."))
			if err != nil || res.Text != "Done." {
				t.Fatalf("%+v, %v", res, err)
			}
			got := strings.Join(results(res.Messages), " ")
			if got = strings.ReplaceAll(got, `{"city":"Oslo","sky":"clear"}`, "ok"); got != c.results {
				t.Errorf("got %s, expected %s", got, c.results)
			}
		})
	}
}

// An answer with nothing but reasoning is empty: the model is asked once more.
func TestReasoningAlone(t *testing.T) {
	think := callwright.Response{Parts: []callwright.Part{callwright.Reasoning{Text: "Hm."}}, Finish: callwright.FinishStop}
	m := &script{answers: []any{think, "Done."}}
	if res, err := agent.New(m).Run(t.Context(), callwright.UserText("Go.")); err != nil || res.Text != "Done." || len(m.asked) != 2 {
		t.Errorf("%+v, %v", res, err)
	}
	for most, stop := range map[int]agent.Stop{1: agent.StopSteps, 2: ""} {
		m := &script{answers: []any{think, "Done."}}
		_, err := agent.New(m, agent.WithMaxSteps(most)).Run(t.Context(), callwright.UserText("Go."))
		got, _ := errors.AsType[*agent.StopError](err)
		if (got == nil) != (stop == "") || got != nil && got.Stop != stop || len(m.asked) != most {
			t.Errorf("%d steps: %v after %d", most, err, len(m.asked))
		}
	}
}
