package workspace_test

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/callwright/callwright/workspace"
)

// A model edits a document in which a person has locked the title, and proposes a fact, which holds once the person has said yes.
func Example() {
	ctx := context.Background()
	ada := workspace.Author{Actor: workspace.Person, Name: "Ada"}
	llm := workspace.Author{Actor: workspace.Model}
	e := workspace.NewEditor(workspace.NewMemory())
	st, err := e.Create(ctx, workspace.Origin{By: ada, Draft: json.RawMessage(`{"title": "Offer", "total": 90}`)})
	if err != nil {
		fmt.Println(err)
		return
	}
	id := st.ID
	for _, edit := range []workspace.Edit{
		{Kind: workspace.Lock, By: ada, Path: "/title"},
		{Kind: workspace.PatchDraft, By: llm, Patch: json.RawMessage(`[{"op": "replace", "path": "/title", "value": "Bill"}]`)},
		{Kind: workspace.PatchDraft, By: llm, Patch: json.RawMessage(`{"total": 100}`)},
		{Kind: workspace.ProposeFacts, By: llm, Patch: json.RawMessage(`{"currency": "EUR"}`)},
	} {
		next, err := e.Edit(ctx, id, edit)
		if err != nil {
			fmt.Println(err)
			continue
		}
		st = next
	}
	proposal := st.Proposals[0].ID
	facts, err := e.Preview(st, proposal) // what the person is shown
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("the facts would be %s\n", facts)
	if st, err = e.Edit(ctx, id, workspace.Edit{Kind: workspace.CommitFacts, By: ada, Base: st.Version, Proposal: proposal}); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("version %d: %s, %s\n", st.Version, st.Draft, st.Facts)
	if st, err = e.Undo(ctx, id, ada, 0); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("version %d: %s, %s\n", st.Version, st.Draft, st.Facts)
	// Output:
	// workspace.apply: /title: "/title" is locked by a person, and the patch would change it: replace "/title"; leave it as it is where it is, or ask the person to unlock it
	// the facts would be {"currency":"EUR"}
	// version 5: {"title":"Offer","total":100}, {"currency":"EUR"}
	// version 6: {"title":"Offer","total":90}, {"currency":"EUR"}
}
