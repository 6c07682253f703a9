package main

import (
	"github.com/callwright/callwright/cmd/callwright/internal/launch"
	"github.com/spf13/cobra"
)

// agentNames are the names of all agents.
func agentNames() []string {
	var names []string
	for _, agent := range launch.Agents() {
		names = append(names, agent.Name)
	}
	return names
}

// completeAgents offers the agents, with their titles.
func completeAgents(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveDefault
	}
	var offers []string
	for _, agent := range launch.Agents() {
		offers = append(offers, cobra.CompletionWithDesc(agent.Name, agent.Title))
	}
	return offers, cobra.ShellCompDirectiveNoFileComp
}

// roleModels offers the models for a flag that may give one to each role.
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
