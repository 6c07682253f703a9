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

// Save writes st to disk as the newest version. After an error other than [callwright.KindConflict] and
// [callwright.KindInvalid] it is uncertain whether the version was saved; call Load.
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

// create creates the directory of a workspace, if necessary, and opens it.
func (s *Store) create(id workspace.ID) (*folder, error) {
	if err := s.root.Mkdir(string(id), 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, err
	}
	return s.folder(id)
}

// save writes the file of a version and removes old versions beyond keep. The caller holds the lock.
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
	// syncs the directory's own name: the process that created it may have crashed before its sync
	return f.fileError("save", "", filelock.SyncDir(f.parent))
}

// retire appends the entries of versions to history.jsonl and then removes their files. A crash in between leaves an
// entry twice but loses none. It stops at a damaged version.
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

// appendHistory writes lines to history.jsonl at the position end. It overwrites an incomplete entry that a crash left
// there.
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
