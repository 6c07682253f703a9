package main

import (
	"io"
	"runtime/debug"

	"github.com/spf13/cobra"
)

type streams struct {
	in       io.Reader
	out, err io.Writer
}

// An app is what commands share: the standard streams and the environment.
type app struct {
	std streams
	env func(string) (string, bool)
}

func newRoot(a *app) *cobra.Command {
	root := &cobra.Command{
		Use:           "callwright",
		Short:         "Reliable tool calls on every language model",
		Long:          "Callwright stands between a client and a language model. What comes out is a declared tool with arguments that\nsatisfy its schema, or an honest error; whatever was changed on the way is reported.\n\nExit statuses: 0 done, 1 failed, 2 a command line that cannot be carried out.",
		Version:       version(),
		SilenceUsage:  true,
		SilenceErrors: true,
		Args:          noArgs,
		RunE:          func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	root.SetIn(a.std.in)
	root.SetOut(a.std.out)
	root.SetErr(a.std.err)
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return misuseError{err} })
	for _, c := range commands(a) {
		c.DisableFlagsInUseLine = true // it names its flags itself
		root.AddCommand(c)
	}
	return root
}

// version returns the version of the module as it was built, "(devel)" for a build in its own tree without version control.
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		return info.Main.Version
	}
	return "unknown"
}

// noArgs refuses arguments as misuse.
func noArgs(c *cobra.Command, args []string) error { return misused(cobra.NoArgs(c, args)) }

func misused(err error) error {
	if err == nil {
		return nil
	}
	return misuseError{err}
}
