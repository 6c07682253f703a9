// Package workspacetest is the suite that every [workspace.Store] passes. An implementation's test is one call:
//
//	func TestStore(t *testing.T) {
//		workspacetest.Run(t, func(t *testing.T) workspace.Store { return workspace.NewMemory() })
//	}
//
// The suite holds a store that keeps at least 100 versions to these laws:
//
//   - An unknown workspace or version is [callwright.KindNotFound]. The history of an unknown workspace is empty.
//   - Versions come back as they were saved, documents byte for byte, old ones too.
//   - Writing to a state, before or after Save, changes nothing that was saved.
//   - Save of anything but the version that follows the newest is [callwright.KindConflict] and saves nothing; of
//     several at the same version exactly one is saved. Versions never go back.
//   - All edits of concurrent editors succeed, once each. Of edits that name their base version, one succeeds at each
//     version.
//   - Facts differ between two versions only where the history says that a person has committed a proposal, and by that
//     proposal.
//   - No workspace sees the versions of another.
//   - A context that has ended is [callwright.KindCanceled], with the context's error inside, and saves nothing.
//   - An id that [workspace.ID.Validate] refuses, or a state that [workspace.State.Validate] refuses, is
//     [callwright.KindInvalid].
//
// A store that is a [workspace.Lister] also lists the workspaces that have a version, the greatest id first.
package workspacetest
