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

// An output is standard output, which keeps the first error of writing: text for people is printed without a look at
// it.
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

// Fd is the file's descriptor, that of none where standard output is no file.
func (o *output) Fd() uintptr {
	if f, ok := o.Writer.(interface{ Fd() uintptr }); ok {
		return f.Fd()
	}
	return ^uintptr(0)
}

// An app holds the standard streams and the environment of commands.
type app struct {
	std streams
	env func(string) (string, bool)
}

func newRoot(a *app) *cobra.Command {
	root := &cobra.Command{
		Use:   "callwright",
		Short: "Reliable tool calls on every language model",
		Long: "Callwright stands between a client and a language model. What comes out is a declared tool with arguments that satisfy " +
			"its schema, or an honest error; whatever was changed on the way is reported.\n\n" +
			"Exit statuses: 0 done, 1 failed, 2 a command line that cannot be carried out, 3 a run or a proposal that waits for a person.",
		Example:       "  callwright demo\n  callwright serve\n  callwright parse --tools tools.json < answer.txt",
		SilenceUsage:  true,
		SilenceErrors: true,
		Args:          noArgs,
	}
	// The library's own flag writes by a template, for which the linker keeps all exported methods.
	printVersion := root.Flags().BoolP("version", "v", false, "version for callwright")
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
		c.DisableFlagsInUseLine = true // it names its flags itself
		root.AddCommand(c)
	}
	finishCommands(root)
	return root
}

// finishCommands adds the commands that come with the library of command lines, and an example to each.
func finishCommands(root *cobra.Command) {
	root.SetHelpCommand(newHelp(root))
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd("completion")
	for _, c := range root.Commands() {
		if c.Name() == "completion" {
			c.Short = "Print a script that completes command lines in a shell"
			c.Example = "  source <(callwright completion bash)"
			c.Args, c.RunE = noArgs, func(c *cobra.Command, _ []string) error { return c.Help() }
			c.Long = "Completion prints a script that completes command lines in a shell: commands, flags, names of models, files. " +
				"The help of each shell's command says how to load it."
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

// flagError is misuse; of a flag that does not exist it says which one is like it.
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

// noArgs refuses arguments as misuse.
func noArgs(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	if names := commandNames(c); len(names) > 0 {
		return misuseError{unknownName("command", args[0], names, c.CommandPath()+" --help lists them")}
	}
	return misuseError{fmt.Errorf("expected no argument, got %q: %s", args[0], c.UseLine())}
}
