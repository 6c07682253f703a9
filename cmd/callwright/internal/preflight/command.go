package preflight

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/config"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/spf13/cobra"
)

// Input contains the dependencies of the command callwright check.
type Input struct {
	Out, Err io.Writer
	Env      func(name string) (value string, ok bool)
	// Misuse wraps the error of an invalid command line.
	Misuse func(error) error
	// ConfigFlag adds the flag --config, which stores the file name in *file. OfferModels returns a shell completion
	// function for the models of that file.
	ConfigFlag  func(c *cobra.Command, file *string)
	OfferModels func(file *string) cobra.CompletionFunc
	// Config loads a configuration file, "" for the default. hint names the loaded file.
	Config func(ctx context.Context, file string) (c *config.Config, hint string, err error)
}

// New returns the command callwright check.
func New(in Input) *cobra.Command {
	k := command{in: in}
	c := &cobra.Command{
		Use:   "check [--config FILE] [--json] [MODEL...]",
		Short: "Check whether the models can be used",
		Long: "Check tests whether keys are set, whether the providers of the configuration answer and accept these keys, and whether " +
			"the providers have the configured models. With names it tests only these models and their fallbacks. It prints a line " +
			"for each provider and each model. Each problem has a remedy. Check sends no request to a model. It only asks the " +
			"providers for their lists of models, all at the same time, within 5 seconds.\n\n" +
			"The exit status is 0 if there is no problem, and 2 if there is one.",
		Example:           "  callwright check\n  callwright check groq/llama-3.3-70b-versatile\n  callwright check --config callwright.yaml --json",
		ValidArgsFunction: in.OfferModels(&k.config),
		RunE:              func(c *cobra.Command, args []string) error { return k.run(c.Context(), args) },
	}
	in.ConfigFlag(c, &k.config)
	c.Flags().BoolVar(&k.asJSON, "json", false, "print one JSON object")
	return c
}

type command struct {
	in     Input
	config string
	asJSON bool
}

func (k *command) run(ctx context.Context, names []string) error {
	conf, hint, err := k.in.Config(ctx, k.config)
	if err != nil {
		return k.in.Misuse(err)
	}
	checker, done, err := Open(conf, k.in.Env)
	if err != nil {
		return err
	}
	defer done()
	var found []Result
	if len(names) > 0 {
		found = checker.Models(ctx, names...)
	} else {
		found = checker.All(ctx)
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if k.asJSON {
		err = jsonx.WriteLine(k.in.Out, map[string]any{"checked": found})
	} else {
		err = Print(k.in.Out, found)
	}
	if err != nil {
		return err
	}
	return k.verdict(conf, found, len(names) == 0, hint)
}

// verdict returns an error with the number of problems, nil if there are none. If all is set, a configuration without
// a named file that has nothing but the simulator is also an error, with the text hint.
func (k *command) verdict(conf *config.Config, found []Result, all bool, hint string) error {
	wrong := 0
	for _, r := range found {
		if r.Problem != "" {
			wrong++
		}
	}
	switch {
	case wrong == 1:
		return k.in.Misuse(errors.New("1 problem"))
	case wrong > 1:
		return k.in.Misuse(fmt.Errorf("%d problems", wrong))
	case all && len(conf.Providers) == 1 && conf.Providers[0].Name == config.SimulatorName && k.config == "" && hint != "" &&
		len(conf.Models) == 0:
		return k.in.Misuse(errors.New(hint))
	}
	return nil
}

// Open returns a checker for a configuration. It does not store facts. The caller must call done.
func Open(conf *config.Config, env func(name string) (value string, ok bool)) (c *Checker, done func(), err error) {
	registry, err := config.NewRegistry(conf, config.WithEnv(env), config.WithCapsStore(caps.NewMemory(nil)), config.AskLists())
	if err != nil {
		return nil, nil, err
	}
	return &Checker{Config: conf, Registry: registry, Env: env}, registry.Close, nil
}
