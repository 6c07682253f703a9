package workspace

import (
	"encoding/json"
	"time"
)

// A Kind is the kind of an Edit. The list is closed.
type Kind string

// The kinds, with those who may make such an edit.
const (
	Create       Kind = "create"        // person, app: the first version; see New
	PatchDraft   Kind = "draft.patch"   // person, model: Patch changes the draft
	UndoDraft    Kind = "draft.undo"    // person: the draft is that of Earlier again
	Lock         Kind = "lock"          // person: Path is locked
	Unlock       Kind = "unlock"        // person: Path is not locked any more
	ProposeFacts Kind = "facts.propose" // person, model: Patch becomes a Proposal
	CommitFacts  Kind = "facts.commit"  // person: the patch of Proposal changes the facts
	RejectFacts  Kind = "facts.reject"  // person: Proposal is dropped
	PatchUI      Kind = "ui.patch"      // app: Patch changes the state of the user interface
)

// An Edit is a requested change.
type Edit struct {
	Kind Kind      `json:"kind"`
	By   Author    `json:"by"`
	Time time.Time `json:"time"` // an Editor fills it in
	// Base is the version that the author saw. Where it is not 0 and not the newest one, the edit is refused with
	// KindConflict. CommitFacts requires a Base, so that nobody confirms a proposal that was not shown. The Entry has the
	// version that the edit was applied to in place of 0.
	Base uint64 `json:"base,omitempty"`

	Patch    json.RawMessage `json:"patch,omitempty"`    // a JSON Patch where it is an array, a merge patch where it is an object
	Path     string          `json:"path,omitempty"`     // a JSON pointer into the draft, of Lock and Unlock
	Proposal string          `json:"proposal,omitempty"` // the id of one
	To       uint64          `json:"to,omitempty"`       // of UndoDraft: the version of Earlier, which is filled in
	Why      string          `json:"why,omitempty"`

	Earlier *State `json:"-"` // of UndoDraft: an earlier version of the same workspace
}
