package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/callwright/callwright/cmd/callwright/internal/paint"
	"github.com/spf13/cobra"
)

// printHelp prints the help text of a command, wrapped to the width of the terminal.
func printHelp(a *app, c *cobra.Command) {
	text := c.Long
	if text == "" {
		text = c.Short
	}
	width := paint.New(a.std.out, a.env).Width
	fmt.Fprintf(a.std.out, "%s\n\n", paint.Wrap(strings.TrimSpace(text), width, ""))
	printUsage(a.std.out, c, width)
}

func printUsage(w io.Writer, c *cobra.Command, width int) {
	fmt.Fprint(w, "Usage:\n")
	if usesItself(c) {
		name, rest, _ := strings.Cut(c.UseLine(), " [")
		if rest != "" {
			name += " " + usageParts("["+rest, width, strings.Repeat(" ", len(name)+3))
		}
		fmt.Fprintf(w, "  %s\n", name)
	}
	if c.HasAvailableSubCommands() {
		fmt.Fprintf(w, "  %s COMMAND [--help]\n", c.CommandPath())
	}
	if c.HasAvailableSubCommands() {
		fmt.Fprint(w, "\nCommands:\n")
		for _, sub := range c.Commands() {
			if sub.IsAvailableCommand() || sub.Name() == "help" {
				margin := fmt.Sprintf("  %-*s ", sub.NamePadding(), sub.Name())
				fmt.Fprintf(w, "%s%s\n", margin, paint.Wrap(sub.Short, width, strings.Repeat(" ", len(margin))))
			}
		}
	}
	if c.HasExample() {
		fmt.Fprintf(w, "\nExamples:\n%s\n", c.Example)
	}
	if c.HasAvailableLocalFlags() {
		fmt.Fprintf(w, "\nFlags:\n%s", c.LocalFlags().FlagUsagesWrapped(width))
	}
	if c.HasAvailableInheritedFlags() {
		fmt.Fprintf(w, "\nFlags of all commands:\n%s", c.InheritedFlags().FlagUsagesWrapped(width))
	}
}

// usesItself reports whether a command can be called without a subcommand: it has none, or its Use has arguments.
func usesItself(c *cobra.Command) bool {
	return c.Runnable() && (!c.HasAvailableSubCommands() || strings.Contains(c.Use, " "))
}

// usageParts wraps a usage line. It does not break inside brackets such as "[--model NAME]".
func usageParts(line string, width int, indent string) string {
	const glue = "\x00"
	var b strings.Builder
	depth := 0
	for _, r := range line {
		switch {
		case r == '[':
			depth++
		case r == ']':
			depth--
		case r == ' ' && depth > 0:
			b.WriteString(glue)
			continue
		}
		b.WriteRune(r)
	}
	return unglue(paint.Wrap(b.String(), width, indent), glue)
}

func unglue(s, glue string) string { return strings.ReplaceAll(s, glue, " ") }
