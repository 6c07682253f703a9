package agent_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/agent"
	"github.com/callwright/callwright/caps"
)

// What the cases of TestLoop are made of.
var (
	long = `{"city":"` + strings.Repeat("x", 300) + `"}`
	oslo = calls("weather", `{"city":"Oslo"}`)
)

// loopCases are those of TestLoop.
var loopCases = map[string]struct {
	answers []any
	opts    []agent.Option
	caps    caps.Caps

	called  []string // cities
	results []string
	text    string
	stop    agent.Stop // "" is StopAnswered
	err     string
	asked   int // requests; 0: one more than results
}{
	"no calls":                    {answers: []any{"Hello."}, text: "Hello.", asked: 1},
	"a call":                      {answers: []any{oslo, "Clear."}, called: []string{"Oslo"}, results: []string{`{"city":"Oslo","sky":"clear"}`}, text: "Clear."},
	"several steps":               {answers: []any{oslo, calls("weather", `{"city":"Rome"}`), calls("weather", `{"city":"Kyiv"}`), "Done."}, called: []string{"Oslo", "Rome", "Kyiv"}, results: []string{`{"city":"Oslo","sky":"clear"}`, `{"city":"Rome","sky":"clear"}`, `{"city":"Kyiv","sky":"clear"}`}, text: "Done."},
	"a missing argument":          {answers: []any{calls("weather", `{"days":2}`), oslo, "Clear."}, called: []string{"Oslo"}, results: []string{"INVALID_ARGUMENTS", `{"city":"Oslo","sky":"clear"}`}, text: "Clear."},
	"a wrong type":                {answers: []any{calls("weather", `{"city":"Oslo","days":"two"}`), oslo, "Clear."}, called: []string{"Oslo"}, results: []string{"INVALID_ARGUMENTS", `{"city":"Oslo","sky":"clear"}`}, text: "Clear."},
	"broken JSON":                 {answers: []any{calls("weather", `{"city":`), oslo, "Clear."}, called: []string{"Oslo"}, results: []string{"INVALID_ARGUMENTS", `{"city":"Oslo","sky":"clear"}`}, text: "Clear."},
	"an unknown tool":             {answers: []any{calls("wether", `{"city":"Oslo"}`), oslo, "Clear."}, called: []string{"Oslo"}, results: []string{"UNKNOWN_TOOL", `{"city":"Oslo","sky":"clear"}`}, text: "Clear."},
	"a hidden tool":               {answers: []any{calls("secret", `{}`), "No."}, opts: []agent.Option{agent.WithDenied("sec*")}, results: []string{"NOT_ALLOWED"}, text: "No."},
	"a tool that is not allowed":  {answers: []any{calls("secret", `{}`), "No."}, opts: []agent.Option{agent.WithAllowed("weather, other")}, results: []string{"NOT_ALLOWED"}, text: "No."},
	"arguments that are too long": {answers: []any{calls("weather", long), oslo, "Clear."}, opts: []agent.Option{agent.WithMaxArguments(200)}, called: []string{"Oslo"}, results: []string{"ARGUMENTS_TOO_LARGE", `{"city":"Oslo","sky":"clear"}`}, text: "Clear."},
	"an output that is too long":  {answers: []any{oslo, "Hm."}, opts: []agent.Option{agent.WithMaxOutput(9)}, called: []string{"Oslo"}, results: []string{"TOOL_OUTPUT_TOO_LARGE"}, text: "Hm."},
	"an output that is cut": {answers: []any{oslo, "Hm."}, opts: []agent.Option{agent.WithMaxOutput(20), agent.WithCutOutput()}, called: []string{"Oslo"},
		results: []string{`"{\"city\":\"O\n[... 9 bytes are missing ...]\n\":\"clear\"}"`}, text: "Hm."},
	"good and bad siblings": {answers: []any{calls("weather", `{"city":"Oslo"}`, "weather", `{"city":7}`, "weather", `{"city":"Rome"}`), "Clear."}, opts: []agent.Option{agent.WithParallel(1)}, called: []string{"Oslo", "Rome"},
		results: []string{`{"city":"Oslo","sky":"clear"}`, "INVALID_ARGUMENTS", `{"city":"Rome","sky":"clear"}`}, text: "Clear.", asked: 2},
	"a truncated call":                   {answers: []any{callwright.Response{Parts: calls("weather", `{"city":"Os`), Finish: callwright.FinishLength}, oslo, "Clear."}, called: []string{"Oslo"}, results: []string{"INVALID_ARGUMENTS", `{"city":"Oslo","sky":"clear"}`}, text: "Clear."},
	"an answer that ended inside a call": {answers: []any{callwright.Errorf("x", callwright.KindTruncated, "", "cut"), oslo, "Clear."}, called: []string{"Oslo"}, results: []string{`{"city":"Oslo","sky":"clear"}`}, text: "Clear.", asked: 3},
	"an empty answer":                    {answers: []any{oslo, "", "Clear."}, called: []string{"Oslo"}, results: []string{`{"city":"Oslo","sky":"clear"}`}, text: "Clear.", asked: 3},
	"an empty answer is left":            {answers: []any{oslo, "", "Clear."}, opts: []agent.Option{agent.WithEmptyFinal(agent.EmptyFinal{Off: true})}, called: []string{"Oslo"}, results: []string{`{"city":"Oslo","sky":"clear"}`}, stop: agent.StopModel, err: "the model ended with an empty answer"},
	"empty answers":                      {answers: []any{""}, stop: agent.StopModel, err: "the model ended with an empty answer", asked: 2},
	"a call that is announced":           {answers: []any{"Let me check the weather:", oslo, "Clear."}, called: []string{"Oslo"}, results: []string{`{"city":"Oslo","sky":"clear"}`}, text: "Clear.", asked: 3},
	"a call that is announced for ever":  {answers: []any{"I will call weather now."}, text: "I will call weather now.", asked: 2},
	"work that goes on":                  {answers: []any{callwright.Response{Parts: []callwright.Part{callwright.Text{Text: "First"}}, NeedsMoreWork: new(true)}, "Last."}, text: "Last.", asked: 2},
	"a loop": {answers: []any{oslo}, called: []string{"Oslo", "Oslo", "Oslo"}, stop: agent.StopLoop, err: "the model repeats the same calls: weather, 6 times",
		results: []string{`{"city":"Oslo","sky":"clear"}`, `{"city":"Oslo","sky":"clear"}`, `{"city":"Oslo","sky":"clear"}`, "NOT_ALLOWED", "NOT_ALLOWED"}},
	"steps":                         {answers: []any{oslo}, opts: []agent.Option{agent.WithMaxSteps(2)}, called: []string{"Oslo", "Oslo"}, results: []string{`{"city":"Oslo","sky":"clear"}`, `{"city":"Oslo","sky":"clear"}`}, stop: agent.StopSteps, err: "no answer after 2 steps", asked: 2},
	"tokens":                        {answers: []any{oslo}, opts: []agent.Option{agent.WithMaxTokens(15)}, called: []string{"Oslo"}, results: []string{`{"city":"Oslo","sky":"clear"}`}, stop: agent.StopTokens, err: "the run used 15 tokens and reached its limit of 15", asked: 1},
	"cost":                          {answers: []any{oslo}, opts: []agent.Option{agent.WithMaxCost(1, func(u callwright.Usage) float64 { return float64(u.Input) })}, called: []string{"Oslo"}, results: []string{`{"city":"Oslo","sky":"clear"}`}, stop: agent.StopCost, err: "the run cost 10 and reached its limit of 1", asked: 1},
	"a tool that fails":             {answers: []any{calls("broken", `{}`), "It failed."}, results: []string{"TOOL_FAILED"}, stop: agent.StopToolFailed, err: "the last call of broken failed"},
	"a tool that panics":            {answers: []any{calls("panics", `{}`), "It failed."}, results: []string{"TOOL_FAILED"}, stop: agent.StopToolFailed, err: "the last call of panics failed"},
	"failures are tolerated":        {answers: []any{calls("broken", `{}`, "weather", `{"city":"Oslo"}`), "So so."}, opts: []agent.Option{agent.WithFailures(agent.FailuresTolerated)}, called: []string{"Oslo"}, results: []string{"TOOL_FAILED", `{"city":"Oslo","sky":"clear"}`}, text: "So so.", asked: 2},
	"one success is needed":         {answers: []any{calls("broken", `{}`), "So so."}, opts: []agent.Option{agent.WithFailures(agent.FailuresTolerated)}, results: []string{"TOOL_FAILED"}, stop: agent.StopToolFailed, err: "no tool call succeeded"},
	"a code of the tool's own":      {answers: []any{calls("busy", `{}`), "It is busy."}, results: []string{"LINE_BUSY"}, stop: agent.StopToolFailed, err: "the last call of busy failed"},
	"a tolerated code":              {answers: []any{calls("busy", `{}`, "weather", `{"city":"Oslo"}`), "So so."}, opts: []agent.Option{agent.WithFailures(agent.FailuresTolerated)}, called: []string{"Oslo"}, results: []string{"LINE_BUSY", `{"city":"Oslo","sky":"clear"}`}, text: "So so.", asked: 2},
	"failures are only told":        {answers: []any{calls("broken", `{}`), "It is broken."}, opts: []agent.Option{agent.WithFailures(agent.FailuresTold)}, results: []string{"TOOL_FAILED"}, text: "It is broken.", asked: 2},
	"only tolerated codes":          {answers: []any{calls("busy", `{}`), "So so."}, opts: []agent.Option{agent.WithFailures(agent.FailuresTolerated)}, results: []string{"LINE_BUSY"}, stop: agent.StopToolFailed, err: "no tool call succeeded"},
	"a tool that may not":           {answers: []any{calls("shy", `{}`), "It may not."}, results: []string{"NOT_ALLOWED"}, text: "It may not."},
	"a failure that was made good":  {answers: []any{calls("flaky", `{}`), calls("flaky", `{}`), "Fine."}, results: []string{"TOOL_FAILED", `"fine"`}, text: "Fine."},
	"enforced":                      {answers: []any{"Clear, I guess.", oslo, "Clear."}, opts: []agent.Option{agent.WithMode(agent.ModeEnforced)}, called: []string{"Oslo"}, results: []string{`{"city":"Oslo","sky":"clear"}`}, text: "Clear.", asked: 3},
	"enforced in vain":              {answers: []any{"Clear, I guess."}, opts: []agent.Option{agent.WithMode(agent.ModeEnforced)}, stop: agent.StopNoCall, err: "the model answered without calling a tool", asked: 3},
	"enforced with a bad model":     {answers: []any{"x"}, caps: caps.Caps{ToolCallReliable: caps.No}, opts: []agent.Option{agent.WithMode(agent.ModeEnforced)}, err: "agent.run: the mode enforced needs calls, but those of the model are known to be unreliable: set allow_unreliable to use it", asked: -1},
	"a bad model is allowed":        {answers: []any{oslo, "Clear."}, caps: caps.Caps{ToolCallReliable: caps.No}, opts: []agent.Option{agent.WithMode(agent.ModeEnforced), agent.WithUnreliable()}, called: []string{"Oslo"}, results: []string{`{"city":"Oslo","sky":"clear"}`}, text: "Clear."},
	"disabled":                      {answers: []any{oslo, "Clear."}, opts: []agent.Option{agent.WithMode(agent.ModeDisabled)}, results: []string{"UNKNOWN_TOOL"}, text: "Clear."},
	"relaxed":                       {answers: []any{callwright.Errorf("x", callwright.KindInvalidCall, "", "bad"), "Clear."}, text: "Clear.", asked: 2},
	"relaxed, once more":            {answers: []any{callwright.Errorf("x", callwright.KindInvalidCall, "", "bad"), oslo, "Clear."}, opts: []agent.Option{agent.WithFallbackRetries(1)}, called: []string{"Oslo"}, results: []string{`{"city":"Oslo","sky":"clear"}`}, text: "Clear.", asked: 3},
	"a model that is down":          {answers: []any{callwright.Errorf("x", callwright.KindUnavailable, "", "down")}, stop: agent.StopModel, err: "x: down", asked: 1},
	"words behind a call":           {answers: []any{append(slices.Clone(oslo), callwright.Text{Text: "It is raining."}), "Clear."}, called: []string{"Oslo"}, results: []string{`{"city":"Oslo","sky":"clear"}`}, text: "Clear."},
	"ids that are taken":            {answers: []any{append(slices.Clone(oslo), calls("weather", `{"city":"Rome"}`)...), oslo, "Clear."}, opts: []agent.Option{agent.WithParallel(1)}, called: []string{"Oslo", "Rome", "Oslo"}, results: []string{`{"city":"Oslo","sky":"clear"}`, `{"city":"Rome","sky":"clear"}`, `{"city":"Oslo","sky":"clear"}`}, text: "Clear.", asked: 3},
	"results in the order of calls": {answers: []any{calls("slow", `{}`, "quick", `{}`), "Done."}, results: []string{`"slow"`, `"quick"`}, text: "Done.", asked: 2},
}

// loopTools are tools that fail and wait in their ways.
func loopTools(t *testing.T) []agent.Tool {
	flaky := 0
	quick := make(chan struct{})
	return []agent.Tool{
		tool("secret", func(context.Context) (string, error) { t.Error("a hidden tool was called"); return "", nil }),
		tool("broken", func(context.Context) (string, error) { return "", errors.New("out of order") }),
		tool("busy", func(context.Context) (string, error) {
			return "", &agent.ToolError{Code: "LINE_BUSY", Message: "Call later."}
		}),
		tool("shy", func(context.Context) (string, error) {
			return "", &agent.ToolError{Code: agent.CodeNotAllowed, Message: "Never."}
		}),
		tool("panics", func(context.Context) (string, error) { panic("oh") }),
		tool("flaky", func(context.Context) (string, error) {
			if flaky++; flaky == 1 {
				return "", errors.New("not now")
			}
			return "fine", nil
		}),
		tool("slow", func(context.Context) (string, error) { <-quick; return "slow", nil }),
		tool("quick", func(context.Context) (string, error) { close(quick); return "quick", nil }),
	}
}

// What becomes of a run, for each way in which a model may answer: whole and streamed alike.
func TestLoop(t *testing.T) {
	for name, c := range loopCases {
		for _, way := range []string{"whole", "streamed"} {
			t.Run(name+"/"+way, func(t *testing.T) {
				var called []string
				m := &script{answers: c.answers, caps: c.caps}
				tools := agent.Tools(append(loopTools(t), weather(&called))...)
				a := agent.New(m, append([]agent.Option{tools}, c.opts...)...)
				var res *agent.Result
				var err error
				if way == "whole" {
					res, err = a.Run(t.Context(), callwright.UserText("How is the weather?"))
				} else {
					for ev, failed := range a.Stream(t.Context(), callwright.UserText("How is the weather?")) {
						err = failed
						if ev.Final != nil {
							res = ev.Final
						}
					}
				}
				said := ""
				if err != nil {
					said = err.Error()
				}
				if said != c.err {
					t.Fatalf("error %q, expected %q", said, c.err)
				}
				if stop, ok := errors.AsType[*agent.StopError](err); ok != (c.stop != "") || ok && stop.Stop != c.stop {
					t.Errorf("stopped by %#v, expected %q", err, c.stop)
				}
				if d := cmp.Diff(c.called, called); d != "" {
					t.Errorf("called (-want +got)\n%s", d)
				}
				asked := c.asked
				if asked == 0 {
					asked = len(c.results) + 1
				}
				if len(m.asked) != max(asked, 0) {
					t.Errorf("the model was asked %d times, expected %d", len(m.asked), asked)
				}
				if res != nil {
					if res.Text != c.text && err == nil {
						t.Errorf("answered %q, expected %q", res.Text, c.text)
					}
					if d := cmp.Diff(c.results, results(res.Messages)); d != "" {
						t.Errorf("results (-want +got)\n%s", d)
					}
					checkConversation(t, res.Messages)
				} else if err == nil {
					t.Error("no result")
				}
			})
		}
	}
}

// checkConversation checks that each call has one result, right after its message and in order, and that no id is there twice.
func checkConversation(t *testing.T, msgs []callwright.Message) {
	t.Helper()
	ids := map[string]bool{}
	for i, m := range msgs {
		var want []string
		for _, c := range callwright.CallsOf(m.Parts) {
			if ids[c.ID] || c.ID == "" {
				t.Errorf("the id %q is there twice", c.ID)
			}
			ids[c.ID] = true
			want = append(want, c.ID)
		}
		if want == nil || i+1 == len(msgs) {
			continue
		}
		var got []string
		for _, p := range msgs[i+1].Parts {
			if r, ok := p.(callwright.Result); ok {
				got = append(got, r.CallID)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("the calls %v have the results %v", want, got)
		}
	}
}
