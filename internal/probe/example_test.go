package probe_test

import (
	"context"
	"fmt"

	"github.com/callwright/callwright/internal/config"
	"github.com/callwright/callwright/internal/probe"
)

func ExampleRun() {
	c, err := config.Parse([]byte("providers: {sim: {}}"), nil)
	if err != nil {
		panic(err)
	}
	registry, err := config.NewRegistry(c)
	if err != nil {
		panic(err)
	}
	defer registry.Close()
	model, err := registry.Direct("sim/hermes") // it writes its calls as text
	if err != nil {
		panic(err)
	}
	card, err := probe.Run(context.Background(), model, probe.Options{})
	if err != nil {
		panic(err)
	}
	fmt.Println(card.Facts["text_calls"], card.Facts["dialect"])
	// Output: yes hermes
}
