// Package workspace keeps a document that a model edits apart from the conversation about it, with the facts that only
// a person changes.
//
// A [State] is one version of a workspace. It has four parts:
//
//   - the draft, the document that is worked on. Models and persons change it with patches (JSON Patch, RFC 6902, or JSON Merge Patch, RFC 7386);
//   - the locks of a person: JSON pointers into the draft. No patch of a model changes the value at a locked path, or puts one there where
//     there is none;
//   - the facts, which hold until a person says otherwise. A model can only propose a change; [CommitFacts] of a person makes it;
//   - the state of the app's user interface, which only the app changes.
//
// An [Edit] is one change, of a closed list of kinds, each with those who may make it. [Limits.Apply] makes the next
// version of it, or says in a [callwright.Error] with a code and a JSON pointer why it does not. Each version has the
// [Entry] that says who made it and how; the entries of all versions are the audit trail.
//
// A [Store] keeps versions; [NewMemory] does so in memory, package filestore in a folder. An [Editor] loads, applies
// and saves, and makes the edit again on the new version where somebody else was faster:
//
//	e := workspace.NewEditor(workspace.NewMemory())
//	st, err := e.Create(ctx, workspace.Origin{By: person, Draft: text})
//	st, err = e.Edit(ctx, st.ID, workspace.Edit{Kind: workspace.Lock, By: person, Path: "/title"})
//	st, err = e.Edit(ctx, st.ID, workspace.Edit{Kind: workspace.PatchDraft, By: model, Patch: patch})
//	facts, err := e.Preview(st, st.Proposals[0].ID) // shown to the person, who says yes:
//	st, err = e.Edit(ctx, st.ID, workspace.Edit{Kind: workspace.CommitFacts, By: person, Base: st.Version, Proposal: st.Proposals[0].ID})
//	st, err = e.Undo(ctx, st.ID, person, 0)
//
// # Locks
//
// The value at each locked path is compared before and after a patch of a model, byte for byte without the white space
// between tokens. So a lock holds for all that stands below its path, and against whatever is done to the arrays and
// objects that it stands in: an element that is put before a locked one in its array is refused, as another value would
// then stand at the path. A patch that replaces a whole object is taken where the locked values in it come out the
// same. A person is not bound by locks.
//
// Documents and patches are text from end to end: numbers keep their digits, members their order. Names that an object
// has twice are refused.
package workspace
