package reliable_test

import (
	"errors"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/reliable"
	"github.com/google/go-cmp/cmp"
)

// The report of an error says what was changed in the request that the provider refused, each change once.
func TestNotesOfARefusedRequest(t *testing.T) {
	changed := callwright.Note{Rule: "params.left_out"}
	refused := &callwright.Error{Kind: callwright.KindAuth, Report: &callwright.Report{Notes: []callwright.Note{changed}}}
	for _, tc := range []struct {
		name   string
		answer any
		stream bool
	}{
		{"whole", refused, false},
		{"streamed", refused, true},
		{"after its beginning", brokenOff{[]callwright.Event{noted{Note: changed}, callwright.Begin{}, callwright.TextDelta{Text: "a"}}, refused}, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			client := reliable.New(&scripted{name: "lab/m", answers: []any{tc.answer}})
			var err error
			if tc.stream {
				_, err = callwright.Collect(client.Stream(t.Context(), ask(callwright.Choice{})))
			} else {
				_, err = client.Generate(t.Context(), ask(callwright.Choice{}))
			}
			e, ok := errors.AsType[*callwright.Error](err)
			if !ok || e.Report == nil {
				t.Fatalf("expected an error with a report, got %v", err)
			}
			var rules []string
			for _, n := range e.Report.Notes {
				rules = append(rules, n.Rule)
			}
			if diff := cmp.Diff([]string{"params.left_out"}, rules); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// The report counts what all attempts found in prompt caches.
func TestReportCountsCachedTokens(t *testing.T) {
	use := func(events []callwright.Event, cached int) []callwright.Event {
		usage := callwright.UsageDelta{Usage: callwright.Usage{Known: true, Input: 100, CacheRead: cached}}
		return append([]callwright.Event{callwright.Begin{}, usage}, events[1:]...)
	}
	m := &scripted{name: "lab/m", answers: []any{use(native("get_weather", `{"days":1}`, callwright.FinishCalls), 60), use(native("get_weather", `{"days":2}`, callwright.FinishCalls), 0), use(goodCall, 90)}}
	resp, err := reliable.New(m).Generate(t.Context(), ask(callwright.Choice{}))
	if err != nil {
		t.Fatal(err)
	}
	if rep := resp.Report; len(rep.Attempts) != 3 || rep.CachedTokens != 150 || rep.CacheHits != 2 {
		t.Errorf("%d attempts found %d tokens, %d of them any", len(rep.Attempts), rep.CachedTokens, rep.CacheHits)
	}
}

// An answer that needs no change keeps its bytes although the request was mended.
func TestAnswerToAMendedRequestStaysExact(t *testing.T) {
	raw := rawOf{Wire: callwright.WireOpenAI, Bytes: []byte("as it came"), Events: 3}
	m := &scripted{name: "lab/m", answers: []any{[]callwright.Event{raw, callwright.Begin{}, callwright.TextDelta{Text: "Hi."}, callwright.End{Finish: callwright.FinishStop}}}}
	req := ask(callwright.Choice{})
	req.Messages = append(req.Messages, callwright.Message{Role: callwright.RoleAssistant, Parts: []callwright.Part{callwright.Call{ID: "lost", Name: "get_weather", Arguments: []byte("{}")}}})
	resp, err := reliable.New(m).Generate(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	if resp.Report.Untouched || resp.Raw == nil || string(resp.Raw.Bytes) != "as it came" {
		t.Errorf("untouched %t, raw %v", resp.Report.Untouched, resp.Raw)
	}
}
