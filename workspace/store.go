package workspace

import "context"

// A Store keeps the versions of workspaces. It is safe for concurrent use. The caller may modify its results.
//
// Load returns the given version, or the newest one if version is 0. It fails with [callwright.KindNotFound] if the
// workspace or the version does not exist or is no longer kept. For a damaged version the error names the file.
//
// Save stores a state as the newest version. It fails with [callwright.KindConflict] unless the newest stored version
// is the predecessor of s, or none exists and s is version 1. So only one of several concurrent edits of a version
// succeeds. When Save has returned nil, a durable Store has written the state to disk.
//
// History returns the entries of all versions, the oldest first, including those of versions that are no longer kept.
// It returns none if the workspace does not exist.
type Store interface {
	Load(ctx context.Context, id ID, version uint64) (*State, error)
	Save(ctx context.Context, s *State) error
	History(ctx context.Context, id ID) ([]Entry, error)
}

// A Lister is a Store that can list its workspaces. List returns their IDs in descending order. For IDs made by this
// package that is the newest first.
type Lister interface {
	List(ctx context.Context) ([]ID, error)
}
