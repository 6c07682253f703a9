package workspace

import (
	"context"
	"encoding/json"
	"time"

	"github.com/callwright/callwright"
)

// An Editor changes the workspaces of a Store. Use NewEditor. It is safe for concurrent use.
type Editor struct {
	store  Store
	limits Limits
	now    func() time.Time
}

// An Option changes how an Editor works.
type Option func(*Editor)

// WithLimits bounds the documents that edits make; the default is the zero Limits.
func WithLimits(l Limits) Option { return func(e *Editor) { e.limits = l } }

// WithClock has edits take their time from now, which is called from several goroutines at once; the default is
// time.Now.
func WithClock(now func() time.Time) Option { return func(e *Editor) { e.now = now } }

// NewEditor makes an Editor of a Store.
func NewEditor(s Store, opts ...Option) *Editor {
	e := &Editor{store: s, now: time.Now}
	for _, o := range opts {
		o(e)
	}
	return e
}

// Store returns the Store that it edits.
func (e *Editor) Store() Store { return e.store }

// Create makes and saves a workspace. It fails with [callwright.KindConflict] where there is one of the same ID.
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

// Edit applies an edit to the newest version, saves the result and returns it. After a concurrent edit it starts again
// with the new version; an edit with a Base is then rejected with [callwright.KindConflict].
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

// Undo makes the draft that of version to again: for 0 that of before the last change of the draft which was not undone
// yet, so that several in turn go back further each. The facts, locks and proposals stay. It fails with
// [callwright.KindNotFound] where there is nothing to undo, or the version is not kept.
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

// Preview returns the facts as a commit of the proposal would make them.
func (e *Editor) Preview(s *State, proposal string) (json.RawMessage, error) {
	return e.limits.Preview(s, proposal)
}
