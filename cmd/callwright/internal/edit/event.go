package edit

import (
	"encoding/json"
	"errors"

	"github.com/callwright/callwright/agent"
	"github.com/callwright/callwright/cmd/callwright/internal/document"
	"github.com/callwright/callwright/workspace"
)

// A Kind is the kind of an Event.
type Kind string

// The kinds, beside those of [agent.Event].
const (
	Open     Kind = "open"     // the session has begun: File, Workspace, Version, Locks, Waiting
	Draft    Kind = "draft"    // the draft has changed: Version, By, Changes, Why; To where it is that of an earlier version again
	Proposal Kind = "proposal" // a change of the facts waits for the person: Version, Proposal, Changes, Why
	Facts    Kind = "facts"    // the person has agreed to one: Version, Proposal, Changes
	Rejected Kind = "rejected" // or not: Version, Proposal
	Locked   Kind = "lock"     // Version, Path
	Unlocked Kind = "unlock"   // Version, Path
	Locks    Kind = "locks"    // which there are: Locks
	Value    Kind = "value"    // what was asked for: Of, Path, Value
	History  Kind = "history"  // Entries
	Help     Kind = "help"     // Text
	Note     Kind = "note"     // worth to know: Text
	Failed   Kind = "error"    // a line could not be done: Text
	End      Kind = "end"      // the session has ended: Version, Waiting, Again
)

// An Event is something that a session tells. Which members it has goes by Kind.
type Event struct {
	Kind      Kind              `json:"event"`
	File      string            `json:"file,omitempty"`
	Workspace workspace.ID      `json:"workspace,omitempty"`
	Version   uint64            `json:"version,omitempty"`
	By        workspace.Actor   `json:"by,omitempty"`
	Proposal  string            `json:"proposal,omitempty"`
	Changes   []document.Change `json:"changes,omitempty"`
	To        uint64            `json:"to,omitempty"`
	Why       string            `json:"why,omitempty"`
	Of        string            `json:"of,omitempty"` // "draft" or "facts"
	Path      *string           `json:"path,omitempty"`
	Value     json.RawMessage   `json:"value,omitempty"`
	Locks     []string          `json:"locks,omitempty"`
	Waiting   []string          `json:"waiting,omitempty"` // the ids of proposals
	Again     string            `json:"again,omitempty"`   // a command line, to be followed by a command
	Entries   []workspace.Entry `json:"entries,omitempty"`
	Text      string            `json:"text,omitempty"`
}

// A Screen shows a session. Its methods are called one at a time. An error ends the session: no edit is made that
// nobody sees.
type Screen interface {
	Show(ev Event) error
	Answer(ev agent.Event) error // a step of the model's answer
	Prompt(text string) error    // a line is waited for; only where Config.Person says so
}

// ErrWaits ends a session in which a proposal waits for a person, where none is there to be asked.
var ErrWaits = errors.New("a proposal waits for a person")

// A UseError is a command line, a file or a command that cannot be used as it is.
type UseError struct{ Err error }

// Error returns the text of the fault.
func (e *UseError) Error() string { return e.Err.Error() }

// Unwrap returns the fault.
func (e *UseError) Unwrap() error { return e.Err }
