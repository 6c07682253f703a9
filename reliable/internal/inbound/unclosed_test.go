package inbound_test

import (
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/dialect"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/reliable/internal/inbound"
	"github.com/callwright/callwright/reliable/internal/judge"
	"github.com/callwright/callwright/schema"
)

// A call in the text in which the answer was broken off is not handed on without its last arguments, in every dialect. It is reported.
func TestUnclosedCalls(t *testing.T) {
	const booking = `{"type":"object","properties":{"from":{"type":"string"},"to":{"type":"string"},"class":{"type":"string"}},"required":["from"]}`
	tools, err := judge.NewToolset([]callwright.Tool{{Name: "book", Schema: []byte(booking)}}, schema.NewCache(8))
	if err != nil {
		t.Fatal(err)
	}
	args := []byte(`{"from":"Bonn","to":"Ulm","class":"first"}`)
	for _, f := range dialect.Formats() {
		text := f.RenderCalls([]dialect.RenderedCall{{Name: "book", Arguments: args}})
		stopped := 0
		for cut := range len(text) + 1 {
			for _, finish := range []callwright.Finish{callwright.FinishLength, callwright.FinishContentFilter, callwright.FinishStop} {
				a, _ := answer(t, func(set *inbound.Setup) {
					set.Toolset, set.Attempt = tools, owner{tools}
				})
				take(a, callwright.TextDelta{Text: text[:cut]}, callwright.End{Finish: finish})
				for _, c := range a.Outcome.Good {
					switch whole := jsonx.Equal(c.Arguments, args); {
					case finish == callwright.FinishStop && !whole:
						stopped++
					case !whole:
						t.Errorf("%s: %q with finish %q is run with %s", f.Name, text[:cut], finish, c.Arguments)
					}
				}
				if cut == len(text) && len(a.Outcome.Good) == 0 && text != "" {
					t.Errorf("%s: %q with finish %q is not run", f.Name, text, finish)
				}
			}
		}
		if stopped == 0 && f.Name == "gemma4" {
			t.Errorf("%s: no call without its closing marks is run where the answer was not broken off", f.Name)
		}
	}
}
