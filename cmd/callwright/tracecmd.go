package main

import (
	"github.com/callwright/callwright/cmd/callwright/internal/tracecmd"
	"github.com/spf13/cobra"
)

// traceInput returns the dependencies of the commands callwright trace and callwright replay.
func (a *app) traceInput() tracecmd.Input {
	return tracecmd.Input{
		In: a.std.in, Out: a.std.out, Err: a.std.err, Env: a.env, Misuse: func(err error) error { return misuseError{err} },
		ConfigFlag: configFlag, OfferModels: a.models, Config: a.config, OwnConfig: ownConfig, State: a.state, Interruptible: interruptible,
	}
}

func newTrace(a *app) *cobra.Command {
	c := tracecmd.New(a.traceInput())
	c.Args = cobra.MaximumNArgs(1)
	c.AddCommand(newTraceBundle(a))
	return c
}

func newTraceBundle(a *app) *cobra.Command { return tracecmd.NewBundle(a.traceInput()) }

func newReplay(a *app) *cobra.Command {
	c := tracecmd.NewReplay(a.traceInput())
	c.Args, c.ValidArgsFunction = atMostOneArg, files("jsonl")
	return c
}
