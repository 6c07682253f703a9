// Package workspace stores documents that a model edits together with a person, separately from their conversation.
//
// A [State] is one version of a workspace. It has four parts:
//
//   - The draft is the document. Models and persons change it with patches (JSON Patch, RFC 6902, or JSON Merge
//     Patch, RFC 7386).
//   - The locks are JSON pointers into the draft, set by a person. A model's patch must not change, add or remove the
//     value at a locked path.
//   - The facts are an object that only a person changes. A model can propose a change; the person's [CommitFacts]
//     makes the change.
//   - The UI state belongs to the app's user interface. Only the app changes it.
//
// An [Edit] is one change. Each [Kind] of edit is restricted to certain actors. [Limits.Apply] applies an edit to a
// State and returns the next version. If it rejects the edit, it returns a [callwright.Error] with a code and a JSON
// pointer. Each version has an [Entry] with the edit that made it. The entries of all versions are the audit trail.
//
// A [Store] keeps versions. [NewMemory] returns a Store in memory; package filestore has a Store on disk. An [Editor]
// loads, edits and saves a workspace, and retries after a concurrent edit:
//
//	e := workspace.NewEditor(workspace.NewMemory())
//	st, err := e.Create(ctx, workspace.Origin{By: person, Draft: text})
//	st, err = e.Edit(ctx, st.ID, workspace.Edit{Kind: workspace.Lock, By: person, Path: "/title"})
//	st, err = e.Edit(ctx, st.ID, workspace.Edit{Kind: workspace.PatchDraft, By: model, Patch: patch})
//	facts, err := e.Preview(st, st.Proposals[0].ID) // shown to the person, who agrees:
//	st, err = e.Edit(ctx, st.ID, workspace.Edit{Kind: workspace.CommitFacts, By: person, Base: st.Version, Proposal: st.Proposals[0].ID})
//	st, err = e.Undo(ctx, st.ID, person, 0)
//
// # Locks
//
// The value at each locked path is compared before and after a model's patch, ignoring white space between tokens. A
// lock therefore also protects everything below its path, and rejects a change of the surrounding arrays and objects
// if it moves another value to the path. For example, no element can be inserted before a locked element of an array.
// A patch that replaces a whole object is accepted if the locked values in the object stay equal. Locks do not apply
// to persons.
//
// Numbers in documents keep their digits and objects keep the order of their members. Duplicate member names in an
// object are rejected.
package workspace
