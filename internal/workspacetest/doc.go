// Package workspacetest is the suite that every [workspace.Store] passes. An implementation's test is one call:
//
//	func TestStore(t *testing.T) {
//		workspacetest.Run(t, func(t *testing.T) workspace.Store { return workspace.NewMemory() })
//	}
//
// The suite holds a store that keeps at least 100 versions to these laws:
//
//   - A workspace that is unknown, and a version that is, is [callwright.KindNotFound]; its history is empty.
//   - Versions come back as they were saved, documents byte for byte, old ones too.
//   - What a caller writes to a state, before or after, changes nothing that was saved.
//   - Save of anything but the version that follows the newest is [callwright.KindConflict] and saves nothing; of several at the same version exactly one
//     is saved. Versions never go back.
//   - Of editors who work at the same time all edits land, once each; of those that name the version they saw, one at each version.
//   - Facts differ between two versions only where the history says that a person has committed a proposal, and by that proposal.
//   - No workspace sees the versions of another.
//   - A context that has ended is [callwright.KindCanceled], with the context's error inside, and saves nothing.
//   - An id that [workspace.ID.Validate] refuses, or a state that [workspace.State.Validate] refuses, is [callwright.KindInvalid].
//
// A store that is a [workspace.Lister] also lists the workspaces that have a version, the greatest id first.
package workspacetest
