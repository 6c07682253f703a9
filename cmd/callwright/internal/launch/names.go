package launch

import "github.com/spf13/cobra"

// Names returns the names of all supported coding agents.
func Names() []string {
	var names []string
	for _, agent := range Agents() {
		names = append(names, agent.Name)
	}
	return names
}

// Complete is a cobra completion function that offers the names of coding agents.
func Complete(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveDefault
	}
	var offers []string
	for _, agent := range Agents() {
		offers = append(offers, cobra.CompletionWithDesc(agent.Name, agent.Title))
	}
	return offers, cobra.ShellCompDirectiveNoFileComp
}
