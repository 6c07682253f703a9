package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/workspace"
)

// A WorkspaceStore is a [workspace.Store] of one owner. It keeps the newest 100 versions of a workspace, and the entries of all. It is safe for
// concurrent use, also by several processes.
type WorkspaceStore struct {
	st    *stream
	owner string
}

var (
	_ workspace.Store  = (*WorkspaceStore)(nil)
	_ workspace.Lister = (*WorkspaceStore)(nil)
)

// keptVersions is how many versions of a workspace are kept.
const keptVersions = 100

// The subjects of workspaces, behind their owner: versions, and the entries of each.
const (
	workspaceState = "s"
	workspaceEntry = "e"
)

// Workspaces are the workspaces of an owner.
func (s *Store) Workspaces(owner string) *WorkspaceStore {
	return &WorkspaceStore{st: s.streams[Workspaces], owner: token(owner)}
}

// Load returns a version, the newest for 0.
func (w *WorkspaceStore) Load(ctx context.Context, id workspace.ID, version uint64) (*workspace.State, error) {
	if err := workspace.Ready(ctx, id); err != nil {
		return nil, err
	}
	number := "*"
	if version > 0 {
		number = strconv.FormatUint(version, 10)
	}
	m, err := w.st.last(ctx, opLoad, w.st.s.patience(), w.owner, workspaceState, string(id), number)
	if errors.Is(err, errNothing) {
		return nil, workspace.NotFound(id, version)
	}
	if err != nil {
		return nil, err
	}
	return decodeState(id, m)
}

const opLoad = "store.load_workspace"

func decodeState(id workspace.ID, m *message) (*workspace.State, error) {
	st := &workspace.State{}
	err := json.Unmarshal(m.data, st)
	if err == nil {
		err = st.Validate()
	}
	if err == nil && (st.ID != id || st.Version != m.count()) {
		err = errors.New("it is not of this workspace and version")
	}
	if err != nil {
		return nil, &callwright.Error{Op: opLoad, Kind: callwright.KindInternal, Message: fmt.Sprintf("version %d of the workspace %q is not as it was written", m.count(), id), Err: err}
	}
	return st, nil
}

// newest is the newest version there is, 0 for none.
func (w *WorkspaceStore) newest(ctx context.Context, op string, id workspace.ID) (uint64, error) {
	m, err := w.st.last(ctx, op, w.st.s.patience(), w.owner, workspaceState, string(id), "*")
	if errors.Is(err, errNothing) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	return m.count(), nil
}

// Save keeps a state as the newest version. After an error of [callwright.KindUnavailable] only Load knows whether it was saved.
//
// A version is there once its state is; its entry follows, and is written by the next Save where that failed.
func (w *WorkspaceStore) Save(ctx context.Context, st *workspace.State) error {
	const op = "store.save_workspace"
	if err := workspace.Ready(ctx, st.ID); err != nil {
		return err
	}
	if err := st.Validate(); err != nil {
		return err
	}
	data, err := jsonx.Marshal(st)
	if err != nil {
		return &callwright.Error{Op: op, Kind: callwright.KindInvalid, Err: err}
	}
	newest, err := w.newest(ctx, op, st.ID)
	if err != nil {
		return err
	}
	if newest != st.Version-1 {
		return workspace.Conflict(st.ID, newest, st.Version)
	}
	end, err := w.catchUp(ctx, op, st.ID, newest)
	if err != nil {
		return err
	}
	m := newMessage(data, w.owner, workspaceState, string(st.ID), strconv.FormatUint(st.Version, 10))
	m.head.Set(headCount, strconv.FormatUint(st.Version, 10))
	if _, err := w.st.put(ctx, op, w.st.s.patience(), m, 0); errors.Is(err, errMoved) {
		return workspace.Conflict(st.ID, st.Version, st.Version)
	} else if err != nil {
		return err
	}
	_, _ = w.record(ctx, op, st.ID, st.Entry, end)
	if st.Version > keptVersions {
		_ = w.st.purge(ctx, op, w.st.s.patience(), w.owner, workspaceState, string(st.ID), strconv.FormatUint(st.Version-keptVersions, 10))
	}
	return nil
}

// catchUp writes the entries of versions that are there and have none, and returns where the entries end.
func (w *WorkspaceStore) catchUp(ctx context.Context, op string, id workspace.ID, newest uint64) (end place, err error) {
	for {
		end = place{}
		m, err := w.st.last(ctx, op, w.st.s.patience(), w.owner, workspaceEntry, string(id))
		if err == nil {
			end = place{m.count(), m.seq}
		} else if !errors.Is(err, errNothing) {
			return end, err
		}
		if end.count >= newest {
			return end, nil
		}
		st, err := w.Load(ctx, id, end.count+1)
		if err != nil {
			return end, err
		}
		if _, err := w.record(ctx, op, id, st.Entry, end); err != nil && !errors.Is(err, errMoved) {
			return end, err
		}
	}
}

// record writes an entry behind those that there are.
func (w *WorkspaceStore) record(ctx context.Context, op string, id workspace.ID, e workspace.Entry, end place) (uint64, error) {
	data, err := jsonx.Marshal(&e)
	if err != nil {
		return 0, err
	}
	m := newMessage(data, w.owner, workspaceEntry, string(id))
	m.head.Set(headCount, strconv.FormatUint(e.Version, 10))
	return w.st.put(ctx, op, w.st.s.patience(), m, end.seq)
}

// History returns the entries of all versions, the oldest first.
func (w *WorkspaceStore) History(ctx context.Context, id workspace.ID) ([]workspace.Entry, error) {
	const op = "store.workspace_history"
	if err := workspace.Ready(ctx, id); err != nil {
		return nil, err
	}
	newest, err := w.newest(ctx, op, id)
	if err != nil {
		return nil, err
	}
	var out []workspace.Entry
	for from := uint64(1); uint64(len(out)) < newest; {
		m, err := w.st.next(ctx, op, w.st.s.patience(), from, w.owner, workspaceEntry, string(id))
		if errors.Is(err, errNothing) {
			break
		}
		if err != nil {
			return nil, err
		}
		var e workspace.Entry
		if err := json.Unmarshal(m.data, &e); err != nil || e.Version != uint64(len(out))+1 {
			return nil, &callwright.Error{Op: op, Kind: callwright.KindInternal, Message: fmt.Sprintf("entry %d of the workspace %q is not as it was written", len(out)+1, id), Err: err}
		}
		out, from = append(out, e), m.seq+1
	}
	for uint64(len(out)) < newest { // of a Save that ended in between
		st, err := w.Load(ctx, id, uint64(len(out))+1)
		if err != nil {
			return nil, err
		}
		out = append(out, st.Entry)
	}
	return out, nil
}

// List returns the ids of the workspaces, the greatest first.
func (w *WorkspaceStore) List(ctx context.Context) ([]workspace.ID, error) {
	names, err := w.st.subjects(ctx, "store.workspaces", w.owner, workspaceState, "*", "*")
	if err != nil {
		return nil, err
	}
	var ids []workspace.ID
	for _, name := range names {
		ids = append(ids, workspace.ID(name[2]))
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	slices.Reverse(ids)
	return ids, nil
}
