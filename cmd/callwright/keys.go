package main

import (
	"github.com/callwright/callwright/cmd/callwright/internal/keyscmd"
	"github.com/spf13/cobra"
)

func newKeys(a *app) *cobra.Command {
	return keyscmd.New(keyscmd.Input{Out: a.std.out, Err: a.std.err, Env: a.env,
		Misuse: func(err error) error { return misuseError{err} }, ConfigFlag: configFlag, Config: a.config, OneArg: oneArg, NoArgs: noArgs})
}
