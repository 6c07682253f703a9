package agent_test

import (
	"slices"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/agent"
)

// Where a model keeps making calls that cannot be run, the next one of the fallback chain is named, or asked.
func TestChain(t *testing.T) {
	bad := calls("wether", `{}`)
	var called []string
	next := &script{name: "lab/next", answers: []any{calls("weather", `{"city":"Oslo"}`), "Clear."}}
	first := &script{name: "lab/first", answers: []any{bad, bad, bad, "I give up."}}
	res, err := agent.New(first, agent.Tools(weather(&called)), agent.WithStrongerModels(0, next)).Run(t.Context(), callwright.UserText("Weather?"))
	if err != nil || res.Suggested != "lab/next" || res.Text != "I give up." {
		t.Errorf("%+v, %v", res, err)
	}
	first.asked = nil
	res, err = agent.New(first, agent.Tools(weather(&called)), agent.WithStrongerModels(2, next), agent.WithModelSwitch()).Run(t.Context(), callwright.UserText("Weather?"))
	if err != nil || res.Text != "Clear." || len(first.asked) != 2 || res.Suggested != "" || !slices.Equal(called, []string{"Oslo"}) {
		t.Errorf("%+v, %v, %d requests to the first, called %v", res, err, len(first.asked), called)
	}
}
