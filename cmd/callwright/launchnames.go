package main

import (
	"github.com/callwright/callwright/cmd/callwright/internal/launch"
	"github.com/spf13/cobra"
)

// roleModels makes shell completion offer models for the last element of a comma-separated list of MODEL and
// ROLE=MODEL.
func (a *app) roleModels(file *string) cobra.CompletionFunc {
	models := a.models(file)
	return func(c *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
		before, last := launch.LastModel(typed)
		names, how := models(c, args, last)
		for i := range names {
			names[i] = before + names[i]
		}
		return names, how
	}
}
