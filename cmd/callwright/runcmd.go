package main

import (
	"context"

	"github.com/callwright/callwright/cmd/callwright/internal/runcmd"
	"github.com/callwright/callwright/internal/config"
	"github.com/callwright/callwright/mcptool"
	"github.com/spf13/cobra"
)

// runInput returns the dependencies of the commands callwright run and callwright runs.
func (a *app) runInput() runcmd.Input {
	return runcmd.Input{
		In: a.std.in, Out: a.std.out, Err: a.std.err, Env: a.env, Misuse: func(err error) error { return misuseError{err} },
		ConfigFlag: configFlag, OfferModels: a.models, Config: a.config, Registry: a.registryOn, State: a.state,
		Trace: runTrace, ReadFile: readFile, Check: a.checkInput().Start,
		Server:    func(s *config.MCPServer) (mcptool.Config, error) { return serverConfig(s, a.env) },
		ReadInput: func(ctx context.Context, what string) ([]byte, error) { return readInput(ctx, a, "-", what) },
	}
}

func newRun(a *app) *cobra.Command {
	c := runcmd.New(a.runInput())
	completeFiles(c, "tools", "json")
	completeFiles(c, "trace", "jsonl")
	completeFiles(c, "conversation", "json")
	return c
}

func newRuns(a *app) *cobra.Command {
	c := runcmd.NewList(a.runInput())
	c.Args = noArgs
	return c
}

// runTrace opens the trace file of a run. With an empty name and no configured trace it returns an empty Trace.
func runTrace(name string, conf *config.Trace) (runcmd.Trace, error) {
	t, err := openTrace(name, conf)
	if t == nil || err != nil {
		return runcmd.Trace{Close: t.close}, err
	}
	return runcmd.Trace{Writer: t.w, Options: t.options(), Close: t.close}, nil
}
