package reliable_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/reliable"
)

// A call of a withheld tool leaves as it is meant, whatever the choice and however bad its arguments are, and is asked for no second time. Its name
// is sent to no model.
func TestWithheld(t *testing.T) {
	serial := false
	for name, c := range map[string]struct {
		answer    []callwright.Event
		choice    callwright.Choice
		parallel  *bool
		arguments string
	}{
		"by its name":             {answer: native("ws:drop", `{"id":7}`, callwright.FinishCalls), arguments: `{"id":7}`},
		"by another":              {answer: native("WS.Drop", `{"id":7}`, callwright.FinishCalls), arguments: `{"id":7}`},
		"in text":                 {answer: text("<tool_call>{\"name\":\"ws_drop\",\"arguments\":{\"id\":7}}</tool_call>"), arguments: `{"id":7}`},
		"without arguments":       {answer: native("ws:drop", ``, callwright.FinishCalls), arguments: `{}`},
		"with arguments to mend":  {answer: native("ws:drop", `{id: 7,}`, callwright.FinishCalls), arguments: `{"id": 7}`},
		"with unreadable ones":    {answer: native("ws:drop", `seven`, callwright.FinishCalls), arguments: `{}`},
		"cut":                     {answer: native("ws:drop", `{"id":"se`, callwright.FinishLength), arguments: `{}`},
		"where none is allowed":   {answer: native("ws:drop", `{}`, callwright.FinishCalls), choice: callwright.Choice{Mode: callwright.ChoiceNone}, arguments: `{}`},
		"where one is required":   {answer: native("ws:drop", `{}`, callwright.FinishCalls), choice: callwright.Choice{Mode: callwright.ChoiceRequired}, arguments: `{}`},
		"where another is":        {answer: native("ws:drop", `{}`, callwright.FinishCalls), choice: forcedOne, arguments: `{}`},
		"where others may":        {answer: native("ws:drop", `{}`, callwright.FinishCalls), choice: callwright.Choice{Names: []string{"get_weather"}}, arguments: `{}`},
		"where one call may come": {answer: native("ws:drop", `{}`, callwright.FinishCalls), parallel: &serial, arguments: `{}`},
	} {
		for way, deliver := range deliveries {
			t.Run(name+"/"+way, func(t *testing.T) {
				m := &scripted{name: "lab/m", answers: []any{c.answer}}
				req := ask(c.choice)
				req.Params.Parallel = c.parallel
				companion.Change(req, func(to *companion.Companion) { to.Withheld = []string{"ws:drop"} })
				resp, err := deliver(reliable.New(m, reliable.WithStreamCalls(callwright.StreamFlowing)), req)
				if err != nil {
					t.Fatal(err)
				}
				calls := resp.Calls()
				if len(calls) != 1 || calls[0].Name != "ws:drop" || string(calls[0].Arguments) != c.arguments {
					t.Errorf("calls %+v", calls)
				}
				tools, err := m.asked[0].DeclaredTools()
				if err != nil || slices.ContainsFunc(tools, func(t callwright.Tool) bool { return t.Name != "get_weather" }) || strings.Contains(fmt.Sprint(m.asked[0].Messages), "drop") {
					t.Errorf("the model was told of the tool: %+v, %v", m.asked[0], err)
				}
			})
		}
	}
}

// Requests that withhold other tools have other fingerprints, and a tool that is declared is not withheld.
func TestWithheldIsPartOfTheRequest(t *testing.T) {
	prints := map[string]bool{}
	for _, withheld := range [][]string{nil, {"ws:drop"}, {"ws:wipe"}, {"get_weather"}} {
		req := ask(callwright.Choice{})
		companion.Change(req, func(c *companion.Companion) { c.Withheld = withheld })
		resp, err := reliable.New(&scripted{name: "lab/m", answers: []any{native("get_weather", `{"city":"Oslo","days":"2"}`, callwright.FinishCalls)}}).Generate(t.Context(), req)
		if err != nil || len(resp.Calls()) != 1 || string(resp.Calls()[0].Arguments) != `{"city":"Oslo","days":2}` {
			t.Fatalf("withholding %v: %+v, %v", withheld, resp, err)
		}
		prints[resp.Report.Fingerprint] = true
	}
	if len(prints) != 3 {
		t.Errorf("fingerprints %v", prints)
	}
}
