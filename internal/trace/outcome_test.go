package trace_test

import (
	"bytes"
	"context"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/internal/conversation"
	"github.com/callwright/callwright/internal/outcome"
	"github.com/callwright/callwright/internal/trace"
)

// reportWith returns a report with notes.
func reportWith(untouched bool, notes ...callwright.Note) *callwright.Report {
	return &callwright.Report{ID: "rep_1", Untouched: untouched, Notes: notes}
}

var (
	repaired = callwright.Note{Rule: "json.trailing_text", Stage: callwright.StageValidate}.Classify()
	waited   = callwright.Note{Rule: "plan.fallback", Stage: callwright.StagePlan}.Classify()
	invalid  = callwright.Note{Rule: "judge.invalid", Stage: callwright.StageValidate, Observed: true}
)

// The last entry of a request decides its outcome. Without the member, as earlier versions wrote it, the report of the answer does.
func TestOutcomeOfEntries(t *testing.T) {
	answer := func(rep *callwright.Report, came outcome.Outcome, class string) trace.Entry {
		form, err := conversation.MarshalResponse(&callwright.Response{Report: rep})
		if err != nil {
			t.Fatal(err)
		}
		return trace.Entry{Kind: trace.KindAnswer, ID: "rep_1", Data: form, Outcome: came, Class: class}
	}
	tests := []struct {
		name  string
		wire  callwright.WireName
		end   trace.Entry
		want  outcome.Outcome
		class string
	}{
		{"earlier version, untouched", "openai", answer(reportWith(true), "", ""), outcome.Answered, ""},
		{"earlier version, untouched, of a program", "", answer(reportWith(true), "", ""), outcome.Passed, ""},
		{"earlier version, other API", "openai", answer(reportWith(false), "", ""), outcome.Translated, ""},
		{"earlier version, fallback", "openai", answer(reportWith(false, waited), "", ""), outcome.Translated, ""},
		{"earlier version, repaired", "openai", answer(reportWith(false, repaired), "", ""), outcome.Healed, "F18"},
		{"earlier version, invalid under observe", "openai", answer(reportWith(true, invalid), "", ""), outcome.Failed, ""},
		{"earlier version, no report", "openai", answer(nil, "", ""), outcome.Answered, ""},
		{"earlier version, error", "openai", trace.Entry{Kind: trace.KindError, ID: "rep_1", Failure: &callwright.Error{Kind: callwright.KindTimeout}}, outcome.Failed, ""},
		{"notes of the gateway", "openai", answer(reportWith(true), outcome.Translated, ""), outcome.Translated, ""},
		{"client left", "openai", answer(reportWith(true), outcome.Failed, ""), outcome.Failed, ""},
		{"no report, decided", "openai", answer(nil, outcome.Passed, ""), outcome.Passed, ""},
		{"healed", "openai", answer(nil, outcome.Healed, "F02"), outcome.Healed, "F02"},
	}
	for _, tt := range tests {
		line, err := tt.end.Line()
		if err != nil {
			t.Fatal(err)
		}
		for read, err := range trace.Read(bytes.NewReader(line)) {
			s := trace.Summarize([]trace.Entry{{Kind: trace.KindRequest, ID: "rep_1", Wire: tt.wire}, read})
			if err != nil || s.Outcome != tt.want || s.Class != tt.class {
				t.Errorf("%s: expected %s %q, got %s %q, %v", tt.name, tt.want, tt.class, s.Outcome, s.Class, err)
			}
		}
	}
}

// Lists of earlier versions counted any change as healed: only what they say for sure is read.
func TestOutcomeOfSummaries(t *testing.T) {
	for text, want := range map[string]outcome.Outcome{
		`{"outcome":"untouched"}`:                            outcome.Answered,
		`{"outcome":"passed"}`:                               outcome.Passed,
		`{"outcome":"healed","rules":["params.dropped"]}`:    outcome.Answered,
		`{"outcome":"healed","class":"F02"}`:                 outcome.Healed,
		`{"outcome":"failed"}`:                               outcome.Failed,
		`{"outcome":"unfinished"}`:                           outcome.Unfinished,
		`{"outcome":"translated","rules":["plan.fallback"]}`: outcome.Translated,
	} {
		if got, err := trace.ParseSummary([]byte(text)); err != nil || got.Outcome != want {
			t.Errorf("%s: expected %s, got %s, %v", text, want, got.Outcome, err)
		}
	}
}

// A program's own request has the outcome of its report. That of a client is recorded when its outcome is decided, with that outcome.
func TestRecordAwaitsOutcome(t *testing.T) {
	passed := reportWith(true)
	events := []callwright.Event{callwright.TextBegin{}, callwright.TextDelta{Text: "Hi"}, callwright.End{Finish: callwright.FinishStop}, callwright.Done{Report: passed}}
	for _, streamed := range []bool{false, true} {
		var file bytes.Buffer
		m := trace.Record(&scripted{resp: &callwright.Response{Report: passed}, events: events}, trace.NewWriter(&file))
		ask := func(ctx context.Context) {
			req := &callwright.Request{Model: "lab/one", Attached: &companion.Companion{ReportID: "rep_1"}, Messages: []callwright.Message{callwright.UserText("Hi")}}
			if !streamed {
				_, _ = m.Generate(ctx, req)
				return
			}
			for _, err := range m.Stream(ctx, req) {
				if err != nil {
					t.Fatal(err)
				}
			}
		}
		last := func() trace.Entry {
			entries, err := trace.ReadAll(bytes.NewReader(file.Bytes()))
			if err != nil {
				t.Fatal(err)
			}
			return entries[len(entries)-1]
		}
		ask(t.Context())
		if got := last(); got.Kind != trace.KindAnswer || got.Outcome != outcome.Passed {
			t.Errorf("of a program: got %s %q", got.Kind, got.Outcome)
		}
		var end outcome.Ending
		ask(outcome.With(t.Context(), &end))
		if got := last(); got.Kind != trace.KindSent {
			t.Errorf("before the outcome is decided: got %s", got.Kind)
		}
		end.Decide(reportWith(false, repaired), false)
		if got := last(); got.Kind != trace.KindAnswer || got.Outcome != outcome.Healed || got.Class != "F18" {
			t.Errorf("decided: got %s %q %q", got.Kind, got.Outcome, got.Class)
		}
	}
}
