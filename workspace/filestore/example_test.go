package filestore_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	"github.com/callwright/callwright/workspace"
	"github.com/callwright/callwright/workspace/filestore"
)

// A workspace is gone on with by another process, where the first one ended.
func Example() {
	ctx := context.Background()
	dir, err := os.MkdirTemp("", "workspaces")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	ada := workspace.Author{Actor: workspace.Person, Name: "Ada"}
	session := func(do func(e *workspace.Editor) (*workspace.State, error)) {
		s, err := filestore.Open(dir)
		if err != nil {
			fmt.Println(err)
			return
		}
		defer s.Close()
		st, err := do(workspace.NewEditor(s))
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("version %d: %s\n", st.Version, st.Draft)
	}
	session(func(e *workspace.Editor) (*workspace.State, error) {
		return e.Create(ctx, workspace.Origin{ID: "ws_letter", By: ada, Draft: json.RawMessage(`{"title":"Offer"}`)})
	})
	session(func(e *workspace.Editor) (*workspace.State, error) {
		return e.Edit(ctx, "ws_letter", workspace.Edit{Kind: workspace.PatchDraft, By: ada, Patch: json.RawMessage(`{"title":"Bill"}`)})
	})
	// Output:
	// version 1: {"title":"Offer"}
	// version 2: {"title":"Bill"}
}
