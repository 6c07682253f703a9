package signature

import "context"

// A Store keeps the opaque state of calls for clients whose API cannot carry the state, see the package documentation.
// A client of package reliable calls Holds for every request, Find for the calls in a conversation that lack state,
// and Keep for the calls of a response that have state. All methods must be safe for concurrent use. An error loses
// the state but does not fail the request.
type Store interface {
	// Keep stores a state under c and under c.WithoutID(s.Arguments). The strings of c and s may be substrings of a
	// response body, so a Store in memory should copy them.
	Keep(ctx context.Context, c Call, s State) error
	// Find returns all unexpired states kept for the call.
	Find(ctx context.Context, c Call) ([]State, error)
	// Holds reports, without waiting, whether the store may have state of the model. It returns true if this is unknown.
	Holds(model string) bool
}

var _ Store = (*Memory)(nil)
