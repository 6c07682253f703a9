package callcheck

import (
	"context"

	"github.com/callwright/callwright"
)

// A ForAgent checks a call before an agent runs it. The call has a declared name and valid arguments. If ask is not "",
// it is the reason why a person must approve the call. If refused is not nil, the call must not run. It is called
// concurrently, and possibly twice for one call.
type ForAgent func(call callwright.Call) (ask string, refused error)

type agentKey struct{}

// With returns a context that contains check. Agents call it for each of their calls.
func With(ctx context.Context, check ForAgent) context.Context {
	return context.WithValue(ctx, agentKey{}, check)
}

// From returns the ForAgent of a context, or nil if there is none.
func From(ctx context.Context) ForAgent {
	check, _ := ctx.Value(agentKey{}).(ForAgent)
	return check
}
