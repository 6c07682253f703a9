// Command agentloop runs a Go function as a tool until the model has answered.
package main

import (
	"context"
	"fmt"
	"log"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/agent"
	"github.com/callwright/callwright/provider"
	"github.com/callwright/callwright/reliable"
	"github.com/callwright/callwright/simulate"
)

type place struct {
	City string `json:"city" jsonschema:"name of the city"`
}

func main() {
	weather := agent.Func("get_weather", "Reports the weather in a city.", func(_ context.Context, in place) (string, error) {
		fmt.Println("tool:", in.City)
		return "3 degrees in " + in.City, nil
	}, agent.ReadOnly())
	model, err := provider.Open("sim/native", provider.WithWire(callwright.WireAnthropic), provider.WithBaseURL("http://simulator"),
		provider.WithTransport(simulate.NewTransport(simulate.New(simulate.Weather()))))
	if err != nil {
		log.Fatal(err)
	}
	defer model.Close()
	loop := agent.New(reliable.New(model), agent.Tools(weather), agent.WithMaxSteps(4), agent.WithParallel(1))
	result, err := loop.Run(context.Background(), callwright.UserText("What is the weather in Oslo and Paris?"))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("answer:", result.Text)
}
