package workspace

import (
	"encoding/json"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonpatch"
	"github.com/callwright/callwright/internal/jsonx"
)

// An Origin is the initial content of a workspace.
type Origin struct {
	ID    ID     // NewID if empty
	By    Author // a person or the app; a person if Facts is set
	Time  time.Time
	Draft json.RawMessage // null if empty
	Facts json.RawMessage // an object; {} if empty
	UI    json.RawMessage // none if empty
	Why   string
}

// New returns the first version of a workspace. It does not store the version, see [Editor.Create].
func (l Limits) New(o Origin) (*State, error) {
	if o.ID == "" {
		o.ID = newID()
	}
	if err := o.ID.Validate(); err != nil {
		return nil, err
	}
	if o.By.Actor != Person && o.By.Actor != App {
		return nil, refuse(callwright.KindPermission, CodeNotAllowed, "", "%s is for person and app alone, not for %q", Create,
			callwright.Excerpt(string(o.By.Actor)))
	}
	s := &State{ID: o.ID, Version: 1, Locks: []string{}, Proposals: []Proposal{},
		Entry: Entry{Version: 1, Edit: Edit{Kind: Create, By: o.By, Time: o.Time, Why: o.Why}}}
	for _, d := range []struct {
		into        *json.RawMessage
		text, empty string
	}{{&s.Draft, string(o.Draft), "null"}, {&s.Facts, string(o.Facts), "{}"}, {&s.UI, string(o.UI), ""}} {
		text := d.text
		if text == "" {
			text = d.empty
		}
		if text == "" {
			continue
		}
		doc, err := jsonpatch.Parse([]byte(text), l.documents())
		if err != nil {
			return nil, editError(err)
		}
		*d.into = doc.Text()
	}
	switch {
	case !jsonx.IsObject(s.Facts):
		return nil, refuse(callwright.KindInvalid, CodeWrongType, "", "expected facts that are an object, got %.40s", s.Facts)
	case len(s.Facts) > len("{}") && o.By.Actor != Person:
		return nil, refuse(callwright.KindPermission, CodeNotAllowed, "", "only a person can say what the facts are")
	}
	return s, nil
}
