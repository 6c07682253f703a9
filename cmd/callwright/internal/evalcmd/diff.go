package evalcmd

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/boundedfile"
	"github.com/callwright/callwright/internal/eval"
	"github.com/callwright/callwright/internal/eval/filequeue"
	"github.com/callwright/callwright/internal/eval/report"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/trace"
	"github.com/spf13/cobra"
)

// maxSummary is the maximum size in bytes of a results file to compare.
const maxSummary = 256 << 20

func newDiff(in Input) *cobra.Command {
	var config string
	var asJSON bool
	c := &cobra.Command{
		Use:   "diff [--config FILE] [--json] A B",
		Short: "Compare two runs, and mark the differences that are more than chance",
		Long: "Diff compares two runs. Each is named as --state named it, or by a file that --json wrote. It prints how often trials " +
			"ended well in both, by model, scenario and setting, and marks the differences that are more than chance. The exit " +
			"status is 0 for any result.",
		Example: "  callwright eval diff runs/before runs/after\n  callwright eval diff --json before.json after.json",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 2 {
				return in.Misuse(fmt.Errorf("expected two runs, got %d: callwright eval diff A B", len(args)))
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			a, errA := in.readRun(c.Context(), config, args[0])
			b, errB := in.readRun(c.Context(), config, args[1])
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
	c.Flags().StringVar(&config, "config", "", "the configuration `FILE`, for runs on NATS; without it, callwright.yaml in this folder")
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return c
}

// readRun reads the summary of a run. name is a value of --state, or a file with the output of --json.
func (in Input) readRun(ctx context.Context, config, name string) (*report.Summary, error) {
	run, err := isRun(name)
	if err != nil {
		return nil, err
	}
	if run {
		header, results, err := in.results(ctx, config, name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		return Summarize(header, results), nil
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

// ReadFolder returns the summary and the results of the run in a --state folder. A folder without a run is
// KindNotFound.
func ReadFolder(dir string) (*report.Summary, []eval.Result, error) {
	header, results, err := filequeue.Read(dir)
	if err != nil {
		return nil, nil, err
	}
	return Summarize(header, results), results, nil
}

// ReadTrace reads the trace of a trial. run is the folder of the run in dir, name the file. A missing trace is
// KindNotFound.
func ReadTrace(dir, run, name string) ([]trace.Entry, error) {
	missing := callwright.Errorf("", callwright.KindNotFound, "", "there is no trace %q of the run %q",
		callwright.Excerpt(name), callwright.Excerpt(run))
	for _, part := range []string{run, name} {
		if !filepath.IsLocal(part) || filepath.Base(part) != part || part == "." {
			return nil, missing
		}
	}
	f, err := os.Open(filepath.Join(dir, run, tracesFolder, name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, missing
	}
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	entries, err := trace.ReadAll(f)
	if errors.Is(err, trace.ErrTorn) {
		err = nil
	}
	return entries, err
}

// tracesFolder is the name of the subfolder with traces in the folder of a run.
const tracesFolder = "traces"

// Summarize returns the summary of the results of an evaluation run.
func Summarize(header eval.Header, results []eval.Result) *report.Summary {
	return report.Summarize(header, results, toolScenarios(eval.BuiltIn()))
}
