package access_test

import (
	"context"
	"fmt"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/access"
)

// A gate finds the caller of a key, refuses what is outside its scope, and counts what its requests use.
func ExampleGate() {
	ctx := context.Background()
	gate, err := access.New(access.Config{
		Keys: []access.Key{{
			Name: "ci", Hash: access.HashOf("the key"), Models: []string{"groq/*"}, Limits: access.Limits{Requests: 1, Tokens: 100_000},
		}},
		Now: func() time.Time { return time.Date(2026, 3, 14, 15, 9, 26, 0, time.UTC) },
	})
	if err != nil {
		panic(err)
	}
	defer gate.Close(ctx)

	caller, err := gate.Find([][]byte{[]byte("the key")})
	fmt.Println(caller.Name, err)
	fmt.Println(caller.MayAsk("openai/gpt-5", []callwright.ModelID{"openai/gpt-5"}))

	fmt.Println(caller.CountRequest(ctx))
	use, err := caller.Reserve(ctx, access.PlannedRequest{Name: "groq/m", Models: []callwright.ModelID{"groq/m"}, Input: 900})
	use.Settle(ctx, &callwright.Report{Attempts: []callwright.Attempt{{Model: "groq/m", Usage: callwright.Usage{Known: true, Input: 1000, Output: 200}}}}, callwright.Usage{})
	fmt.Println(err)
	for _, l := range caller.Usage(ctx).Limits {
		fmt.Println(l.What, l.Left)
	}
	fmt.Println(caller.CountRequest(ctx))

	// Output:
	// ci <nil>
	// the model "openai/gpt-5" is outside the scope of the key "ci", whose models are groq/*: use another key, or ask the operator of this gateway to extend the scope
	// <nil>
	// <nil>
	// requests 0
	// tokens 98800
	// the key "ci" has used its limit of 1 requests a minute: try again in 1m1s
}
