// Package workspacetest contains the test suite for implementations of [workspace.Store]. A test of an implementation
// is one call:
//
//	func TestStore(t *testing.T) {
//		workspacetest.Run(t, func(t *testing.T) workspace.Store { return workspace.NewMemory() })
//	}
//
// The store must keep at least 100 versions. The suite checks these rules:
//
//   - Load of an unknown workspace or version returns an error of [callwright.KindNotFound]. The history of an unknown
//     workspace is empty.
//   - Load returns each version, also an old one, as it was saved, with its documents byte for byte.
//   - The store copies states: a later change of a saved or loaded state does not change the store.
//   - Save accepts only the version after the newest. For any other it returns an error of [callwright.KindConflict]
//     and saves nothing. If several goroutines save the same version, exactly one succeeds.
//   - Each edit of concurrent editors succeeds exactly once. Of edits with the same base version, one succeeds.
//   - Facts change only in a version in which a person commits a proposal, and only by the patch of this proposal.
//   - Workspaces are independent of each other.
//   - With a cancelled context, methods return an error of [callwright.KindCanceled] that wraps the context's error,
//     and save nothing.
//   - For an ID that [workspace.ID.Validate] rejects, or a state that [workspace.State.Validate] rejects, methods
//     return an error of [callwright.KindInvalid].
//
// A store that implements [workspace.Lister] must also list the workspaces with a version, in descending order of ID.
package workspacetest
