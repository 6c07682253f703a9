package workspace

import (
	"context"
	"maps"
	"slices"
	"sync"

	"github.com/callwright/callwright"
)

// A memory is a Store in memory, for tests and for workspaces that need not outlive the program. Use NewMemory. It
// keeps every version until it is itself dropped. It is safe for concurrent use.
type memory struct {
	mu     sync.RWMutex
	states map[ID][]*State // states that are there are never written to
}

var (
	_ Store  = (*memory)(nil)
	_ Lister = (*memory)(nil)
)

// NewMemory returns an empty store in memory, which keeps every version until it is dropped itself.
func NewMemory() Store { return &memory{states: map[ID][]*State{}} }

// Load returns a copy of a version, of the newest for 0.
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

// Save keeps a copy of s where it is the next version.
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

// History returns copies of the entries of all versions.
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

// List returns the ids of all workspaces, the greatest first.
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

// Ready reports why an operation of a Store on a workspace cannot begin: its context has ended, or the id has a wrong
// form. It is for those who write one.
func Ready(ctx context.Context, id ID) error {
	if err := alive(ctx); err != nil {
		return err
	}
	return id.Validate()
}

// alive is the error of a context that has ended.
func alive(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return &callwright.Error{Op: "workspace.store", Kind: callwright.KindCanceled, Err: err}
	}
	return nil
}

// NotFound is the error of a Store for a version that it does not have, 0 for the newest of a workspace without any.
func NotFound(id ID, version uint64) error {
	if version == 0 {
		return callwright.Errorf("workspace.load", callwright.KindNotFound, "", "there is no workspace %q", id)
	}
	return callwright.Errorf("workspace.load", callwright.KindNotFound, "", "version %d of the workspace %q is not kept", version, id)
}

// Conflict is the error of a Store for a state that does not follow its newest version, 0 for none.
func Conflict(id ID, newest, saved uint64) error {
	return callwright.Errorf("workspace.save", callwright.KindConflict, "",
		"the workspace %q is at version %d, which version %d does not follow", id, newest, saved)
}
