package main

import (
	"github.com/callwright/callwright/cmd/callwright/internal/preflight"
	"github.com/spf13/cobra"
)

// checkInput returns the dependencies of the command callwright check.
func (a *app) checkInput() preflight.Input {
	return preflight.Input{
		Out: a.std.out, Err: a.std.err, Env: a.env, Misuse: func(err error) error { return misuseError{err} },
		ConfigFlag: configFlag, OfferModels: a.models, Config: a.config,
	}
}

func newCheck(a *app) *cobra.Command { return preflight.New(a.checkInput()) }
