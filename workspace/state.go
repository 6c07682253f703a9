package workspace

import (
	"bytes"
	"encoding/json"
	"slices"
	"time"

	"github.com/callwright/callwright/internal/jsonpatch"
)

// A State is one version of a workspace. Its documents are JSON without white space between tokens. A shared State
// must not be modified.
type State struct {
	ID        ID              `json:"id"`
	Version   uint64          `json:"version"` // 1 for the first version; each edit adds 1
	Facts     json.RawMessage `json:"facts"`   // a JSON object
	Draft     json.RawMessage `json:"draft"`
	Locks     []string        `json:"locks"` // JSON pointers into Draft, in the order in which they were locked
	UI        json.RawMessage `json:"ui,omitempty"`
	Proposals []Proposal      `json:"proposals"` // undecided proposals, the oldest first
	Entry     Entry           `json:"entry"`     // the edit that made this version
}

// A Proposal is a proposed change of the facts that a person has not decided about.
type Proposal struct {
	ID    string          `json:"id"`    // "p" and the version that added the proposal, such as "p12"
	Patch json.RawMessage `json:"patch"` // patch of the facts: an array is a JSON Patch, an object is a JSON Merge Patch
	By    Author          `json:"by"`
	Time  time.Time       `json:"time"`
	Why   string          `json:"why,omitempty"`
}

// An Actor is the type of an author: a person, a model or the app.
type Actor string

// Values of [Actor].
const (
	Person Actor = "person"
	Model  Actor = "model"
	App    Actor = "app"
)

// An Author is the author of an edit.
type Author struct {
	Actor Actor  `json:"actor"`
	Name  string `json:"name,omitempty"` // the name of a user or the ID of a run, for example
}

// An Entry is a record of the audit trail: the edit that made a version.
type Entry struct {
	Version uint64 `json:"version"`
	Edit
}

// Proposal returns the proposal with the given ID. ok is false if there is none.
func (s *State) Proposal(id string) (Proposal, bool) {
	i := slices.IndexFunc(s.Proposals, func(p Proposal) bool { return p.ID == id })
	if i < 0 {
		return Proposal{}, false
	}
	return s.Proposals[i], true
}

// Clone returns a deep copy of s. Times lose their monotonic clock reading.
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

// clone returns a deep copy of e without Earlier.
func (e Entry) clone() Entry {
	e.Patch, e.Time, e.Earlier = bytes.Clone(e.Patch), e.Time.Round(0), nil
	return e
}

// At returns the value at a JSON pointer in a document, such as the draft of a State. If there is none, the error says
// where the path ends.
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
