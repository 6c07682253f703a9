package workspace_test

import (
	"testing"

	"github.com/callwright/callwright/workspace"
	"github.com/callwright/callwright/workspace/workspacetest"
)

func TestMemory(t *testing.T) {
	workspacetest.Run(t, func(*testing.T) workspace.Store { return workspace.NewMemory() })
}
