package main

import (
	"context"

	"github.com/callwright/callwright/cmd/callwright/internal/conformcmd"
	"github.com/callwright/callwright/internal/config"
	"github.com/spf13/cobra"
)

func newConformance(a *app) *cobra.Command {
	return conformcmd.New(conformcmd.Input{
		Out: a.std.out, Err: a.std.err, Env: a.env, Misuse: func(err error) error { return misuseError{err} },
		ConfigFlag: configFlag, OfferModels: a.models,
		OneArg: oneArg, Config: a.config,
		Registry: func(ctx context.Context, c *config.Config) (*config.Registry, func(), error) {
			return a.registry(ctx, c)
		},
	})
}
