package agent_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/agent"
	"github.com/callwright/callwright/caps"
)

// What becomes of a run, for each way in which a model may answer: whole and streamed alike.
func TestLoop(t *testing.T) {
	long := `{"city":"` + strings.Repeat("x", 300) + `"}`
	oslo := calls("weather", `{"city":"Oslo"}`)
	more := true
	for name, c := range map[string]struct {
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
		"work that goes on":                  {answers: []any{callwright.Response{Parts: []callwright.Part{callwright.Text{Text: "First"}}, NeedsMoreWork: &more}, "Last."}, text: "Last.", asked: 2},
		"a loop": {answers: []any{oslo}, called: []string{"Oslo", "Oslo", "Oslo"}, stop: agent.StopLoop, err: "the model makes the same calls again and again: weather, 6 times",
			results: []string{`{"city":"Oslo","sky":"clear"}`, `{"city":"Oslo","sky":"clear"}`, `{"city":"Oslo","sky":"clear"}`, "NOT_ALLOWED", "NOT_ALLOWED"}},
		"steps":                         {answers: []any{oslo}, opts: []agent.Option{agent.WithMaxSteps(2)}, called: []string{"Oslo", "Oslo"}, results: []string{`{"city":"Oslo","sky":"clear"}`, `{"city":"Oslo","sky":"clear"}`}, stop: agent.StopSteps, err: "no answer after 2 steps", asked: 2},
		"tokens":                        {answers: []any{oslo}, opts: []agent.Option{agent.WithMaxTokens(15)}, called: []string{"Oslo"}, results: []string{`{"city":"Oslo","sky":"clear"}`}, stop: agent.StopTokens, err: "15 tokens are spent, and the run may spend 15", asked: 1},
		"cost":                          {answers: []any{oslo}, opts: []agent.Option{agent.WithMaxCost(1, func(u callwright.Usage) float64 { return float64(u.Input) })}, called: []string{"Oslo"}, results: []string{`{"city":"Oslo","sky":"clear"}`}, stop: agent.StopCost, err: "the run has cost 10, and may cost 1", asked: 1},
		"a tool that fails":             {answers: []any{calls("broken", `{}`), "It failed."}, results: []string{"TOOL_FAILED"}, stop: agent.StopToolFailed, err: "the last call of broken failed"},
		"a tool that panics":            {answers: []any{calls("panics", `{}`), "It failed."}, results: []string{"TOOL_FAILED"}, stop: agent.StopToolFailed, err: "the last call of panics failed"},
		"failures are tolerated":        {answers: []any{calls("broken", `{}`, "weather", `{"city":"Oslo"}`), "So so."}, opts: []agent.Option{agent.WithFailures(agent.FailuresTolerated)}, called: []string{"Oslo"}, results: []string{"TOOL_FAILED", `{"city":"Oslo","sky":"clear"}`}, text: "So so.", asked: 2},
		"one success is needed":         {answers: []any{calls("broken", `{}`), "So so."}, opts: []agent.Option{agent.WithFailures(agent.FailuresTolerated)}, results: []string{"TOOL_FAILED"}, stop: agent.StopToolFailed, err: "no call of a tool succeeded"},
		"a failure that was made good":  {answers: []any{calls("flaky", `{}`), calls("flaky", `{}`), "Fine."}, results: []string{"TOOL_FAILED", `"fine"`}, text: "Fine."},
		"enforced":                      {answers: []any{"Clear, I guess.", oslo, "Clear."}, opts: []agent.Option{agent.WithMode(agent.ModeEnforced)}, called: []string{"Oslo"}, results: []string{`{"city":"Oslo","sky":"clear"}`}, text: "Clear.", asked: 3},
		"enforced in vain":              {answers: []any{"Clear, I guess."}, opts: []agent.Option{agent.WithMode(agent.ModeEnforced)}, stop: agent.StopNoCall, err: "the model answered without calling a tool", asked: 3},
		"enforced with a bad model":     {answers: []any{"x"}, caps: caps.Caps{ToolCallReliable: caps.No}, opts: []agent.Option{agent.WithMode(agent.ModeEnforced)}, err: "agent.run: the model is known to make calls badly, and the mode enforced needs them (allow_unreliable)", asked: -1},
		"a bad model is allowed":        {answers: []any{oslo, "Clear."}, caps: caps.Caps{ToolCallReliable: caps.No}, opts: []agent.Option{agent.WithMode(agent.ModeEnforced), agent.WithUnreliable()}, called: []string{"Oslo"}, results: []string{`{"city":"Oslo","sky":"clear"}`}, text: "Clear."},
		"disabled":                      {answers: []any{oslo, "Clear."}, opts: []agent.Option{agent.WithMode(agent.ModeDisabled)}, results: []string{"UNKNOWN_TOOL"}, text: "Clear."},
		"relaxed":                       {answers: []any{callwright.Errorf("x", callwright.KindInvalidCall, "", "bad"), "Clear."}, text: "Clear.", asked: 2},
		"relaxed, once more":            {answers: []any{callwright.Errorf("x", callwright.KindInvalidCall, "", "bad"), oslo, "Clear."}, opts: []agent.Option{agent.WithFallbackRetries(1)}, called: []string{"Oslo"}, results: []string{`{"city":"Oslo","sky":"clear"}`}, text: "Clear.", asked: 3},
		"a model that is down":          {answers: []any{callwright.Errorf("x", callwright.KindUnavailable, "", "down")}, stop: agent.StopModel, err: "x: down", asked: 1},
		"words behind a call":           {answers: []any{append(slices.Clone(oslo), callwright.Text{Text: "It is raining."}), "Clear."}, called: []string{"Oslo"}, results: []string{`{"city":"Oslo","sky":"clear"}`}, text: "Clear."},
		"ids that are taken":            {answers: []any{append(slices.Clone(oslo), calls("weather", `{"city":"Rome"}`)...), oslo, "Clear."}, opts: []agent.Option{agent.WithParallel(1)}, called: []string{"Oslo", "Rome", "Oslo"}, results: []string{`{"city":"Oslo","sky":"clear"}`, `{"city":"Rome","sky":"clear"}`, `{"city":"Oslo","sky":"clear"}`}, text: "Clear.", asked: 3},
		"results in the order of calls": {answers: []any{calls("slow", `{}`, "quick", `{}`), "Done."}, results: []string{`"slow"`, `"quick"`}, text: "Done.", asked: 2},
	} {
		for _, way := range []string{"whole", "streamed"} {
			t.Run(name+"/"+way, func(t *testing.T) {
				var called []string
				flaky := 0
				quick := make(chan struct{})
				m := &script{answers: c.answers, caps: c.caps}
				tools := agent.Tools(weather(&called),
					tool("secret", func(context.Context) (string, error) { t.Error("a hidden tool was called"); return "", nil }),
					tool("broken", func(context.Context) (string, error) { return "", errors.New("out of order") }),
					tool("panics", func(context.Context) (string, error) { panic("oh") }),
					tool("flaky", func(context.Context) (string, error) {
						if flaky++; flaky == 1 {
							return "", errors.New("not now")
						}
						return "fine", nil
					}),
					tool("slow", func(context.Context) (string, error) { <-quick; return "slow", nil }),
					tool("quick", func(context.Context) (string, error) { close(quick); return "quick", nil }))
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

// A run that is cancelled while a tool runs ends at once, and is not left with a call that seems never to have been made.
func TestCancelledTool(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	journal := agent.NewMemory()
	runs := 0
	a := agent.New(&script{answers: []any{calls("wait", `{}`), "Done."}}, agent.WithJournal(journal), agent.WithRunID(func() agent.RunID { return "run_1" }), agent.Tools(tool("wait", func(ctx context.Context) (string, error) {
		runs++
		cancel()
		<-ctx.Done()
		return "", ctx.Err()
	})))
	if _, err := a.Run(ctx, callwright.UserText("Wait.")); !errors.Is(err, context.Canceled) {
		t.Fatalf("got %v", err)
	}
	res, err := a.Resume(t.Context(), "run_1")
	if err != nil || res.Text != "Done." || runs != 1 {
		t.Fatalf("resumed: %+v, %v after %d calls", res, err, runs)
	}
	if got := results(res.Messages); !slices.Equal(got, []string{"INTERRUPTED"}) {
		t.Errorf("the model was told %q", got)
	}
}

// The same options give the same errors whichever way they are wrong.
func TestBadOptions(t *testing.T) {
	m := &script{answers: []any{"x"}}
	for want, a := range map[string]*agent.Agent{
		"agent.options: expected a model, got nil":                                                                           agent.New(nil),
		`agent.options: unknown tool use mode "hard": expected enforced, relaxed or disabled`:                                agent.New(m, agent.WithMode("hard")),
		`agent.options: unknown failure policy "no": expected fatal or tolerated`:                                            agent.New(m, agent.WithFailures("no")),
		`agent.options: "[" is no pattern for names of tools`:                                                                agent.New(m, agent.WithAllowed("[")),
		`agent.options: "[a" is no pattern for names of tools`:                                                               agent.New(m, agent.WithApprovals(agent.ApprovalRule{Pattern: "[a", Approval: agent.ApproveNever})),
		`agent.options: unknown approval "maybe": expected never, once or always`:                                            agent.New(m, agent.WithApprovals(agent.ApprovalRule{Pattern: "*", Approval: "maybe"})),
		"agent.options: expected limits of at least 1 byte, got 0 and 200000":                                                agent.New(m, agent.WithMaxArguments(0)),
		"agent.options: expected 0 or more retries, tokens, time and cost, and a timeout above 0, got 0, -1, 0s, 0 and 2m0s": agent.New(m, agent.WithMaxTokens(-1)),
		"agent.options: the mode enforced needs a call, and the choice none forbids it":                                      agent.New(m, agent.WithMode(agent.ModeEnforced), agent.WithChoice(callwright.Choice{Mode: callwright.ChoiceNone})),
		"agent.options: expected a verifier with a Check, got nil":                                                           agent.New(m, agent.WithVerifier(agent.Verifier{When: agent.VerifyAuto})),
		`agent.options: two tools have the name "weather"`:                                                                   agent.New(m, agent.Tools(weather(new([]string)), weather(new([]string)))),
		"agent.run: expected at least one message":                                                                           agent.New(m),
	} {
		if _, err := a.Run(t.Context()); err == nil || err.Error() != want || callwright.KindOf(err) != callwright.KindInvalid {
			t.Errorf("got %v, expected %q", err, want)
		}
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

// Images of a tool stand beside its envelope.
func TestImagesOfTools(t *testing.T) {
	picture := callwright.Image{MediaType: "image/png", Data: "iVBORw0KGgo"}
	shot := agent.Tool{Name: "shot", Run: func(context.Context, json.RawMessage) (agent.Output, error) {
		return agent.Output{Parts: []callwright.Part{picture}, Warnings: []string{"dark"}}, nil
	}}
	m := &script{answers: []any{calls("shot", ``), "A dog."}}
	if _, err := agent.New(m, agent.Tools(shot)).Run(t.Context(), callwright.UserText("Look.")); err != nil {
		t.Fatal(err)
	}
	last := m.asked[1].Messages
	want := []callwright.Part{callwright.Result{CallID: "c0", Name: "shot", Parts: []callwright.Part{callwright.Text{Text: `{"ok":true,"data":null,"warnings":["dark"],"errors":[]}`}, picture}}}
	if d := cmp.Diff(want, last[len(last)-1].Parts); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}

// A loop is seen whatever its period, and is none where results change.
func TestLoopsOfAnyPeriod(t *testing.T) {
	for period := 1; period <= 4; period++ {
		for _, changing := range []bool{false, true} {
			n := 0
			var answers []any
			for i := range 40 {
				answers = append(answers, calls("count", fmt.Sprintf(`{"n":%d}`, i%period)))
			}
			count := agent.Tool{Name: "count", Schema: json.RawMessage(`{"type":"object"}`), Run: func(context.Context, json.RawMessage) (agent.Output, error) {
				if n++; changing {
					return agent.Output{Data: json.RawMessage(fmt.Sprint(n))}, nil
				}
				return agent.Output{}, nil
			}}
			_, err := agent.New(&script{answers: append(answers, "Done.")}, agent.Tools(count)).Run(t.Context(), callwright.UserText("Count."))
			stop, _ := errors.AsType[*agent.StopError](err)
			if looped := stop != nil && stop.Stop == agent.StopLoop; looped != (period <= 3 && !changing) {
				t.Errorf("period %d, changing %t: %v after %d calls", period, changing, err, n)
			}
			polls := count
			polls.Polling = true
			if _, err := agent.New(&script{answers: append(answers[:10:10], "Done.")}, agent.Tools(polls)).Run(t.Context(), callwright.UserText("Count.")); err != nil {
				t.Errorf("a polling tool: %v", err)
			}
		}
	}
}
