package steps_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/conversation"
	"github.com/callwright/callwright/internal/dashboard/internal/steps"
	"github.com/callwright/callwright/internal/trace"
)

// BenchmarkSteps shows a request that was asked again as often as is shown, with large answers and many changes.
func BenchmarkSteps(b *testing.B) {
	text, err := json.Marshal(map[string]any{"choices": []any{map[string]any{"message": map[string]any{"role": "assistant", "content": strings.Repeat("It rains in Oslo and in Rome.\n", 2000)}}}})
	if err != nil {
		b.Fatal(err)
	}
	var entries []trace.Entry
	for range steps.MostAnswers {
		entries = append(entries, received(200, "application/json", string(text)))
	}
	report := &callwright.Report{ID: "rep"}
	for i := range 100 {
		report.Notes = append(report.Notes, callwright.Note{Rule: "json.quotes", Was: fmt.Sprintf("{'city': 'Oslo', 'n': %d}", i), Now: "{}"}.Classify())
	}
	data, err := conversation.MarshalResponse(&callwright.Response{Report: report})
	if err != nil {
		b.Fatal(err)
	}
	entries = append(entries, trace.Entry{Kind: trace.KindAnswer, Data: data})
	for b.Loop() {
		if s := steps.Of(b.Context(), entries); len(s.Answers) != steps.MostAnswers {
			b.Fatal(len(s.Answers))
		}
	}
}
