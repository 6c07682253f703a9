package workspace

import (
	"context"
	"encoding/json"
	"time"

	"github.com/callwright/callwright"
)

// An Editor loads, edits and saves the workspaces of a Store. Use NewEditor. It is safe for concurrent use.
type Editor struct {
	store  Store
	limits Limits
	now    func() time.Time
}

// An Option configures an Editor.
type Option func(*Editor)

// WithLimits sets the limits of documents and patches. The default is the zero Limits.
func WithLimits(l Limits) Option { return func(e *Editor) { e.limits = l } }

// WithClock sets the source of the time of edits. now must be safe for concurrent use. The default is time.Now.
func WithClock(now func() time.Time) Option { return func(e *Editor) { e.now = now } }

// NewEditor returns an Editor of the workspaces in s.
func NewEditor(s Store, opts ...Option) *Editor {
	e := &Editor{store: s, now: time.Now}
	for _, o := range opts {
		o(e)
	}
	return e
}

// Store returns the Store that the Editor was made with.
func (e *Editor) Store() Store { return e.store }

// Create makes and saves the first version of a workspace. If a workspace with o.ID exists, it fails with
// [callwright.KindConflict].
func (e *Editor) Create(ctx context.Context, o Origin) (*State, error) {
	if o.Time.IsZero() {
		o.Time = e.now()
	}
	s, err := e.limits.New(o)
	if err != nil {
		return nil, err
	}
	if err := e.store.Save(ctx, s); err != nil {
		return nil, err
	}
	return s, nil
}

// Edit applies an edit to the newest version, saves the new version and returns it. After a concurrent edit by
// somebody else it retries with the newest version. An edit with a Base fails instead, with [callwright.KindConflict].
func (e *Editor) Edit(ctx context.Context, id ID, edit Edit) (*State, error) {
	if edit.Time.IsZero() {
		edit.Time = e.now()
	}
	for {
		was, err := e.store.Load(ctx, id, 0)
		if err != nil {
			return nil, err
		}
		next, err := e.limits.Apply(was, edit)
		if err != nil {
			return nil, err
		}
		switch err := e.store.Save(ctx, next); {
		case err == nil:
			return next, nil
		case callwright.KindOf(err) != callwright.KindConflict:
			return nil, err
		}
	}
}

// Undo restores the draft of the version with the number to. If to is 0, it undoes the last change of the draft that is
// not undone yet; repeated calls go back further. Facts, locks and proposals stay unchanged. If there is nothing to
// undo, or the version is no longer kept, Undo fails with [callwright.KindNotFound].
func (e *Editor) Undo(ctx context.Context, id ID, by Author, to uint64) (*State, error) {
	base, now := uint64(0), e.now()
	for {
		target := to
		if to == 0 {
			entries, err := e.store.History(ctx, id)
			if err != nil {
				return nil, err
			}
			if target, base = undoTarget(entries), uint64(len(entries)); target == 0 {
				return nil, callwright.Errorf("workspace.undo", callwright.KindNotFound, "", "there is no change of the draft to undo")
			}
		}
		earlier, err := e.store.Load(ctx, id, target)
		if err != nil {
			return nil, err
		}
		next, err := e.Edit(ctx, id, Edit{Kind: UndoDraft, By: by, Time: now, Base: base, Earlier: earlier})
		if to != 0 || callwright.KindOf(err) != callwright.KindConflict {
			return next, err
		}
	}
}

// Preview returns the facts as they would be after CommitFacts of the proposal with the given ID. It changes nothing.
func (e *Editor) Preview(s *State, proposal string) (json.RawMessage, error) {
	return e.limits.Preview(s, proposal)
}
