package agent_test

import (
	"context"
	"fmt"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/agent"
)

// A function of Go is a tool: the schema of its arguments is that of its parameter.
func Example() {
	type city struct {
		City string `json:"city" jsonschema:"name of the city"`
	}
	weather := agent.Func("weather", "Tells the weather in a city.", func(_ context.Context, in city) (string, error) {
		return "12 degrees in " + in.City, nil
	})
	model := &script{answers: []any{calls("weather", `{"city":"Oslo"}`), "It is 12 degrees in Oslo."}}
	res, err := agent.New(model, agent.Tools(weather)).Run(context.Background(), callwright.UserText("How warm is it in Oslo?"))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(res.Text)
	// Output: It is 12 degrees in Oslo.
}

// drops is an agent whose model wants to drop a table, which a person has to allow.
func drops(j agent.Journal) *agent.Agent {
	drop := agent.Func("drop_table", "Drops a table.", func(context.Context, struct {
		Table string `json:"table"`
	}) (string, error) {
		return "dropped", nil
	}, agent.Destructive())
	model := &script{answers: []any{calls("drop_table", `{"table":"old"}`), "The table is gone."}}
	return agent.New(model, agent.Tools(drop), agent.WithJournal(j))
}

// A call that needs a person's yes parks the run, which goes on with the answer, here or in another process.
func Example_approval() {
	a := drops(agent.NewMemory())
	res, err := a.Run(context.Background(), callwright.UserText("Drop the old table."))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, q := range res.Waiting {
		fmt.Println(res.Stop, q.Name, string(q.Arguments), "because", q.Why)
	}
	if res, err = a.Resume(context.Background(), res.ID, agent.Answer{Decision: agent.Yes}); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(res.Text)
	// Output:
	// parked drop_table {"table":"old"} because the tool may destroy something
	// The table is gone.
}

// Whoever may answer needs neither the model nor the tools: the answer is in the journal, and the run goes on by it.
func ExampleDecide() {
	ctx, journal := context.Background(), agent.NewMemory()
	a := drops(journal)
	res, err := a.Run(ctx, callwright.UserText("Drop the old table."))
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := agent.Decide(ctx, journal, res.ID, "Ada", agent.Answer{Call: res.Waiting[0].Call, Decision: agent.Yes}); err != nil {
		fmt.Println(err)
		return
	}
	status, err := agent.Status(ctx, journal, res.ID)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(status.Decided[0].Name, status.Decided[0].Decision, "by", status.Decided[0].By)
	if res, err = a.Resume(ctx, res.ID); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(res.Text)
	// Output:
	// drop_table yes by Ada
	// The table is gone.
}
