package workspace

import (
	"encoding/json"
	"time"
)

// A Kind is the kind of an Edit. The constants below are the only kinds.
type Kind string

// The kinds. Each comment lists the actors that may make the edit.
const (
	Create       Kind = "create"        // person, app: makes the first version; see New
	PatchDraft   Kind = "draft.patch"   // person, model: applies Patch to the draft
	UndoDraft    Kind = "draft.undo"    // person: restores the draft of Earlier
	Lock         Kind = "lock"          // person: locks Path
	Unlock       Kind = "unlock"        // person: unlocks Path
	ProposeFacts Kind = "facts.propose" // person, model: makes a Proposal of Patch
	CommitFacts  Kind = "facts.commit"  // person: applies the patch of Proposal to the facts
	RejectFacts  Kind = "facts.reject"  // person: drops Proposal
	PatchUI      Kind = "ui.patch"      // app: applies Patch to the UI state
)

// An Edit is a requested change of a workspace. Kind determines which fields it uses.
type Edit struct {
	Kind Kind      `json:"kind"`
	By   Author    `json:"by"`
	Time time.Time `json:"time"` // an Editor sets it if it is zero
	// Base is the version that the author saw. If it is neither 0 nor the newest version, the edit is rejected with
	// KindConflict. CommitFacts requires a Base, so that nobody commits a proposal unseen. The Entry always has the
	// version to which the edit was applied.
	Base uint64 `json:"base,omitempty"`

	Patch    json.RawMessage `json:"patch,omitempty"`    // an array is a JSON Patch, an object is a JSON Merge Patch
	Path     string          `json:"path,omitempty"`     // JSON pointer into the draft, for Lock and Unlock
	Proposal string          `json:"proposal,omitempty"` // ID of a proposal, for CommitFacts and RejectFacts
	To       uint64          `json:"to,omitempty"`       // for UndoDraft: the version of Earlier; Apply sets it
	Why      string          `json:"why,omitempty"`

	Earlier *State `json:"-"` // for UndoDraft: an earlier version of the same workspace
}
