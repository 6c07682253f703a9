package edit

import (
	"context"
	"errors"
	"os"

	"github.com/callwright/callwright/cmd/callwright/internal/document"
	"github.com/callwright/callwright/internal/filelock"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/workspace"
)

// changedElsewhere is the reason of a draft edit that another program made in the file.
const changedElsewhere = "the file was changed by another program"

// sync makes the file and the draft equal: changes by another program become an edit of the person, and changes of the
// draft are written to the file. A lock permits one session at a time.
func (s *session) sync(ctx context.Context) error {
	lock, err := filelock.Open(ctx, s.folder.root, string(s.folder.id)+".file.lock", os.O_CREATE)
	if err != nil {
		return err
	}
	return errors.Join(s.exchange(ctx), filelock.Release(lock))
}

func (s *session) exchange(ctx context.Context) error {
	if !s.swept {
		_ = s.file.dir.Remove(s.file.temp)
		s.swept = true
	}
	var last lastSync
	if err := s.folder.load("file", &last); err != nil {
		return err
	}
	text, doc, err := s.file.read()
	if err != nil {
		return err
	}
	st, err := s.folder.version(ctx, 0)
	if err != nil {
		return err
	}
	if doc != nil && !jsonx.Equal(doc, st.Draft) {
		if st, err = s.takeOver(ctx, st, &last, doc); err != nil {
			return err
		}
	}
	now := lastSync{File: s.file.path, Version: st.Version, Draft: sumOf(st.Draft)}
	switch {
	case doc == nil && (last.Version == 0 || last.Draft == now.Draft): // not created before the first change
		now.Version, now.Sum = last.Version, last.Sum
		s.gone = last.Sum != ""
	case doc == nil || !jsonx.Equal(doc, st.Draft):
		if doc, err = s.file.write(text, st.Draft); err != nil {
			return err
		}
		fallthrough
	default:
		now.Sum = sumOf(doc)
	}
	if now.Version == 0 {
		now.Version = st.Version
	}
	if now.Sum == last.Sum && now.Draft == last.Draft {
		return nil
	}
	return s.folder.save("file", now)
}

// takeOver turns changes of the file by another program into an edit of the person and returns the new state. The
// changes are relative to the draft that the file last equaled. For a file that a session wrote, it returns st.
func (s *session) takeOver(ctx context.Context, st *workspace.State, last *lastSync, doc []byte) (*workspace.State, error) {
	if sumOf(doc) == last.Sum {
		return st, nil
	}
	base := st.Draft
	for v := max(last.Version, 1); v < st.Version; v++ {
		old, err := s.folder.version(ctx, v)
		if err != nil {
			return nil, err
		}
		if old == nil {
			continue
		}
		if jsonx.Equal(doc, old.Draft) { // written by a killed session
			return st, nil
		}
		if v == last.Version {
			base = old.Draft
		}
	}
	edit := workspace.Edit{Kind: workspace.PatchDraft, By: s.person, Patch: document.Patch(document.Diff(base, doc)), Why: changedElsewhere}
	next, err := s.editor.Edit(ctx, s.folder.id, edit)
	if err == nil || ctx.Err() != nil {
		return next, err
	}
	// The draft has changed too, so the patch fails: the person's file replaces the draft.
	edit.Patch = document.Patch([]document.Change{{Op: document.Replace, Now: doc}})
	return s.editor.Edit(ctx, s.folder.id, edit)
}
