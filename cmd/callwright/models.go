package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/config"
	"github.com/spf13/cobra"
)

func newModels(a *app) *cobra.Command {
	var m modelsCommand
	c := &cobra.Command{
		Use:   "models [--config FILE] [--json] [NAME...]",
		Short: "List the models and what is known of them",
		Long: "Models lists the models that can be asked for: those of the configuration, then those that its providers list. Each fact is shown with\n" +
			"where it comes from: shipped with callwright, discovered from the provider's list, learned from traffic, or configured.\n\n" +
			"With names it shows all that is known of these.",
		Example: "  callwright models\n  callwright models --json groq/llama-3.3-70b-versatile",
		RunE:    func(c *cobra.Command, args []string) error { return m.run(c.Context(), a, args) },
	}
	configFlag(c, &m.config)
	c.Flags().BoolVar(&m.asJSON, "json", false, "print one JSON object")
	return c
}

type modelsCommand struct {
	config string
	asJSON bool
}

func (m *modelsCommand) run(ctx context.Context, a *app, args []string) error {
	conf, hint, err := a.config(ctx, m.config)
	if err != nil {
		return err
	}
	registry, err := config.NewRegistry(conf, config.WithEnv(a.env))
	if err != nil {
		return err
	}
	defer registry.Close()
	names := make([]callwright.ModelID, len(args))
	for i, name := range args {
		names[i] = callwright.ModelID(name)
	}
	cards := registry.Cards(ctx, names...)
	if m.asJSON {
		if cards == nil {
			cards = []config.Card{}
		}
		return writeLine(a.std.out, map[string]any{"models": cards})
	}
	if hint != "" && len(names) == 0 {
		fmt.Fprintln(a.std.err, hint)
	}
	for _, e := range registry.Providers() {
		if e.Problem != "" {
			fmt.Fprintln(a.std.err, e.Problem)
		}
	}
	if len(names) > 0 {
		return printCards(a.std.out, cards)
	}
	return listCards(a.std.out, cards)
}

// overview are the facts that the list shows.
var overview = []string{"tools", "parallel_tools", "json_schema", "dialect", "max_context"}

// listCards prints a line for each model.
func listCards(w io.Writer, cards []config.Card) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "NAME\tMODEL\t"+strings.ToUpper(strings.Join(overview, "\t")))
	for _, c := range cards {
		row := []string{string(c.Name), dash(string(c.Model))}
		for _, key := range overview {
			value, _, _ := strings.Cut(c.Facts[key], " (")
			row = append(row, dash(value))
		}
		fmt.Fprintln(t, strings.Join(row, "\t"))
	}
	return t.Flush()
}

func dash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

// printCards prints all that is known of models, and then fails where one of them cannot be asked.
func printCards(w io.Writer, cards []config.Card) error {
	lost := ""
	for _, c := range cards {
		fmt.Fprintln(w, c.Name)
		if c.Model != "" {
			fmt.Fprintf(w, "  model       %s\n", c.Model)
		}
		for _, f := range c.Fallbacks {
			fmt.Fprintf(w, "  fallback    %s\n", f)
		}
		if c.Problem != "" {
			fmt.Fprintf(w, "  problem     %s\n", c.Problem)
			lost = c.Problem
		}
		for _, key := range slices.Sorted(maps.Keys(c.Facts)) {
			fmt.Fprintf(w, "  fact        %s: %s\n", key, c.Facts[key])
		}
		for _, l := range c.Learned {
			fmt.Fprintf(w, "  learned     %s: %s until %s (%s)\n", l.Key, l.Value, l.Expires.Format(time.RFC3339), l.Evidence)
		}
	}
	if lost != "" {
		return fmt.Errorf("%s", lost)
	}
	return nil
}
