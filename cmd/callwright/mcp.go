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
		Long: "Mcp is a server of the Model Context Protocol on standard input and output. A program such as an editor or an " +
			"assistant starts it. Its tools are the commands parse, doctor, schema and probe. The arguments of parse and schema are " +
			"those of one line with --batch. Each tool returns what its command prints with --json. An error of the command is an " +
			"error of the tool.\n\n" +
			"Only probe sends requests to a model, which the provider may charge for, and only probe uses the configuration. The " +
			"server ends when its input ends.",
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
		fmt.Fprintln(a.std.err, "callwright mcp waits for an MCP client on standard input (Ctrl-D ends it)")
	}
	return mcptool.Serve(ctx, "callwright", version.This().Version, servedTools(a, file), a.input(ctx), a.std.out)
}
