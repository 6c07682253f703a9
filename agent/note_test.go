package agent_test

import (
	"slices"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/agent"
)

// What is changed alike in each request is told once, and what is found in answers each time.
func TestNotesOfRequests(t *testing.T) {
	renamed := callwright.Note{Rule: "tools.renamed", Stage: callwright.StageOutbound, Was: "a:b", Now: "a_b"}
	late := callwright.Note{Rule: "tools.renamed", Stage: callwright.StageOutbound, Was: "c:d", Now: "c_d"}
	limit := callwright.Note{Rule: "params.max_tokens_default", Stage: callwright.StageEncode, Now: "4096"}
	coerced := callwright.Note{Rule: "coerce.string_to_integer", Stage: callwright.StageValidate, Path: "/days", Was: `"3"`, Now: "3"}
	answer := func(parts []callwright.Part, notes ...callwright.Note) callwright.Response {
		return callwright.Response{Parts: parts, Report: &callwright.Report{Notes: notes}}
	}
	second := callwright.Call{ID: "c1", Name: "weather", Arguments: []byte(`{"city":"Rome"}`)}
	m := &script{answers: []any{
		answer(calls("weather", `{"city":"Oslo"}`), renamed, limit, coerced),
		answer([]callwright.Part{second}, renamed, late, limit, coerced),
		answer([]callwright.Part{callwright.Text{Text: "Done."}}, renamed, late, limit),
	}}
	a := agent.New(m, agent.Tools(weather(new([]string))))
	want := []callwright.Note{renamed, limit, coerced, late, coerced}
	for range 2 { // each run tells for itself
		m.asked = nil
		res, err := a.Run(t.Context(), callwright.UserText("Go."))
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(res.Notes, want) {
			t.Errorf("got %v", res.Notes)
		}
	}
}
