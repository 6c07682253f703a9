package callcheck

import (
	"context"

	"github.com/callwright/callwright"
)

// A ForAgent looks at a call that an agent is about to run, with its declared name and valid arguments. ask is why a
// person has to approve it first, "" where nobody has to; refused is why it is not run. Several goroutines call it,
// also twice for one call.
type ForAgent func(call callwright.Call) (ask string, refused error)

type agentKey struct{}

// With returns a context in which agents have check look at their calls.
func With(ctx context.Context, check ForAgent) context.Context {
	return context.WithValue(ctx, agentKey{}, check)
}

// From returns the check of agents' calls in a context, nil for none.
func From(ctx context.Context) ForAgent {
	check, _ := ctx.Value(agentKey{}).(ForAgent)
	return check
}
