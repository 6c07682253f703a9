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
		Long: "Eval plays scenarios with models many times, through the agent loop. It prints how often each combination ended well, " +
			"and the reasons for the other endings. A combination is a model, a mode, a policy, a sampling profile and a scenario.\n\n" +
			"By default it uses simulated models that misbehave as real models do. Such a run is offline: it needs no key and no " +
			"network, and the same seed gives the same results. A live run sends requests to providers, which charge for them. " +
			"--live, --model-filter and a --model that is not simulated make a run live, and so does OPENROUTER_MODEL_FILTER if " +
			"there is a key. Most settings can also be set by a variable; a flag has precedence.\n\n" +
			"With --state the next run with the same command line continues an interrupted one. With --state nats:NAME several " +
			"processes on several machines share a run. Exit statuses: 0 every trial ended well, 1 some did not, 2 the command line " +
			"is invalid.",
		Example: "  callwright eval\n  callwright eval --compare policy=off,heal --trials 20 --html report.html\n" +
			"  callwright eval --live --model-filter 'qwen/*,!*:free' --state runs/qwen\n  callwright eval diff runs/before runs/after",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return nil
			}
			var scratch bool
			if yesNo(func(*settings) *bool { return &scratch })(nil, args[0]) == nil {
				return in.Misuse(fmt.Errorf("expected no argument, got %q: write the value of a Boolean flag after an equals sign, as in --fix-empty-final=%s", args[0], args[0]))
			}
			if near := config.Nearest(args[0], []string{"diff", "prompts", "schema"}); near != "" {
				return in.Misuse(fmt.Errorf("unknown command %q: did you mean %s?", args[0], near))
			}
			return in.Misuse(fmt.Errorf("expected no argument, got %q: name scenarios with --scenarios and models with --model", args[0]))
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
