package workspace

import (
	"context"
	"maps"
	"slices"
	"sync"

	"github.com/callwright/callwright"
)

// A memory is a Store in memory, for tests and for workspaces that need not survive the process. It keeps every
// version. It is safe for concurrent use.
type memory struct {
	mu     sync.RWMutex
	states map[ID][]*State // all versions in order; the states are immutable
}

var (
	_ Store  = (*memory)(nil)
	_ Lister = (*memory)(nil)
)

// NewMemory returns an empty Store in memory. It keeps every version of every workspace.
func NewMemory() Store { return &memory{states: map[ID][]*State{}} }

// Load returns a copy of the given version, or of the newest one if version is 0.
func (m *memory) Load(ctx context.Context, id ID, version uint64) (*State, error) {
	kept, err := m.versions(ctx, id)
	if err != nil {
		return nil, err
	}
	if len(kept) == 0 {
		return nil, NotFound(id, version)
	}
	if version == 0 {
		version = uint64(len(kept))
	}
	if version > uint64(len(kept)) {
		return nil, NotFound(id, version)
	}
	return kept[version-1].Clone(), nil
}

// Save stores a copy of s if s is the next version. Otherwise it fails with KindConflict.
func (m *memory) Save(ctx context.Context, s *State) error {
	if err := Ready(ctx, s.ID); err != nil {
		return err
	}
	if err := s.Validate(); err != nil {
		return err
	}
	s = s.Clone()
	m.mu.Lock()
	defer m.mu.Unlock()
	if n := uint64(len(m.states[s.ID])); s.Version-1 != n {
		return Conflict(s.ID, n, s.Version)
	}
	m.states[s.ID] = append(m.states[s.ID], s)
	return nil
}

// History returns copies of the entries of all versions, the oldest first.
func (m *memory) History(ctx context.Context, id ID) ([]Entry, error) {
	kept, err := m.versions(ctx, id)
	if err != nil {
		return nil, err
	}
	var out []Entry
	for _, s := range kept {
		out = append(out, s.Entry.clone())
	}
	return out, nil
}

// List returns the IDs of all workspaces in descending order.
func (m *memory) List(ctx context.Context) ([]ID, error) {
	if err := alive(ctx); err != nil {
		return nil, err
	}
	m.mu.RLock()
	ids := slices.Sorted(maps.Keys(m.states))
	m.mu.RUnlock()
	slices.Reverse(ids)
	return ids, nil
}

func (m *memory) versions(ctx context.Context, id ID) ([]*State, error) {
	if err := Ready(ctx, id); err != nil {
		return nil, err
	}
	m.mu.RLock()
	defer m.mu.RUnlock()
	return m.states[id], nil
}

// Ready returns an error if ctx is done or id is not a valid ID. Implementations of Store call it at the start of each
// operation.
func Ready(ctx context.Context, id ID) error {
	if err := alive(ctx); err != nil {
		return err
	}
	return id.Validate()
}

// alive returns an error of KindCanceled if ctx is done.
func alive(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return &callwright.Error{Op: "workspace.store", Kind: callwright.KindCanceled, Err: err}
	}
	return nil
}

// NotFound returns the error of a Store for a version that it does not have. version is 0 if the workspace does not
// exist.
func NotFound(id ID, version uint64) error {
	if version == 0 {
		return callwright.Errorf("workspace.load", callwright.KindNotFound, "", "there is no workspace %q", id)
	}
	return callwright.Errorf("workspace.load", callwright.KindNotFound, "", "version %d of the workspace %q is not kept", version, id)
}

// Conflict returns the error of a Store for a state that does not follow the newest version. saved is the version of
// the state. newest is 0 if no version exists.
func Conflict(id ID, newest, saved uint64) error {
	return callwright.Errorf("workspace.save", callwright.KindConflict, "",
		"the workspace %q is at version %d, which version %d does not follow", id, newest, saved)
}
