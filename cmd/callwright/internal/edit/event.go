package edit

import (
	"encoding/json"
	"errors"

	"github.com/callwright/callwright/agent"
	"github.com/callwright/callwright/cmd/callwright/internal/document"
	"github.com/callwright/callwright/workspace"
)

// A Kind is the type of an Event, such as "draft" for a changed draft.
type Kind string

// The event kinds, in addition to those of [agent.Event]. Each comment lists the fields that are set.
const (
	Open     Kind = "open"     // the session started: File, Workspace, Version, Locks, Waiting
	Draft    Kind = "draft"    // the draft changed: Version, By, Changes, Why; To if an earlier version was restored
	Proposal Kind = "proposal" // a change of the facts waits: Version, Proposal, Changes, Why
	Facts    Kind = "facts"    // a proposal was accepted: Version, Proposal, Changes
	Rejected Kind = "rejected" // a proposal was rejected: Version, Proposal
	Locked   Kind = "lock"     // a path was locked: Version, Path
	Unlocked Kind = "unlock"   // a path was unlocked: Version, Path
	Locks    Kind = "locks"    // the locked paths: Version, Locks
	Value    Kind = "value"    // a requested value: Of, Path, Value, Version
	History  Kind = "history"  // the requested versions: Entries
	Help     Kind = "help"     // Text
	Note     Kind = "note"     // information: Text
	Failed   Kind = "error"    // an error of a line: Text
	End      Kind = "end"      // the session ended: Version, Waiting, Again
)

// An Event is an output of a session. Kind determines which fields are set.
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
	Waiting   []string          `json:"waiting,omitempty"` // ids of open proposals
	Again     string            `json:"again,omitempty"`   // command line of a session that can decide about them
	Entries   []workspace.Entry `json:"entries,omitempty"`
	Text      string            `json:"text,omitempty"`
}

// A Screen displays a session. Its methods are not called concurrently. An error ends the session, so that no edit
// remains unseen.
type Screen interface {
	Show(ev Event) error
	Answer(ev agent.Event) error // a step of the model's response
	Prompt(text string) error    // prompts for a line; only if Config.Person is set
}

// ErrWaits is the error of a session without a person if a proposal waits for a decision.
var ErrWaits = errors.New("a proposal waits for a person")

// A UseError is the error of an invalid command line, file or command.
type UseError struct{ Err error }

// Error returns the text of Err.
func (e *UseError) Error() string { return e.Err.Error() }

// Unwrap returns Err.
func (e *UseError) Unwrap() error { return e.Err }
