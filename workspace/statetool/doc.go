// Package statetool gives a model the tools for one workspace:
//
//   - state_get reads the draft, the facts, the locks and the version, or one value;
//   - state_patch changes the draft, by a JSON Patch or a merge patch;
//   - facts_propose puts a change of the facts before the person;
//   - facts_commit is the person's alone: no model is offered it, and a call of it is answered NOT_ALLOWED (see
//     [agent.PersonOnly]). A program makes the commit with [workspace.CommitFacts] when the person has said yes.
//
// They are tools like others:
//
//	e := workspace.NewEditor(store)
//	a := agent.New(model, agent.Tools(statetool.Tools(e, id)...))
//
// The workspace is implicit: workspace_id can be left out of the arguments, and one that is given must be that of the
// workspace. Errors have the codes of package workspace and a path into the arguments, and name the values that are
// accepted there.
package statetool
