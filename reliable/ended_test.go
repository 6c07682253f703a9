package reliable_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/reliable"
	"github.com/google/go-cmp/cmp"
)

// joined joins the contents of answers into one, with a finish and what the last event has beside it.
func joined(finish callwright.Finish, beside string, contents ...[]callwright.Event) []callwright.Event {
	out := []callwright.Event{callwright.Begin{ID: "a1", Extra: callwright.Extra{Wire: callwright.WireOpenAI, JSON: []byte(`{"tier":1}`)}}}
	for i, c := range contents {
		for _, ev := range c[1 : len(c)-1] {
			if begin, ok := ev.(callwright.CallBegin); ok {
				begin.Index, begin.ID = i, begin.ID+string(rune('a'+i))
				ev = begin
			}
			out = append(out, ev)
		}
	}
	end := callwright.End{Finish: finish}
	if beside != "" {
		end.Extra = callwright.Extra{Wire: callwright.WireOpenAI, JSON: []byte(beside)}
	}
	return append(out, end)
}

// An answer that could not be made what was wanted ends with what there is of it: words, calls, why it ended, and what its provider said beside it,
// whole and streamed.
func TestHowAnswersEnd(t *testing.T) {
	const sources = `{"citations":["u"]}`
	words := text("Let me see.")
	ungrounded := joined(callwright.FinishCalls, `{"logprobs":0}`, badCall)
	for _, tc := range []struct {
		name     string
		answers  []any
		limit    json.Number
		want     []string
		extra    string
		attempts int
		invalid  callwright.InvalidReason
	}{
		{name: "a cut call after words", answers: []any{joined(callwright.FinishLength, sources, words, cutCall), cutCall, cutCall}, want: []string{"text Let me see.", "finish length"}, attempts: 3,
			invalid: callwright.InvalidTruncated, extra: sources},
		{name: "words in the answer that stands", answers: []any{cutCall, cutCall, joined(callwright.FinishLength, sources, words, cutCall)}, want: []string{"text Let me see.", "finish length"}, attempts: 3,
			invalid: callwright.InvalidTruncated, extra: sources},
		{name: "a call that was cut by the count of tokens", answers: []any{usedMany(joined(callwright.FinishCalls, "", cutCall)), usedMany(cutCall), usedMany(joined(callwright.FinishCalls, "", cutCall))}, limit: "20",
			want: []string{"finish length"}, attempts: 3, invalid: callwright.InvalidTruncated},
		{name: "plain text", answers: []any{joined(callwright.FinishCalls, sources, words, badCall), badCall, badCall}, want: []string{"text Let me see.", "finish stop"}, attempts: 3,
			invalid: callwright.InvalidArguments, extra: sources},
		{name: "a good call and words beside bad ones", answers: []any{joined(callwright.FinishCalls, sources, words, goodCall, badCall), ungrounded, ungrounded},
			want: []string{"call get_weather " + oslo, "text Let me see.", "finish tool_calls"}, attempts: 3, invalid: callwright.InvalidArguments, extra: sources},
	} {
		for _, way := range []string{"whole", "streamed"} {
			t.Run(tc.name+"/"+way, func(t *testing.T) {
				m := &scripted{name: "lab/m", answers: tc.answers}
				c := reliable.New(m, reliable.WithModes(caps.Native), reliable.WithOneMode())
				req := ask(callwright.Choice{})
				req.Params.MaxTokens = tc.limit
				var resp *callwright.Response
				var err error
				if way == "whole" {
					resp, err = c.Generate(t.Context(), req)
				} else {
					resp, err = callwright.Collect(c.Stream(t.Context(), req))
				}
				if d := cmp.Diff(tc.want, outcome(resp, err)); d != "" {
					t.Fatalf("(-want +got)\n%s", d)
				}
				if got := string(resp.Extra.JSON); strings.Contains(got, "citations") != (tc.extra != "") || !strings.Contains(got, strings.Trim(tc.extra, "{}")) {
					t.Errorf("beside it: %s, expected %s", got, tc.extra)
				}
				rep := reportOf(resp, err)
				if len(rep.Attempts) != tc.attempts || !slices.ContainsFunc(rep.Invalid, func(c callwright.InvalidCall) bool { return c.Why == tc.invalid && c.Raw != "" }) {
					t.Errorf("%d attempts, invalid: %+v", len(rep.Attempts), rep.Invalid)
				}
			})
		}
	}
}
