package evalcmd

import (
	"fmt"

	"github.com/callwright/callwright/internal/eval"
	"github.com/spf13/cobra"
)

func newSchema(in Input) *cobra.Command {
	c := &cobra.Command{
		Use:     "schema",
		Short:   "Print the JSON Schema of scenario files, for editors",
		Long:    "Schema prints the JSON Schema of the files for --scenario-file. Editors use it to complete and check such a file.",
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
