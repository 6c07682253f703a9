package workspace

import (
	"bytes"
	"encoding/json"
	"slices"
	"time"

	"github.com/callwright/callwright/internal/jsonpatch"
)

// A State is one version of a workspace. Documents are JSON without white space between tokens. Those who share a State
// do not write to it.
type State struct {
	ID        ID              `json:"id"`
	Version   uint64          `json:"version"` // 1 for the first, one more with each edit
	Facts     json.RawMessage `json:"facts"`   // an object
	Draft     json.RawMessage `json:"draft"`
	Locks     []string        `json:"locks"` // JSON pointers into Draft, in the order in which they were set
	UI        json.RawMessage `json:"ui,omitempty"`
	Proposals []Proposal      `json:"proposals"` // those that nobody has decided about, the oldest first
	Entry     Entry           `json:"entry"`     // how this version was made
}

// A Proposal is a change of the facts that a person is asked about.
type Proposal struct {
	ID    string          `json:"id"`    // "p" and the version in which it was made
	Patch json.RawMessage `json:"patch"` // to the facts: a JSON Patch where it is an array, a merge patch where it is an object
	By    Author          `json:"by"`
	Time  time.Time       `json:"time"`
	Why   string          `json:"why,omitempty"`
}

// An Actor is a kind of those who edit.
type Actor string

// The actors.
const (
	Person Actor = "person"
	Model  Actor = "model"
	App    Actor = "app"
)

// An Author is who made an edit.
type Author struct {
	Actor Actor  `json:"actor"`
	Name  string `json:"name,omitempty"` // such as that of a user, or the id of a run
}

// An Entry of the audit trail is how a version was made.
type Entry struct {
	Version uint64 `json:"version"`
	Edit
}

// Proposal returns the proposal of an id.
func (s *State) Proposal(id string) (Proposal, bool) {
	i := slices.IndexFunc(s.Proposals, func(p Proposal) bool { return p.ID == id })
	if i < 0 {
		return Proposal{}, false
	}
	return s.Proposals[i], true
}

// Clone returns a copy that shares nothing with s. Times lose their reading of the process's clock.
func (s *State) Clone() *State {
	c := *s
	c.Facts, c.Draft, c.UI = bytes.Clone(s.Facts), bytes.Clone(s.Draft), bytes.Clone(s.UI)
	c.Locks, c.Proposals = slices.Clone(s.Locks), slices.Clone(s.Proposals)
	for i := range c.Proposals {
		c.Proposals[i].Patch, c.Proposals[i].Time = bytes.Clone(c.Proposals[i].Patch), c.Proposals[i].Time.Round(0)
	}
	c.Entry = s.Entry.clone()
	return &c
}

// Clone returns a copy that shares nothing with e.
func (e Entry) clone() Entry {
	e.Patch, e.Time, e.Earlier = bytes.Clone(e.Patch), e.Time.Round(0), nil
	return e
}

// At returns the value at a JSON pointer of a document, such as the draft of a State, or an error that says why there
// is none.
func At(doc json.RawMessage, path string) (json.RawMessage, error) {
	d, err := jsonpatch.Parse(doc, jsonpatch.Limits{Document: len(doc), Depth: maxDepth})
	if err != nil {
		return nil, editError(err)
	}
	p, err := jsonpatch.ParsePointer(path)
	if err != nil {
		return nil, editError(err)
	}
	value, err := d.Find(p)
	return value, editError(err)
}
