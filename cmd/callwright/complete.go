package main

import (
	"context"
	"strings"

	"github.com/callwright/callwright/cmd/callwright/internal/completion"
	"github.com/callwright/callwright/cmd/callwright/internal/demo"
	"github.com/callwright/callwright/internal/config"
	"github.com/spf13/cobra"
)

// completeFiles makes shell completion offer files with these extensions (without dots) as values of a flag.
func completeFiles(c *cobra.Command, flag string, endings ...string) {
	completion.Of(c, flag, files(endings...))
}

// files makes shell completion offer files with these extensions (without dots) as arguments.
func files(endings ...string) cobra.CompletionFunc {
	return func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return endings, cobra.ShellCompDirectiveFilterFileExt
	}
}

// models makes shell completion offer the models of the configuration in file, or of the environment without one. It
// omits the models of providers that do not respond.
func (a *app) models(file *string) cobra.CompletionFunc {
	return func(c *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
		ctx := c.Context()
		if ctx == nil {
			ctx = context.Background()
		}
		conf, _, err := a.config(ctx, *file)
		if err != nil {
			return nil, cobra.ShellCompDirectiveError
		}
		registry, err := config.NewRegistry(conf, config.WithEnv(a.env), config.WithSimulated())
		if err != nil {
			return nil, cobra.ShellCompDirectiveError
		}
		defer registry.Close()
		var names []string
		for _, m := range registry.List(ctx) {
			if strings.HasPrefix(string(m), typed) {
				names = append(names, string(m))
			}
		}
		return names, cobra.ShellCompDirectiveNoFileComp
	}
}

// completeCases makes shell completion offer the names of demonstration cases, with their descriptions, for --only.
func completeCases(c *cobra.Command, cases []demo.Case) {
	var offers []string
	for i := range cases {
		offers = append(offers, cobra.CompletionWithDesc(cases[i].Name, cases[i].About))
	}
	completion.Words(c, "only", offers)
}
