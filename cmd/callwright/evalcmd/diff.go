package evalcmd

import (
	"errors"
	"fmt"
	"os"

	"github.com/callwright/callwright/eval"
	"github.com/callwright/callwright/eval/filequeue"
	"github.com/callwright/callwright/eval/report"
	"github.com/callwright/callwright/internal/boundedfile"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/spf13/cobra"
)

// maxSummary bounds a file that is compared.
const maxSummary = 256 << 20

func newDiff(in Input) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "diff [--json] A B",
		Short: "Compare two runs and say which differences are more than chance",
		Long: "Diff compares two runs, each the folder of --state or a file that --json wrote: how often trials ended well in both, by model, scenario and " +
			"setting, and which of the differences are more than chance. The exit status is 0 whatever was found.",
		Example: "  callwright eval diff runs/before runs/after\n  callwright eval diff --json before.json after.json",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 2 {
				return in.Misuse(fmt.Errorf("expected two runs, got %d: callwright eval diff A B", len(args)))
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			a, errA := readRun(args[0])
			b, errB := readRun(args[1])
			if err := errors.Join(errA, errB); err != nil {
				return in.Misuse(err)
			}
			d := report.Diff(a, b)
			d.A.Name, d.B.Name = args[0], args[1]
			if asJSON {
				return jsonx.WriteLine(in.Out, d)
			}
			return d.WriteText(in.Out, in.width(in.Out))
		},
	}
	c.DisableFlagsInUseLine = true
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return c
}

// readRun reads what came of a run: the folder of its state, or a file with its summary.
func readRun(name string) (*report.Summary, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		header, results, err := filequeue.Read(name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		return report.Summarize(header, results, toolScenarios(eval.BuiltIn())), nil
	}
	text, err := boundedfile.Read(name, maxSummary)
	if err != nil {
		return nil, err
	}
	sum, err := report.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return sum, nil
}
