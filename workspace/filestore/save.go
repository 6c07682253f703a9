package filestore

import (
	"context"
	"errors"
	"io/fs"
	"os"

	"github.com/callwright/callwright/internal/atomicfile"
	"github.com/callwright/callwright/internal/filelock"
	"github.com/callwright/callwright/internal/record"
	"github.com/callwright/callwright/workspace"
)

// Save keeps a state as the newest version; it is on disk then. After an error of another kind than
// [callwright.KindConflict] and [callwright.KindInvalid] only Load knows whether it was saved.
func (s *Store) Save(ctx context.Context, st *workspace.State) error {
	if err := workspace.Ready(ctx, st.ID); err != nil {
		return err
	}
	if err := st.Validate(); err != nil {
		return err
	}
	text, err := encode(st)
	if err != nil {
		return failure("save", s.dir, err)
	}
	f, err := s.folder(st.ID)
	if errors.Is(err, fs.ErrNotExist) {
		if st.Version > 1 {
			return workspace.Conflict(st.ID, 0, st.Version)
		}
		f, err = s.create(st.ID)
	}
	if err != nil {
		return failure("save", s.dir, err)
	}
	defer closeFile(f)
	lock, err := filelock.Open(ctx, f.Root, lockFile, os.O_CREATE)
	if err != nil {
		return f.fileError("save", lockFile, err)
	}
	err = f.save(ctx, st, text, s.keep)
	return f.fileError("save", lockFile, errors.Join(err, filelock.Release(lock)))
}

// create makes the folder of a workspace.
func (s *Store) create(id workspace.ID) (*folder, error) {
	if err := s.root.Mkdir(string(id), 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, err
	}
	return s.folder(id)
}

// save writes a version while the lock is held.
func (f *folder) save(ctx context.Context, st *workspace.State, text []byte, keep int) error {
	versions, err := f.versions()
	if err != nil {
		return f.fileError("save", "", err)
	}
	if n := newest(versions); n != st.Version-1 {
		return workspace.Conflict(st.ID, n, st.Version)
	}
	if n := len(versions) + 1 - keep; n > keep/4 {
		if err := f.retire(ctx, versions[:n]); err != nil && !isDamage(err) {
			return err
		}
	}
	if err := atomicfile.Replace(f.Root, fileName(st.Version), nextFile, text, 0o600); err != nil {
		return f.fileError("save", fileName(st.Version), err)
	}
	return f.fileError("save", "", filelock.SyncDir(f.parent)) // whoever made the folder may have been killed before its name was on disk
}

// retire moves the entries of versions to the history and removes their files, in this order, so that a crash leaves an
// entry twice and never loses one. A version that is damaged, or whose place in the history is, stays with those after
// it.
func (f *folder) retire(ctx context.Context, versions []uint64) error {
	end, err := f.old(ctx, func(workspace.Entry) {})
	if err != nil {
		return f.fileError("save", historyFile, err)
	}
	var lines []byte
	last := end.Count
	gone := versions[:0:0]
	var stopped error
	for _, v := range versions {
		if v > last {
			_, line, err := f.readEntry(v)
			if err == nil && v > last+1 {
				err = damageError("the version before it is missing")
			}
			if err != nil {
				stopped = f.fileError("save", fileName(v), err)
				break
			}
			lines, last = append(lines, line...), v
		}
		gone = append(gone, v)
	}
	if len(lines) > 0 {
		if err := f.appendHistory(lines, end); err != nil {
			return f.fileError("save", historyFile, err)
		}
	}
	for _, v := range gone {
		if err := f.remove(fileName(v)); err != nil {
			return f.fileError("save", fileName(v), err)
		}
	}
	return stopped
}

// appendHistory writes lines behind the last record of the history, in place of one that a crash cut.
func (f *folder) appendHistory(lines []byte, end record.Place) error {
	out, err := f.OpenFile(historyFile, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	if err = out.Truncate(end.Offset); err == nil {
		_, err = out.WriteAt(lines, end.Offset)
	}
	if err == nil {
		err = out.Sync()
	}
	if err = errors.Join(err, out.Close()); err != nil {
		return err
	}
	return filelock.SyncDir(f.Root)
}
