package signature

import "context"

// A Store keeps the opaque state of calls for clients whose API has no place for it, see package signature store. A
// Client asks Holds for every request, Find for the calls of a history whose turns have no state, and Keep for the
// calls of an answer that have some. All are called by many goroutines. One that fails costs the state, not the answer.
type Store interface {
	// Keep keeps a state, to be found by its call and by the call WithoutID. Its texts may be slices of an answer's
	// bytes: a Store copies what it keeps.
	Keep(ctx context.Context, c Call, s State) error
	// Find returns all states that were kept for a call and have not expired.
	Find(ctx context.Context, c Call) ([]State, error)
	// Holds reports, without delay, whether anything may be kept of a model; true where that is not known.
	Holds(model string) bool
}

var _ Store = (*Memory)(nil)
