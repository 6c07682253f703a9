package evalcmd

import (
	"fmt"

	"github.com/callwright/callwright/internal/eval"
	"github.com/spf13/cobra"
)

func newSchema(in Input) *cobra.Command {
	c := &cobra.Command{
		Use:     "schema",
		Short:   "Print the JSON Schema of files with scenarios",
		Long:    "Schema prints the JSON Schema of the files that --scenario-file takes, for editors.",
		Example: "  callwright eval schema > scenarios.schema.json",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return in.Misuse(fmt.Errorf("expected no argument, got %q", args[0]))
			}
			return nil
		},
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintln(in.Out, string(eval.ScenarioSchema()))
			return err
		},
	}
	c.DisableFlagsInUseLine = true
	return c
}
