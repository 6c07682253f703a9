package main

import (
	"context"
	"strings"

	"github.com/callwright/callwright/cmd/callwright/internal/completion"
	"github.com/callwright/callwright/cmd/callwright/internal/demo"
	"github.com/callwright/callwright/internal/config"
	"github.com/spf13/cobra"
)

// completeFiles offers the files with these endings for a flag.
func completeFiles(c *cobra.Command, flag string, endings ...string) {
	completion.Of(c, flag, files(endings...))
}

// files offers the files with these endings as arguments.
func files(endings ...string) cobra.CompletionFunc {
	return func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return endings, cobra.ShellCompDirectiveFilterFileExt
	}
}

// models offers the models that can be asked for, of the configuration in file or of the environment. A provider that
// does not answer is left out.
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

// completeCases offers the cases of the demonstration, with their subjects.
func completeCases(c *cobra.Command, cases []demo.Case) {
	var offers []string
	for i := range cases {
		offers = append(offers, cobra.CompletionWithDesc(cases[i].Name, cases[i].About))
	}
	completion.Words(c, "only", offers)
}
