package main

import (
	"testing"

	"github.com/callwright/callwright/cmd/callwright/internal/launch"
	"github.com/callwright/callwright/internal/store/natstest"
	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	programs := map[string]func(){"callwright": main, "note-effect": noteEffect, "mcp-asker": serveAsker, "nats-server": natstest.Main}
	for _, agent := range launch.Agents() {
		programs[agent.Program] = fakeAgent
	}
	testscript.Main(m, programs)
}

// TestScripts runs command lines as users type them.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{Dir: "testdata/script"})
}
