package main

import (
	"github.com/callwright/callwright/cmd/callwright/internal/completion"
	"github.com/callwright/callwright/cmd/callwright/internal/evalcmd"
	"github.com/spf13/cobra"
)

func newEval(a *app) *cobra.Command {
	c := evalcmd.New(evalcmd.Input{
		Out: a.std.out, Err: a.std.err, Env: a.env, Config: a.config, State: a.state, Build: version(),
		Misuse: func(err error) error { return misuseError{err} },
	})
	completeFiles(c, "config", "yaml", "yml")
	completeFiles(c, "scenario-file", "json")
	completeFiles(c, "html", "html")
	completion.Words(c, "policy", policyNames())
	completion.Of(c, "model", a.models(new(string)))
	return c
}
