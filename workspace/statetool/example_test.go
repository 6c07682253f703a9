package statetool_test

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/agent"
	"github.com/callwright/callwright/workspace"
	"github.com/callwright/callwright/workspace/statetool"
)

// An agent edits a document. The person decides about what it proposes.
func Example() {
	ctx := context.Background()
	ada := workspace.Author{Actor: workspace.Person, Name: "Ada"}
	e := workspace.NewEditor(workspace.NewMemory())
	if _, err := e.Create(ctx, workspace.Origin{ID: "ws_letter", By: ada, Draft: json.RawMessage(`{"total":90}`)}); err != nil {
		fmt.Println(err)
		return
	}
	model := script{
		{"state_patch", `{"patch":[{"op":"replace","path":"/total","value":100}]}`},
		{"facts_propose", `{"patch":{"currency":"EUR"},"why":"the customer is in Paris"}`},
	}
	res, err := agent.New(model, agent.Tools(statetool.Tools(e, "ws_letter")...)).Run(ctx, callwright.UserText("The total is 100 euros."))
	if err != nil {
		fmt.Println(err)
		return
	}
	st, err := e.Store().Load(ctx, "ws_letter", 0)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(res.Text, string(st.Draft), string(st.Facts))
	for _, p := range st.Proposals {
		fmt.Println("proposed:", string(p.Patch), "because", p.Why)
	}
	// Output:
	// Done. {"total":100} {}
	// proposed: {"currency":"EUR"} because the customer is in Paris
}
