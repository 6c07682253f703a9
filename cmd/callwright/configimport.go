package main

import (
	"fmt"

	"github.com/callwright/callwright/internal/config"
	"github.com/spf13/cobra"
)

func newConfigImport(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "import FILE",
		Short: "Convert a configuration of LiteLLM, claude-code-router or Bifrost",
		Long: "Import reads the config.yaml of LiteLLM, or the config.json of claude-code-router or Bifrost. It prints a " +
			"configuration of callwright with the same providers, models, fallbacks and keys. Comments name the place of each part " +
			"in the original file. Settings without a counterpart are listed on standard error. Secrets are not copied: the result " +
			"refers to environment variables instead.",
		Example: "  callwright config import config.yaml > callwright.yaml",
		Args:    oneArg, ValidArgsFunction: files("yaml", "yml", "json"), DisableFlagsInUseLine: true,
		RunE: func(_ *cobra.Command, args []string) error {
			got, err := config.Import(args[0])
			if err != nil {
				return misuseError{err}
			}
			for _, m := range got.Missing {
				fmt.Fprintln(a.std.err, "not imported:", m)
			}
			if got.Text == nil {
				return fmt.Errorf("%s: nothing in this configuration of %s could be imported", args[0], got.Program)
			}
			_, err = a.std.out.Write(got.Text)
			return err
		},
	}
}
