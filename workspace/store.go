package workspace

import "context"

// A Store keeps the versions of workspaces. It is safe for concurrent use. Its results belong to the caller.
//
// Load returns a version, the newest for 0. It fails with [callwright.KindNotFound] where there is no such workspace,
// or the version does not exist or is no longer kept; a damaged version is an error that names the place.
//
// Save keeps a state as the newest version. It fails with [callwright.KindConflict] unless its predecessor is the
// newest one (none where its version is 1), so that of several concurrent edits of a version one succeeds. A state for
// which it has returned nil is kept even if the machine fails.
//
// History returns the entries of all versions, the oldest first, also of those that are no longer kept; none of a
// workspace that does not exist.
type Store interface {
	Load(ctx context.Context, id ID, version uint64) (*State, error)
	Save(ctx context.Context, s *State) error
	History(ctx context.Context, id ID) ([]Entry, error)
}

// A Lister is a Store that knows its workspaces. List returns their ids, the greatest first, so the newest where NewID
// made them.
type Lister interface {
	List(ctx context.Context) ([]ID, error)
}
