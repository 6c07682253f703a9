package agent_test

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/agent"
)

// BenchmarkStep is what a step costs beside the model and the tool: a run of a hundred steps, with the journal in memory.
func BenchmarkStep(b *testing.B) {
	const steps = 100
	var answers []any
	for i := range steps {
		answers = append(answers, calls("weather", fmt.Sprintf(`{"city":"Oslo %d"}`, i)))
	}
	answers = append(answers, "Done.")
	data := json.RawMessage(`{"sky":"clear","degrees":12}`)
	weather := agent.Tool{Name: "weather", Description: "Tells the weather.", Schema: json.RawMessage(citySchema), Run: func(context.Context, json.RawMessage) (agent.Output, error) {
		return agent.Output{Data: data}, nil
	}}
	b.ReportAllocs()
	for b.Loop() {
		res, err := agent.New(&script{answers: answers}, agent.Tools(weather), agent.WithMaxSteps(0)).Run(b.Context(), callwright.UserText("Go on."))
		if err != nil || res.Steps != steps+1 {
			b.Fatal(res, err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/steps, "µs/step")
}
