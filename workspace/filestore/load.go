package filestore

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/callwright/callwright/internal/record"
	"github.com/callwright/callwright/workspace"
)

// Load returns the given version, or the newest one if version is 0. It takes no lock.
func (s *Store) Load(ctx context.Context, id workspace.ID, version uint64) (*workspace.State, error) {
	if err := workspace.Ready(ctx, id); err != nil {
		return nil, err
	}
	f, err := s.folder(id)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, workspace.NotFound(id, 0)
	}
	if err != nil {
		return nil, failure("load", s.dir, err)
	}
	defer closeFile(f)
	for {
		versions, err := f.versions()
		if err != nil {
			return nil, f.fileError("load", "", err)
		}
		if len(versions) == 0 {
			return nil, workspace.NotFound(id, 0)
		}
		wanted := version
		if version == 0 {
			wanted = newest(versions)
		}
		st, err := f.read(wanted)
		switch {
		case errors.Is(err, fs.ErrNotExist) && version == 0: // newer versions were saved meanwhile, and this one was removed
			continue
		case errors.Is(err, fs.ErrNotExist):
			return nil, workspace.NotFound(id, version)
		case isDamage(err):
			err = fmt.Errorf("%w%s", err, loadable(versions, wanted))
		}
		return st, f.fileError("load", fileName(wanted), err)
	}
}

// loadable returns the end of an error message for the damaged version bad. It names the previous version in the sorted
// list versions, without a check of its file. It is "" if there is none.
func loadable(versions []uint64, bad uint64) string {
	i, _ := slices.BinarySearch(versions, bad)
	if i == 0 {
		return ""
	}
	text := fmt.Sprintf("; version %d can be loaded", versions[i-1])
	if bad == newest(versions) {
		text += ", and is the newest once this file is removed"
	}
	return text
}

// History returns the entries of all versions, the oldest first, or none if the workspace does not exist. It takes no
// lock.
func (s *Store) History(ctx context.Context, id workspace.ID) ([]workspace.Entry, error) {
	if err := workspace.Ready(ctx, id); err != nil {
		return nil, err
	}
	f, err := s.folder(id)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, failure("history", s.dir, err)
	}
	defer closeFile(f)
	for {
		entries, more, err := f.history(ctx)
		if err != nil || !more {
			return entries, err
		}
	}
}

// history reads the entries of all versions. again reports that files were moved to history.jsonl meanwhile, so the
// caller must retry.
func (f *folder) history(ctx context.Context) (entries []workspace.Entry, again bool, err error) {
	versions, err := f.versions()
	if err != nil {
		return nil, false, f.fileError("history", "", err)
	}
	if _, err := f.old(ctx, func(e workspace.Entry) { entries = append(entries, e) }); err != nil {
		return nil, false, f.fileError("history", historyFile, err)
	}
	old := uint64(len(entries))
	for v := old + 1; v <= newest(versions); v++ {
		if err := ctx.Err(); err != nil {
			return nil, false, f.fileError("history", "", err)
		}
		e, _, err := f.readEntry(v)
		if errors.Is(err, fs.ErrNotExist) {
			is, err := f.old(ctx, func(workspace.Entry) {})
			if err != nil || is.Count >= v {
				return nil, true, f.fileError("history", historyFile, err)
			}
			return nil, false, f.fileError("history", fileName(v), damageError("it is missing"))
		}
		if err != nil {
			return nil, false, f.fileError("history", fileName(v), err)
		}
		entries = append(entries, e)
	}
	return entries, false, nil
}

// old calls the function take for each entry in history.jsonl and returns the position after the last entry.
func (f *folder) old(ctx context.Context, take func(workspace.Entry)) (record.Place, error) {
	in, err := f.Open(historyFile)
	if errors.Is(err, fs.ErrNotExist) {
		return record.Place{}, nil
	}
	if err != nil {
		return record.Place{}, err
	}
	defer closeFile(in)
	return record.Scan(ctx, in, entryName, record.Place{}, func(body []byte) error {
		var e workspace.Entry
		if err := json.Unmarshal(body, &e); err != nil {
			return fmt.Errorf("its entry cannot be read: %w", err)
		}
		take(e)
		return nil
	})
}
