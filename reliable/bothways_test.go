package reliable_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/reliable"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// drawnAnswer is an answer such as models give, good and bad ones.
func drawnAnswer(t *rapid.T) []callwright.Event {
	events := []callwright.Event{callwright.Begin{}}
	add := func(evs ...callwright.Event) { events = append(events, evs...) }
	calls := 0
	for range rapid.IntRange(0, 4).Draw(t, "parts") {
		switch rapid.SampledFrom([]string{"text", "text", "reasoning", "call", "call", "space"}).Draw(t, "part") {
		case "text":
			add(callwright.TextDelta{Text: rapid.SampledFrom([]string{"Let me see. ", "It is cold.", "<think>Hm.</think>", `<tool_call>{"name":"get_weather","arguments":{"city":"Oslo"}}</tool_call>`,
				`<tool_call>{"name":"get_weather","arguments":{"city":"Os`, `<tool_call>{"name":"nope","arguments":{}}</tool_call>`, `{"answer":"done"}`, "a < b", "<tool_call>"}).Draw(t, "text")})
		case "space":
			add(callwright.TextDelta{Text: rapid.SampledFrom([]string{"\n\n", " "}).Draw(t, "space")})
		case "reasoning":
			add(callwright.ReasoningDelta{Text: "Think. "}, callwright.ReasoningEnd{})
		case "call":
			name := rapid.SampledFrom([]string{"get_weather", "get_weather", "Get_Weather", "save-note", "nope"}).Draw(t, "name")
			args := rapid.SampledFrom([]string{oslo, oslo, `{"city":"Oslo","days":"3"}`, `{"city":"Oslo",}`, `{"town":1}`, `{"city":"Os`, ``, `{"title":"t"}`, `{"name":"get_weather","arguments":{"city":"Oslo"}}`}).Draw(t, "args")
			add(callwright.CallBegin{Index: calls, ID: fmt.Sprint("call_", calls), Name: name}, callwright.CallDelta{Index: calls, Text: args}, callwright.CallEnd{Index: calls})
			calls++
		}
	}
	finish := rapid.SampledFrom([]callwright.Finish{callwright.FinishStop, callwright.FinishStop, callwright.FinishCalls, callwright.FinishCalls, callwright.FinishLength, callwright.FinishContentFilter}).Draw(t, "finish")
	return append(events, callwright.End{Finish: finish})
}

// cutAnywhere are the events of an answer as a stream has them, its texts and arguments cut anywhere.
func cutAnywhere(t *rapid.T, events []callwright.Event) []callwright.Event {
	var out []callwright.Event
	for _, ev := range events {
		switch ev := ev.(type) {
		case callwright.TextDelta:
			for _, p := range cutUp(t, ev.Text) {
				out = append(out, callwright.TextDelta{Text: p}, pause{})
			}
		case callwright.CallDelta:
			for _, p := range cutUp(t, ev.Text) {
				out = append(out, callwright.CallDelta{Index: ev.Index, Text: p}, pause{})
			}
		default:
			out = append(out, ev)
		}
	}
	return out
}

// An answer comes to the same whole and in a stream. What the client of a stream saw of an attempt that another followed is all that may differ.
func TestWholeIsStreamed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var answers, pieces []any
		for range rapid.IntRange(1, 4).Draw(t, "answers") {
			a := drawnAnswer(t)
			answers, pieces = append(answers, a), append(pieces, cutAnywhere(t, a))
		}
		policy := rapid.SampledFrom([]callwright.Policy{callwright.PolicyHeal, callwright.PolicyHeal, callwright.PolicyHealHeuristic, callwright.PolicyObserve, callwright.PolicyOff}).Draw(t, "policy")
		opts := []reliable.Option{reliable.WithStreamCalls(callwright.StreamHeld), reliable.WithModes(rapid.SampledFrom([]caps.Mode{caps.Native, caps.Native, caps.Text, caps.JSONObject}).Draw(t, "mode")), reliable.WithOneMode(),
			reliable.WithPolicy(policy), reliable.WithMaxCorrections(len(answers) - 1), reliable.WithIDs(func(p string) string { return p + "x" })}
		req := ask(rapid.SampledFrom([]callwright.Choice{{}, {}, {}, {Mode: callwright.ChoiceRequired}, {Mode: callwright.ChoiceNone}}).Draw(t, "choice"))
		req.Tools = lawTools
		whole, werr := reliable.New(&scripted{name: "lab/m", answers: answers}, opts...).Generate(t.Context(), req)
		got, serr := callwright.Collect(reliable.New(&scripted{name: "lab/m", answers: pieces}, opts...).Stream(t.Context(), req))
		if serr == nil {
			checkReported(t, answers, got)
		}
		if werr == nil {
			checkReported(t, answers, whole)
		}
		if serr == nil && len(got.Report.Attempts) > 1 && got.Text() != "" { // which may have been seen before a further attempt
			return
		}
		lines := func(resp *callwright.Response, err error) []string {
			out := outcome(resp, err)
			for i := range out { // white space before the first word is no text
				if said, ok := strings.CutPrefix(out[i], "text "); ok {
					out[i] = "text " + strings.TrimLeft(said, " \n")
				}
			}
			return out
		}
		if d := cmp.Diff(lines(whole, werr), lines(got, serr)); d != "" {
			t.Fatalf("%+v (-whole +streamed)\n%s\n%+v\n%+v", answers, d, werr, serr)
		}
		if werr == nil {
			if d := cmp.Diff(attempts(whole.Report), attempts(got.Report)); d != "" {
				t.Fatalf("%+v attempts (-whole +streamed)\n%s", answers, d)
			}
		}
	})
}

// checkReported holds what an answer became against its report: changes are in it, and without one there are none.
func checkReported(t *rapid.T, answers []any, resp *callwright.Response) {
	if resp.Report.Mode.InDocument() { // whose answers are what was asked for, and no text
		return
	}
	if len(resp.Report.Attempts) > 1 {
		if resp.Report.Untouched {
			t.Fatalf("%+v: untouched after %d attempts", answers, len(resp.Report.Attempts))
		}
		return
	}
	var came callwright.Collector
	for _, ev := range answers[0].([]callwright.Event) {
		came.Add(ev)
	}
	describe := func(r *callwright.Response) (out []string) {
		reasoning := ""
		for _, p := range r.Parts {
			switch p := p.(type) {
			case callwright.Reasoning:
				reasoning += p.Text
			case callwright.Call:
				out = append(out, "call "+p.ID+" "+p.Name+" "+string(p.Arguments))
			}
		}
		return append(out, "text "+r.Text(), "reasoning "+reasoning, "finish "+string(r.Finish))
	}
	d := cmp.Diff(describe(came.Response()), describe(resp))
	ofRequest := func(n callwright.Note) bool {
		return n.Stage == callwright.StagePlan || n.Stage == callwright.StageOutbound
	}
	noted := slices.ContainsFunc(resp.Report.Notes, func(n callwright.Note) bool { return n.Risk != "" && !n.Observed && !ofRequest(n) })
	asIs := resp.Report.Untouched || resp.Report.Mode != caps.Native || slices.ContainsFunc(resp.Report.Notes, ofRequest)
	if d != "" && resp.Report.Untouched || d == "" && !asIs || d == "" && noted || d != "" && !noted && len(resp.Report.Invalid) == 0 {
		t.Fatalf("%+v: untouched %t, notes %+v, invalid %+v (-came +became)\n%s", answers, resp.Report.Untouched, resp.Report.Notes, resp.Report.Invalid, d)
	}
}
