package reliable_test

import (
	"slices"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/reliable"
)

// A name that means no type is no error of the request: the rest of the schema is checked, and a note names the keyword. This holds for tools in
// every mode, and for the form of the answer.
func TestUnknownTypeName(t *testing.T) {
	const schema = `{"type":"object","properties":{"unit":{"type":"enum","enum":["C","F"]},"days":{"type":["integer","whole"]},"city":{"type":"string"}},"required":["city"]}`
	tools := []callwright.Tool{{Name: "get_weather", Schema: []byte(schema)}}
	const good, bad = `{"city":"Oslo","unit":"C","days":3}`, `{"city":"Oslo","unit":"K"}`
	isUnchecked := func(n callwright.Note) bool { return n.Rule == "schema.unchecked" && n.Path == "/properties/unit/type" }
	for name, answers := range map[string][]any{
		"native":  {native("get_weather", bad, callwright.FinishCalls), native("get_weather", good, callwright.FinishCalls)},
		"written": {text(`<tool_call>{"name":"get_weather","arguments":` + bad + `}</tool_call>`), text(`<tool_call>{"name":"get_weather","arguments":` + good + `}</tool_call>`)},
	} {
		m := &scripted{name: "lab/m", answers: answers}
		req := ask(callwright.Choice{})
		req.Tools = tools
		resp, err := reliable.New(m, reliable.WithOneMode()).Generate(t.Context(), req)
		if err != nil || len(resp.Calls()) != 1 || string(resp.Calls()[0].Arguments) != good || len(m.asked) != 2 || !slices.ContainsFunc(resp.Report.Notes, isUnchecked) {
			t.Errorf("%s: %v after %d requests, notes %+v", name, outcome(resp, err), len(m.asked), reportOf(resp, err).Notes)
		}
	}
	m := &scripted{name: "lab/m", answers: []any{text(bad), text(good)}}
	req := ask(callwright.Choice{})
	req.Tools, req.Params.Format = nil, &callwright.AnswerFormat{Schema: []byte(schema)}
	if resp, err := reliable.New(m).Generate(t.Context(), req); err != nil || resp.Text() != good || len(m.asked) != 2 {
		t.Errorf("form: %v after %d requests", outcome(resp, err), len(m.asked))
	}
}
