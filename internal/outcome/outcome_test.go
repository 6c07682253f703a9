package outcome_test

import (
	"slices"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/outcome"
)

// untouched says that a report's answer was handed through.
const untouched = true

func report(untouched bool, notes ...callwright.Note) *callwright.Report {
	return &callwright.Report{Untouched: untouched, Notes: notes}
}

// at is a note as its rule grades it.
func at(stage callwright.Stage, rule string) callwright.Note {
	n := callwright.Note{Rule: rule, Stage: stage}.Classify()
	return n
}

func observed(n callwright.Note) callwright.Note {
	n.Observed = true
	return n
}

func TestOf(t *testing.T) {
	lossless := callwright.Note{Rule: "dialect.hermes", Stage: callwright.StageNormalise, Risk: callwright.RiskLossless}
	tests := []struct {
		name   string
		rep    *callwright.Report
		failed bool
		want   outcome.Outcome
		class  string
	}{
		{"no report", nil, false, outcome.Passed, ""},
		{"error without a report", nil, true, outcome.Failed, ""},
		{"untouched", report(untouched), false, outcome.Passed, ""},
		{"another API", report(!untouched), false, outcome.Translated, ""},
		{"retry", report(untouched, at(callwright.StageTransport, "transport.retry")), false, outcome.Passed, ""},
		{"retry of a translated request", report(!untouched, at(callwright.StageTransport, "transport.retry")), false, outcome.Translated, ""},
		{"fallback", report(!untouched, at(callwright.StagePlan, "plan.fallback")), false, outcome.Translated, ""},
		{"cache marks", report(!untouched, at(callwright.StageEncode, "cache.marked"), at(callwright.StageOutbound, "history.cache_mark")), false, outcome.Translated, ""},
		{"parameter left out", report(!untouched, at(callwright.StageEncode, "params.dropped")), false, outcome.Translated, ""},
		{"usage asked for", report(!untouched, at(callwright.StageEncode, "response.usage")), false, outcome.Translated, ""},
		{"history repaired", report(!untouched, at(callwright.StageOutbound, "history.orphan_call")), false, outcome.Translated, ""},
		{"schema adapted", report(!untouched, at(callwright.StageOutbound, "tools.schema_gemini")), false, outcome.Translated, ""},
		{"hosted tool", report(!untouched, at(callwright.StageValidate, "hosted.ran")), false, outcome.Translated, ""},
		{"format that was asked for", report(!untouched, lossless, at(callwright.StageNormalise, "finish.derived"), at(callwright.StageValidate, "id.missing")), false, outcome.Translated, ""},
		{"format nobody asked for", report(!untouched, at(callwright.StageNormalise, "dialect.hermes")), false, outcome.Healed, "F01"},
		{"repaired JSON", report(!untouched, at(callwright.StageTransport, "transport.retry"), at(callwright.StageValidate, "json.trailing_text")), false, outcome.Healed, "F18"},
		{"pieces put together", report(!untouched, at(callwright.StageNormalise, "wire.call_drift")), false, outcome.Healed, "F27"},
		{"rejected call", report(!untouched, at(callwright.StageValidate, "judge.undeclared")), false, outcome.Healed, "F22"},
		{"empty answer", report(!untouched, at(callwright.StageCorrect, "correct.empty")), false, outcome.Healed, "F13"},
		{"parser of the server", report(!untouched, at(callwright.StagePlan, "plan.unparsed")), false, outcome.Healed, "F03"},
		{"first class of two", report(!untouched, at(callwright.StageNormalise, "reasoning.promoted"), at(callwright.StageValidate, "json.empty")), false, outcome.Healed, "F10"},
		{"healed and failed", report(!untouched, at(callwright.StageValidate, "json.empty")), true, outcome.Failed, "F24"},
		{"only observed", report(untouched, observed(at(callwright.StageValidate, "json.trailing_text"))), false, outcome.Passed, ""},
		{"invalid call under observe", report(untouched, observed(at(callwright.StageValidate, "judge.invalid"))), false, outcome.Failed, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := outcome.Of(tt.rep, tt.failed); got != tt.want {
				t.Errorf("expected %s, got %s", tt.want, got)
			}
			if got := outcome.Class(tt.rep); got != tt.class {
				t.Errorf("expected class %q, got %q", tt.class, got)
			}
		})
	}
}

func TestWords(t *testing.T) {
	for _, r := range callwright.Rules() {
		if r.Fault != "" && outcome.Words(r.Fault) == r.Fault {
			t.Errorf("%s: class %s has no words", r.ID, r.Fault)
		}
	}
}

func TestAttempts(t *testing.T) {
	tests := []struct {
		name     string
		attempts []callwright.Attempt
		retries  int
		fallback bool
	}{
		{"none", nil, 0, false},
		{"one", []callwright.Attempt{{Model: "a/m", Why: callwright.AttemptFirst, Tries: 1}}, 0, false},
		{"sent again", []callwright.Attempt{{Model: "a/m", Tries: 3}, {Model: "a/m", Why: callwright.AttemptCorrection, Tries: 2}}, 3, false},
		{"another model", []callwright.Attempt{{Model: "a/m"}, {Model: "b/m", Why: callwright.AttemptFallback}}, 0, true},
		{"first one skipped", []callwright.Attempt{{Model: "b/m", Why: callwright.AttemptFallback}}, 0, true},
	}
	for _, tt := range tests {
		rep := &callwright.Report{Attempts: tt.attempts}
		if got := outcome.Retries(rep); got != tt.retries {
			t.Errorf("%s: expected %d retries, got %d", tt.name, tt.retries, got)
		}
		if got := outcome.FellBack(rep); got != tt.fallback {
			t.Errorf("%s: expected fallback %t, got %t", tt.name, tt.fallback, got)
		}
	}
}

// A request has one outcome: what is decided later changes nothing, and each record is made once, with it.
func TestEnding(t *testing.T) {
	healed := report(!untouched, at(callwright.StageValidate, "json.empty"))
	for _, tt := range []struct {
		name string
		run  func(e *outcome.Ending, record outcome.Recorder)
		want []string
	}{
		{"record before", func(e *outcome.Ending, record outcome.Recorder) {
			e.Await(record)
			e.Decide(healed, false)
		}, []string{"healed F24"}},
		{"record after", func(e *outcome.Ending, record outcome.Recorder) {
			e.Decide(healed, false)
			e.Await(record)
		}, []string{"healed F24"}},
		{"decided twice", func(e *outcome.Ending, record outcome.Recorder) {
			e.Await(record)
			e.Decide(healed, true)
			if e.Decide(healed, false) != outcome.Failed {
				t.Error("expected the first decision")
			}
		}, []string{"failed "}},
		{"asked again", func(e *outcome.Ending, record outcome.Recorder) {
			e.Await(record)
			e.Continue()
			e.Await(record)
			e.Decide(nil, false)
		}, []string{" ", "passed "}},
		{"never", func(e *outcome.Ending, record outcome.Recorder) { e.Await(record) }, nil},
	} {
		var e outcome.Ending
		var got []string
		if tt.run(outcome.From(outcome.With(t.Context(), &e)), func(came outcome.Outcome, class string) { got = append(got, string(came)+" "+class) }); !slices.Equal(got, tt.want) {
			t.Errorf("%s: expected %q, got %q", tt.name, tt.want, got)
		}
	}
	if outcome.From(t.Context()) != nil {
		t.Error("expected none of a context without one")
	}
}

func TestAsks(t *testing.T) {
	ended := []outcome.Outcome{outcome.Passed, outcome.Translated, outcome.Healed, outcome.Failed, outcome.Answered, outcome.Unfinished}
	want := map[outcome.Outcome]string{"": "111111", outcome.Answered: "111010", outcome.Passed: "100000", outcome.Translated: "010000", outcome.Healed: "001000",
		outcome.Failed: "000100", outcome.Unfinished: "000001"}
	for q, flags := range want {
		for i, got := range ended {
			if q.Asks(got) != (flags[i] == '1') {
				t.Errorf("query %q for %s: got %t", q, got, q.Asks(got))
			}
		}
	}
	var o outcome.Outcome
	if _ = o.UnmarshalText([]byte("untouched")); o != outcome.Answered {
		t.Errorf("expected the earlier outcome to be read as answered, got %s", o)
	}
}
