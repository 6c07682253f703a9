package main

import (
	"github.com/callwright/callwright/cmd/callwright/internal/statuscmd"
	"github.com/spf13/cobra"
)

func newStatus(a *app) *cobra.Command {
	return statuscmd.New(statuscmd.Input{Out: a.std.out, Env: a.env, Misuse: func(err error) error { return misuseError{err} },
		ConfigFlag: configFlag, Config: a.config})
}
