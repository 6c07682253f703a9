// Package completion has flags offer values to a shell.
package completion

import "github.com/spf13/cobra"

// Of has a flag offer values.
func Of(c *cobra.Command, flag string, offer cobra.CompletionFunc) {
	if err := c.RegisterFlagCompletionFunc(flag, offer); err != nil {
		panic("completion: " + err.Error()) // our own table of flags is broken
	}
}

// Words has a flag offer a closed list.
func Words(c *cobra.Command, flag string, words []string) {
	Of(c, flag, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
}
