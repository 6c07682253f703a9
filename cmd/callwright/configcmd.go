package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"slices"
	"strings"

	"github.com/callwright/callwright/cmd/callwright/internal/state"
	"github.com/callwright/callwright/internal/config"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/spf13/cobra"
)

// ownConfig is the configuration file in the working folder that is read by default.
const ownConfig = "callwright.yaml"

// config loads the configuration file. Without one it loads ownConfig or, if that does not exist, discovers providers
// from the environment. Discovery also applies to a file without providers. hint describes the source and the
// discovered providers, for a message to the user.
func (a *app) config(ctx context.Context, file string) (c *config.Config, hint string, err error) {
	if file == "" {
		if _, err := os.Stat(ownConfig); err != nil {
			c, hint = config.Discover(ctx, a.env, nil)
			return c, hint, nil
		}
		file, hint = ownConfig, "the configuration is "+ownConfig+" in this folder"
	}
	c, err = config.Load(file, a.env)
	if _, missing := errors.AsType[*fs.PathError](err); missing {
		return nil, "", misuseError{err}
	}
	if err == nil {
		hint = strings.TrimSpace(hint + "\n" + c.AddDiscovered(ctx, a.env, nil))
	}
	return c, hint, err
}

// stateDir returns the folder of the local state: the value of a flag or, if that is empty, of the configuration.
func stateDir(flag string, conf *config.Config) (string, error) {
	dir, err := state.Folder(cmp.Or(flag, conf.State.Dir))
	if err != nil {
		err = misuseError{err}
	}
	return dir, err
}

// state opens the state that a command shares with gateways. NATS errors are logged to standard error.
func (a *app) state(ctx context.Context, conf *config.Config) (*state.State, error) {
	return state.OpenShared(ctx, conf, a.env, slog.New(slog.NewTextHandler(a.std.err, nil)))
}

// registry returns the model registry of a command. It shares the stored model facts with gateways, in the state folder
// or on NATS. The caller must call done, which waits until new facts are written.
func (a *app) registry(ctx context.Context, conf *config.Config, opts ...config.Option) (r *config.Registry, done func(), err error) {
	kept, err := a.state(ctx, conf)
	if err != nil {
		return nil, nil, err
	}
	if r, err = a.registryOn(ctx, conf, kept, opts...); err != nil {
		return nil, nil, errors.Join(err, kept.Close())
	}
	return r, func() {
		r.Close()
		_ = kept.Close()
	}, nil
}

// registryOn is like registry with a shared state that is already open.
func (a *app) registryOn(ctx context.Context, conf *config.Config, kept *state.State, opts ...config.Option) (*config.Registry, error) {
	return config.NewRegistry(conf, slices.Concat(opts, kept.CapsStore(ctx), []config.Option{config.WithEnv(a.env), config.AskLists()})...)
}

// configFlag adds the flag --config, which stores the file name in *file.
func configFlag(c *cobra.Command, file *string) {
	c.Flags().StringVar(file, "config", "",
		"read the configuration `FILE`; without it, callwright.yaml in this folder, or else the keys in the environment")
	completeFiles(c, "config", "yaml", "yml")
}

func newConfig(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:     "config",
		Short:   "Check a configuration, import one from another program, or print the schema",
		Long:    "Config checks configurations, imports them from other programs, and prints their schema.",
		Example: "  callwright config check callwright.yaml\n  callwright config import config.yaml > callwright.yaml\n  callwright config schema > callwright.schema.json",
		Args:    noArgs,
		RunE:    func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(newConfigCheck(a), newConfigImport(a), newConfigSchema(a))
	return c
}

func newConfigCheck(a *app) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "check [--json] [FILE]",
		Short: "Find all errors in a configuration",
		Long: "Check reads FILE, or callwright.yaml in this folder. It prints all errors with their lines and columns. The exit " +
			"status is 1 if there are errors. Warnings, for example about environment variables that are not set here, do not " +
			"change it.",
		Example: "  callwright config check callwright.yaml",
		Args:    atMostOneArg, ValidArgsFunction: files("yaml", "yml"),
		RunE: func(c *cobra.Command, args []string) error {
			return checkConfig(c.Context(), a, append(args, ownConfig)[0], asJSON)
		},

		DisableFlagsInUseLine: true,
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return c
}

// checked is the JSON output of callwright config check.
type checked struct {
	Errors   []*config.Error `json:"errors"`
	Warnings []*config.Error `json:"warnings"`
	// Credentials lists the providers whose credentials do not come from an environment variable, with their source.
	Credentials []config.CredentialSource `json:"credentials,omitempty"`
}

func checkConfig(ctx context.Context, a *app, file string, asJSON bool) error {
	c, err := config.Load(file, a.env)
	found := checked{Errors: []*config.Error{}, Warnings: []*config.Error{}}
	var wrong config.Errors
	switch {
	case err == nil:
		found.Warnings = append(found.Warnings, c.Warnings()...)
		found.Credentials = c.CredentialSources(a.env)
	case errors.As(err, &wrong):
		found.Errors = wrong
	default:
		return misuseError{err}
	}
	if asJSON {
		if err := jsonx.WriteLine(a.std.out, found); err != nil {
			return err
		}
	} else {
		for _, e := range found.Errors {
			fmt.Fprintln(a.std.out, e)
		}
		for _, e := range found.Warnings {
			fmt.Fprintln(a.std.out, "warning:", e)
		}
		for _, s := range found.Credentials {
			fmt.Fprintf(a.std.out, "providers.%s: the credentials come from %s\n", s.Provider, s.Source)
		}
	}
	switch n := len(wrong); {
	case n == 1:
		return fmt.Errorf("%s has an error", file)
	case n > 1:
		return fmt.Errorf("%s has %d errors", file, n)
	case !asJSON:
		if hint := c.AddDiscovered(ctx, a.env, nil); hint != "" {
			fmt.Fprintf(a.std.out, "%s: %s\n", file, hint)
		}
		fmt.Fprintf(a.std.out, "%s: ok\n", file)
	}
	return nil
}

func newConfigSchema(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "schema",
		Short: "Print the JSON Schema of configurations, for editors",
		Long: "Schema prints the JSON Schema of configurations. An editor that uses the schema completes and checks a configuration " +
			"while you write it.",
		Example: "  callwright config schema > callwright.schema.json",
		Args:    noArgs,
		RunE: func(*cobra.Command, []string) error {
			_, err := a.std.out.Write(config.Schema())
			return err
		},

		DisableFlagsInUseLine: true,
	}
}

// oneArg returns an error about the command line unless there is exactly one argument.
func oneArg(c *cobra.Command, args []string) error {
	if len(args) != 1 {
		return misuseError{fmt.Errorf("expected one argument, got %d: %s", len(args), c.UseLine())}
	}
	return nil
}

func atMostOneArg(c *cobra.Command, args []string) error {
	if len(args) > 1 {
		return misuseError{fmt.Errorf("expected at most one argument, got %d: %s", len(args), c.UseLine())}
	}
	return nil
}
