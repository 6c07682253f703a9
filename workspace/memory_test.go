package workspace_test

import (
	"testing"

	"github.com/callwright/callwright/internal/workspacetest"
	"github.com/callwright/callwright/workspace"
)

func TestMemory(t *testing.T) {
	workspacetest.Run(t, func(*testing.T) workspace.Store { return workspace.NewMemory() })
}
