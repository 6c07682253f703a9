package workspace_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/workspace"
)

// An overtaken is a Store in which somebody else saves first, so many times.
type overtaken struct {
	workspace.Store
	left int
}

var other = patch(model, `[{"op":"add","path":"/-","value":"other"}]`)

func (o *overtaken) Save(ctx context.Context, st *workspace.State) error {
	if o.left > 0 {
		o.left--
		if _, err := workspace.NewEditor(o.Store).Edit(ctx, st.ID, other); err != nil {
			return err
		}
	}
	return o.Store.Save(ctx, st)
}

// An edit that somebody else came before is made again on what they have saved. One for a version is refused.
func TestOvertaken(t *testing.T) {
	mine := patch(model, `[{"op":"add","path":"/-","value":"mine"}]`)
	forSecond := mine
	forSecond.Base = 2
	for name, c := range map[string]struct {
		edit  func(e *workspace.Editor, id workspace.ID) (*workspace.State, error)
		kind  callwright.Kind
		draft string
	}{
		"an edit": {func(e *workspace.Editor, id workspace.ID) (*workspace.State, error) {
			return e.Edit(t.Context(), id, mine)
		}, "", `["first","second","other","other","mine"]`},
		"an edit for a version": {
			func(e *workspace.Editor, id workspace.ID) (*workspace.State, error) {
				return e.Edit(t.Context(), id, forSecond)
			},
			callwright.KindConflict, `["first","second","other"]`,
		},
		"an undo": {func(e *workspace.Editor, id workspace.ID) (*workspace.State, error) {
			return e.Undo(t.Context(), id, person, 0)
		}, "", `["first","second","other"]`},
		"an undo to a version": {
			func(e *workspace.Editor, id workspace.ID) (*workspace.State, error) {
				return e.Undo(t.Context(), id, person, 1)
			}, "", `["first"]`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := &overtaken{Store: workspace.NewMemory()}
			e := workspace.NewEditor(s)
			st, err := e.Create(t.Context(), workspace.Origin{By: person, Draft: json.RawMessage(`["first"]`)})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := e.Edit(t.Context(), st.ID, patch(model, `[{"op":"add","path":"/-","value":"second"}]`)); err != nil {
				t.Fatal(err)
			}
			s.left = 2
			_, err = c.edit(e, st.ID)
			now, failed := s.Load(t.Context(), st.ID, 0)
			if failed != nil || callwright.KindOf(err) != c.kind || string(now.Draft) != c.draft {
				t.Errorf("got %v, %v, %v", err, now, failed)
			}
		})
	}
}
