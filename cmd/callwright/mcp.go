package main

import (
	"context"
	"fmt"

	"github.com/callwright/callwright/cmd/callwright/internal/paint"
	"github.com/callwright/callwright/internal/version"
	"github.com/callwright/callwright/mcptool"
	"github.com/spf13/cobra"
)

func newMCP(a *app) *cobra.Command {
	var file string
	c := &cobra.Command{
		Use:   "mcp [--config FILE]",
		Short: "Serve parse, doctor, schema and probe as tools over MCP",
		Long: "Mcp is a server of the Model Context Protocol on standard input and output, for a program that starts it, such as an editor or an " +
			"assistant. Its tools are the commands parse, doctor, schema and probe. Parse and schema take what these read on one line with --batch, " +
			"all give what these print with --json, and what a command refuses is an error of the tool.\n\n" +
			"Only probe asks a model, at the cost of its requests; it and nothing else uses the configuration. The server ends with its input.",
		Example: "  callwright mcp\n  callwright mcp --config callwright.yaml",
		Args:    noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return serveMCP(c.Context(), a, file)
		},
	}
	configFlag(c, &file)
	return c
}

func serveMCP(ctx context.Context, a *app, file string) error {
	if paint.IsTerminal(a.std.in) {
		fmt.Fprintln(a.std.err, "callwright mcp waits for a program that speaks MCP on its standard input (Ctrl-D ends it)")
	}
	return mcptool.Serve(ctx, "callwright", version.This().Version, servedTools(a, file), a.input(ctx), a.std.out)
}
