// Package completion adds shell completion to the values of flags.
package completion

import "github.com/spf13/cobra"

// Of adds shell completion to a flag. offer returns the possible values.
func Of(c *cobra.Command, flag string, offer cobra.CompletionFunc) {
	if err := c.RegisterFlagCompletionFunc(flag, offer); err != nil {
		panic("completion: " + err.Error()) // the flag does not exist: a programming error
	}
}

// Words adds shell completion with a fixed list of values to a flag.
func Words(c *cobra.Command, flag string, words []string) {
	Of(c, flag, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
}
