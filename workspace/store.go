package workspace

import "context"

// A Store keeps the versions of workspaces. It is safe for concurrent use, and what it returns belongs to the caller.
//
// Load returns a version, the newest for 0. It fails with [callwright.KindNotFound] where there is no such workspace, or the version does not
// exist or is not kept any more; of one that is damaged with an error that names the place.
//
// Save keeps a state as the newest version. It fails with [callwright.KindConflict] unless the newest one is the one before it (none where its
// version is 1), so that of several who edit the same version one succeeds. What it has returned for is kept even if the machine fails.
//
// History returns the entries of all versions, the oldest first, also of those that are not kept any more; none of a workspace that is not there.
type Store interface {
	Load(ctx context.Context, id ID, version uint64) (*State, error)
	Save(ctx context.Context, s *State) error
	History(ctx context.Context, id ID) ([]Entry, error)
}

// A Lister is a Store that knows its workspaces. List returns their ids, the greatest first, so the newest where NewID made them.
type Lister interface {
	List(ctx context.Context) ([]ID, error)
}
