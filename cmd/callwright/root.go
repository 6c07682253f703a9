package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/callwright/callwright/internal/config"
	"github.com/callwright/callwright/internal/version"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

type streams struct {
	in       io.Reader
	out, err io.Writer
}

// An output is standard output that records the first write error. Code that prints text does not check errors.
type output struct {
	io.Writer
	failed error
}

func (o *output) Write(p []byte) (int, error) {
	n, err := o.Writer.Write(p)
	if err != nil && o.failed == nil {
		o.failed = err
	}
	return n, err
}

// Fd returns the file descriptor, or an invalid one if standard output is not a file.
func (o *output) Fd() uintptr {
	if f, ok := o.Writer.(interface{ Fd() uintptr }); ok {
		return f.Fd()
	}
	return ^uintptr(0)
}

// An app contains the standard streams and the environment lookup for all commands.
type app struct {
	std streams
	env func(string) (string, bool)
}

func newRoot(a *app) *cobra.Command {
	root := &cobra.Command{
		Use:   "callwright",
		Short: "Reliable tool calls on every language model",
		Long: "Callwright is a gateway between clients and language models. It makes tool calls reliable. Each call that a client " +
			"receives is a call of a declared tool, and its arguments satisfy the tool's schema. If the model makes no such call, " +
			"the client receives text or an error. A report lists every change.\n\n" +
			"Exit statuses: 0 done, 1 failed, 2 the command line is invalid, 3 a call or a proposed change waits for the decision " +
			"of a person. The help of a command describes further meanings.",
		Example:       "  callwright demo\n  callwright serve\n  callwright parse --tools tools.json < answer.txt",
		SilenceUsage:  true,
		SilenceErrors: true,
		Args:          noArgs,
	}
	// The version flag of cobra uses a template, for which the linker would keep all exported methods.
	printVersion := root.Flags().BoolP("version", "v", false, "print the version, the commit and the version of Go")
	root.RunE = func(c *cobra.Command, _ []string) error {
		if *printVersion {
			printBuild(a.std.out, version.This())
			return nil
		}
		return c.Help()
	}
	root.SetIn(a.std.in)
	root.SetOut(a.std.out)
	root.SetErr(a.std.err)
	root.SetFlagErrorFunc(flagError)
	root.SetHelpFunc(func(c *cobra.Command, _ []string) { printHelp(a, c) })
	for _, c := range commands(a) {
		c.DisableFlagsInUseLine = true // each Use line lists its flags
		root.AddCommand(c)
	}
	finishCommands(root)
	return root
}

// finishCommands adds the help and completion commands of cobra, and an example to each.
func finishCommands(root *cobra.Command) {
	root.SetHelpCommand(newHelp(root))
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd("completion")
	for _, c := range root.Commands() {
		if c.Name() == "completion" {
			c.Short = "Print a script that completes command lines in a shell"
			c.Example = "  source <(callwright completion bash)"
			c.Args, c.RunE = noArgs, func(c *cobra.Command, _ []string) error { return c.Help() }
			c.Long = "Completion prints a script that completes command lines in a shell: commands, flags, model names and files. " +
				"The help of each subcommand describes how to load the script."
			for _, shell := range c.Commands() {
				shell.Short = "Print the script for " + shell.Name()
				shell.Example = "  callwright completion " + shell.Name() + " > callwright." + shell.Name()
			}
		}
	}
}

func newHelp(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:     "help [COMMAND]",
		Short:   "Show the help of a command",
		Example: "  callwright help parse",

		DisableFlagsInUseLine: true,

		RunE: func(_ *cobra.Command, args []string) error {
			c, rest, err := root.Find(args)
			if err != nil || len(rest) > 0 {
				if c == nil {
					c = root
				}
				return noArgs(c, args[max(0, len(args)-max(1, len(rest))):])
			}
			return c.Help()
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return commandNames(root), cobra.ShellCompDirectiveNoFileComp
		},
	}
}

func commandNames(c *cobra.Command) []string {
	var names []string
	for _, sub := range c.Commands() {
		names = append(names, sub.Name())
	}
	return names
}

// flagError converts an error about a flag to a misuseError. For an unknown flag it suggests a similar one.
func flagError(c *cobra.Command, err error) error {
	if strange, ok := errors.AsType[*pflag.NotExistError](err); ok {
		var names []string
		c.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
		name := strange.GetSpecifiedName()
		if near := config.Nearest(name, names); near != "" {
			return misuseError{fmt.Errorf("unknown flag --%s: did you mean --%s?", name, near)}
		}
		return misuseError{fmt.Errorf("%w: %s --help lists them", err, c.CommandPath())}
	}
	return misuseError{err}
}

// noArgs returns an error about the command line if there are arguments.
func noArgs(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	if names := commandNames(c); len(names) > 0 {
		return misuseError{unknownName("command", args[0], names, c.CommandPath()+" --help lists them")}
	}
	return misuseError{fmt.Errorf("expected no argument, got %q: %s", args[0], c.UseLine())}
}
