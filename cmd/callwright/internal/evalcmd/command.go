package evalcmd

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/callwright/callwright/cmd/callwright/internal/completion"
	"github.com/callwright/callwright/cmd/callwright/internal/pagefile"
	"github.com/callwright/callwright/cmd/callwright/internal/paint"
	"github.com/callwright/callwright/cmd/callwright/internal/state"
	"github.com/callwright/callwright/internal/config"
	"github.com/spf13/cobra"
)

// Input contains the dependencies of the command callwright eval.
type Input struct {
	Out, Err io.Writer
	Env      func(name string) (value string, ok bool)
	// Config loads a configuration file, "" for the default. hint names the loaded file.
	Config func(ctx context.Context, file string) (c *config.Config, hint string, err error)
	// State opens the state that the gateways of the configuration share. The caller must close it.
	State func(ctx context.Context, conf *config.Config) (*state.State, error)
	// Misuse wraps the error of an invalid command line.
	Misuse func(error) error
	Build  string
}

// New returns the command callwright eval.
func New(in Input) *cobra.Command {
	values := given{}
	c := &cobra.Command{
		Use:   "eval" + use(),
		Short: "Measure how well models use tools",
		Long: "Eval plays scenarios with models through the loop of agents, many times, and says how often each of them ended well, and why not. It plays " +
			"every combination of models, modes, policies, sampling profiles, scenarios and trials.\n\n" +
			"Without more it asks simulated models that misbehave as real ones do: without a key, without a network, and with the same result whenever " +
			"the seed is the same. A live run asks models at providers, and costs what they take: it is made with --live, --model or --model-filter, " +
			"and with " + prefix + "MODEL_FILTER where there is a key. Most settings are read from variables, too; a flag wins.\n\n" +
			"With --state a run that was broken off goes on where it ended; with --state nats:NAME any number of processes, on any machines, share it. Exit statuses: 0 every trial ended well, 1 some did not, 2 the command line cannot " +
			"be carried out.",
		Example: "  callwright eval\n  callwright eval --compare policy=off,heal --trials 20 --html report.html\n" +
			"  callwright eval --live --model-filter 'qwen/*,!*:free' --state runs/qwen\n  callwright eval diff runs/before runs/after",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return nil
			}
			var scratch bool
			if yesNo(func(*settings) *bool { return &scratch })(nil, args[0]) == nil {
				return in.Misuse(fmt.Errorf("expected no argument, got %q: behind a flag of yes or no it stands after an equals sign, as in --fix-empty-final=%s", args[0], args[0]))
			}
			if near := config.Nearest(args[0], []string{"diff", "prompts", "schema"}); near != "" {
				return in.Misuse(fmt.Errorf("unknown command %q: did you mean %s?", args[0], near))
			}
			return in.Misuse(fmt.Errorf("expected no argument, got %q: scenarios are named with --scenarios, models with --model", args[0]))
		},
		RunE: func(c *cobra.Command, _ []string) error { return in.run(c.Context(), values) },
	}
	values.addFlags(c.Flags())
	for i := range table {
		if words := table[i].Words; words != nil {
			completion.Words(c, table[i].Flag, words)
		}
	}
	c.AddCommand(newDiff(in), newSchema(in))
	return c
}

// run executes the command with the values of its flags.
func (in Input) run(ctx context.Context, values given) error {
	s, err := values.read(in.Env)
	if err != nil {
		return in.Misuse(err)
	}
	if s.out.list {
		return in.list(s)
	}
	m, err := in.prepare(ctx, s)
	if err != nil {
		return err
	}
	defer m.registries.close()
	page, err := pagefile.Open(s.out.html)
	if err != nil {
		return in.Misuse(fmt.Errorf("--html: %w", err))
	}
	defer page.Close()
	for _, n := range s.notes {
		fmt.Fprintln(in.Err, n)
	}
	results, header, err := m.play(ctx)
	if err != nil && len(results) == 0 {
		return err
	}
	return errors.Join(m.report(results, header, page), m.feed(ctx, results), m.exitError(ctx, results, err))
}

// width returns the width of w in columns.
func (in Input) width(w io.Writer) int { return paint.New(w, in.Env).Width }
