package main

import (
	"slices"
	"testing"

	"github.com/callwright/callwright/internal/config"
	"github.com/callwright/callwright/internal/provider"
)

// Variables before a command of the configuration reach its server, and those of its own member win.
func TestServerConfig(t *testing.T) {
	env := func(string) (string, bool) { return "", false }
	got, err := serverConfig(&config.MCPServer{Name: "files", Command: config.Command{Line: "A=1 B=2 serve --all"}, Env: map[string]provider.Secret{"B": provider.NewSecret("3")}}, env)
	if err != nil {
		t.Fatal(err)
	}
	if got.Name != "files" || !slices.Equal(got.Command, []string{"serve", "--all"}) || !slices.Equal(got.Env, []string{"A=1", "B=2", "B=3"}) {
		t.Errorf("got %+v", got)
	}
}
