// Package statetool provides tools that let a model read and edit one workspace:
//
//   - state_get reads the draft, the facts, the locks and the version, or one value.
//   - state_patch changes the draft with a JSON Patch or a merge patch.
//   - facts_propose proposes a change of the facts to the person.
//   - facts_commit is reserved for persons. It is not offered to models, and a model's call fails with NOT_ALLOWED
//     (see [agent.PersonOnly]). After the person agrees, the program makes the edit [workspace.CommitFacts].
//
// The tools are used like any others:
//
//	e := workspace.NewEditor(store)
//	a := agent.New(model, agent.Tools(statetool.Tools(e, id)...))
//
// The argument workspace_id is optional. If given, it must be the ID of the workspace. Errors have the codes of
// package workspace and a JSON pointer into the arguments, and list the accepted values.
package statetool
