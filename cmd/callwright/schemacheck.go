package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/cmd/callwright/internal/completion"
	"github.com/callwright/callwright/cmd/callwright/internal/paint"
	"github.com/callwright/callwright/cmd/callwright/internal/schemacheck"
	"github.com/callwright/callwright/internal/adapter"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/provider"
	"github.com/callwright/callwright/mcptool"
	"github.com/spf13/cobra"
)

func newSchemaCheck(a *app) *cobra.Command {
	var s schemaCheck
	c := &cobra.Command{
		Use:   "check --provider NAME [--mcp COMMAND] [--json] [FILE]",
		Short: "Find the tools that a provider refuses, without a request",
		Long: "Check reads tools in the form of any API, or the tools of an MCP server. For each tool it prints whether the provider " +
			"accepts it unchanged, whether the gateway translates it, or whether the provider refuses requests with it. A problem " +
			"has its place, its keyword and a remedy. Nothing is sent to the provider. Without FILE it reads standard input. The " +
			"exit status is 1 if a tool is refused.",
		Example:               "  callwright schema check --provider moonshot tools.json\n  callwright schema check --provider gemini --mcp 'callwright mcp'",
		DisableFlagsInUseLine: true,
		Args:                  atMostOneArg, ValidArgsFunction: files("json"),
		RunE: func(c *cobra.Command, args []string) error { return s.run(c.Context(), a, args) },
	}
	c.Flags().StringVar(&s.provider, "provider", "", "the provider, by `NAME`, or a model as provider/name")
	c.Flags().StringVar(&s.mcp, "mcp", "", "check the tools of the MCP server that this `COMMAND` starts, or of one at a URL")
	c.Flags().BoolVar(&s.asJSON, "json", false, "print one JSON object for each tool")
	completion.Of(c, "provider", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return providerNames(), cobra.ShellCompDirectiveNoFileComp
	})
	return c
}

type schemaCheck struct {
	provider, mcp string
	asJSON        bool
}

func providerNames() (names []string) {
	for _, r := range provider.Rows() {
		names = append(names, r.Name)
	}
	return names
}

func (s *schemaCheck) run(ctx context.Context, a *app, args []string) error {
	known, err := s.lookUpCaps()
	if err != nil {
		return misuseError{err}
	}
	if s.mcp != "" && len(args) > 0 {
		return misuseError{errors.New("expected a file or --mcp, got both")}
	}
	var tools []adapter.Tool
	if s.mcp != "" {
		tools, err = toolsOfServer(ctx, s.mcp)
	} else {
		tools, err = (&schemaCommand{}).tools(ctx, a, args)
	}
	if err != nil {
		return err
	}
	refused := 0
	p := newParsePrinter(a, "")
	for _, r := range schemacheck.Tools(tools, known) {
		if r.Status == schemacheck.Refused {
			refused++
		}
		if s.asJSON {
			if err := jsonx.WriteLine(a.std.out, r); err != nil {
				return err
			}
			continue
		}
		printCheck(p, &r)
	}
	if refused > 0 {
		return fmt.Errorf("%s refuses %d of %d tools", s.provider, refused, len(tools))
	}
	return nil
}

// lookUpCaps returns the shipped capabilities of the provider or model in --provider. An unknown provider is an error.
func (s *schemaCheck) lookUpCaps() (caps.Caps, error) {
	if s.provider == "" {
		return caps.Caps{}, errors.New("expected --provider NAME: " + strings.Join(providerNames(), ", "))
	}
	name, model, _ := strings.Cut(s.provider, "/")
	for _, r := range provider.Rows() {
		if r.Name == name {
			return caps.ShippedFor(name, model).Over(caps.ShippedForWire(string(r.Wire))), nil
		}
	}
	return caps.Caps{}, unknownName("provider", name, providerNames(), "the providers are "+strings.Join(providerNames(), ", "))
}

// toolsOfServer starts an MCP server and returns its tools.
func toolsOfServer(ctx context.Context, command string) ([]adapter.Tool, error) {
	c, err := mcptool.ParseCommand(command)
	if err != nil {
		return nil, misuseError{fmt.Errorf("--mcp: %w", err)}
	}
	server, err := mcptool.Open(ctx, c)
	if err != nil {
		return nil, err
	}
	list, err := server.Tools(ctx)
	if err = errors.Join(err, server.Close()); err != nil {
		return nil, err
	}
	var out []adapter.Tool
	for i := range list {
		out = append(out, adapter.Tool{Name: list[i].Name, Description: list[i].Description, Parameters: list[i].Schema})
	}
	return out, nil
}

// statusColors maps the status of a tool to its color on a terminal.
var statusColors = map[schemacheck.Status]paint.Style{schemacheck.Taken: paint.Green, schemacheck.Adapted: paint.Bold,
	schemacheck.Refused: paint.Red}

func printCheck(p *parsePrinter, r *schemacheck.Result) {
	p.Printf("%s %s\n", p.Paint(statusColors[r.Status], string(r.Status)), p.Paint(paint.Bold, paint.Visible(cmp.Or(r.Name, "(no name)"))))
	for _, f := range r.Findings {
		switch f.Keyword {
		case "":
		case "name", "tools": // not a part of the schema
			p.Println("  " + p.Paint(paint.Bold, f.Keyword))
		default:
			p.Printf("  %s at %s\n", p.Paint(paint.Bold, paint.Visible(f.Keyword)), paint.Visible(place(f.Path)))
		}
		p.printWrapped("    why     ", f.Why, paint.Plain)
		p.printWrapped("    remedy  ", f.Remedy, paint.Plain)
	}
}
