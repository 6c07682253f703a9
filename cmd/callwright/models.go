package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/cmd/callwright/internal/paint"
	"github.com/callwright/callwright/cmd/callwright/internal/state"
	"github.com/callwright/callwright/internal/config"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/modestat"
	"github.com/spf13/cobra"
)

func newModels(a *app) *cobra.Command {
	var m modelsCommand
	c := &cobra.Command{
		Use:   "models [--config FILE] [--all] [--json] [NAME...]",
		Short: "List the models and the known facts about them",
		Long: "Models lists the available models: those of the configuration, then those that its providers list. Simulated models " +
			"are listed only if there are no others, or with --all. Each fact has its source: shipped with callwright, discovered " +
			"from the provider, found by a probe, learned from traffic, configured, or set as an override on the dashboard.\n\n" +
			"With names it prints all known facts of these models, and the quirks of their providers.",
		Example: "  callwright models\n  callwright models --json groq/llama-3.3-70b-versatile",
		RunE:    func(c *cobra.Command, args []string) error { return m.run(c.Context(), a, args) },

		ValidArgsFunction: a.models(&m.config),
	}
	configFlag(c, &m.config)
	c.Flags().BoolVar(&m.all, "all", false, "also list the simulated models")
	c.Flags().BoolVar(&m.asJSON, "json", false, "print one JSON object")
	c.AddCommand(newForget(a))
	return c
}

func newForget(a *app) *cobra.Command {
	var path string
	c := &cobra.Command{
		Use:   "forget [--config FILE] MODEL [KEY]",
		Short: "Delete the learned facts about a model",
		Long: "Forget deletes the facts about a model that were learned from traffic, found by a probe, or set as an override. With " +
			"KEY it deletes only the facts of this key. The facts are in the folder of state.dir, or in state.nats. A gateway " +
			"without them keeps its facts in memory; DELETE /callwright/models/MODEL/facts deletes those.",
		Example:           "  callwright models forget groq/llama-3.3-70b-versatile\n  callwright models forget groq/llama-3.3-70b-versatile json_schema",
		Args:              modelAndKey,
		ValidArgsFunction: a.models(&path),
		RunE: func(c *cobra.Command, args []string) error {
			conf, _, err := a.config(c.Context(), path)
			if err != nil {
				return err
			}
			if state.KeptIn(conf) == "" {
				return errors.New("there are no stored facts: the configuration has no state.dir and no state.nats")
			}
			registry, done, err := a.registry(c.Context(), conf)
			if err != nil {
				return err
			}
			defer done()
			facts, err := registry.Forget(c.Context(), args[0], append(args, "")[1])
			if err != nil {
				return err
			}
			for _, f := range facts {
				fmt.Fprintf(a.std.out, "forgot %s: %s (%s)\n", f.Key, f.Value, f.Source)
			}
			if len(facts) == 0 {
				fmt.Fprintln(a.std.out, "there were no stored facts about it")
			}
			return nil
		},
	}
	c.DisableFlagsInUseLine = true
	configFlag(c, &path)
	return c
}

type modelsCommand struct {
	config      string
	all, asJSON bool
}

func (m *modelsCommand) run(ctx context.Context, a *app, args []string) error {
	conf, hint, err := a.config(ctx, m.config)
	if err != nil {
		return err
	}
	registry, done, err := a.registry(ctx, conf, config.WithSimulated())
	if err != nil {
		return err
	}
	defer done()
	names := make([]callwright.ModelID, len(args))
	for i, name := range args {
		names[i] = callwright.ModelID(name)
	}
	cards := registry.Cards(ctx, names...)
	if m.asJSON {
		if cards == nil {
			cards = []config.Card{}
		}
		return jsonx.WriteLine(a.std.out, map[string]any{"models": cards})
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
	return m.list(a, conf, cards)
}

// list prints one line per model. Without --all it only prints the number of simulated models.
func (m *modelsCommand) list(a *app, conf *config.Config, cards []config.Card) error {
	own, played := cards, []config.Card(nil)
	if !m.all {
		own, played = withoutSimulated(conf, cards)
	}
	if len(own) > 0 {
		if err := listCards(a, own); err != nil || len(played) == 0 {
			return err
		}
		fmt.Fprintf(a.std.err, "and %d simulated models, %s/NAME: callwright models --all lists them\n", len(played), config.SimulatorName)
		return nil
	}
	return listCards(a, played)
}

// withoutSimulated separates the simulator's models without a configuration entry (played) from all others (own).
func withoutSimulated(conf *config.Config, cards []config.Card) (own, played []config.Card) {
	for i := range cards {
		name := cards[i].Name
		host, _ := name.Split()
		entry := slices.ContainsFunc(conf.Models, func(m config.Model) bool { return m.Name == string(name) })
		if host == config.SimulatorName && !entry {
			played = append(played, cards[i])
		} else {
			own = append(own, cards[i])
		}
	}
	return own, played
}

// modelAndKey returns an error about the command line unless there are one or two arguments.
func modelAndKey(c *cobra.Command, args []string) error {
	if len(args) == 1 || len(args) == 2 {
		return nil
	}
	return misuseError{fmt.Errorf("expected a model, and optionally a key: %s", c.UseLine())}
}

// until returns the expiry of a fact for display, such as " until 2026-01-02T15:04:05Z"; "" if it does not expire.
func until(expires time.Time) string {
	if expires.IsZero() {
		return ""
	}
	return " until " + expires.Format(time.RFC3339)
}

// overview lists the columns of the model list and the facts that they display.
var overview = []struct{ title, fact string }{
	{"TOOLS", "tools"}, {"PARALLEL", "parallel_tools"}, {"SCHEMA", "json_schema"}, {"DIALECT", "dialect"}, {"CONTEXT", "max_context"},
}

// listCards prints one line per model. It omits columns without values and, on a terminal, the last columns that do not
// fit.
func listCards(a *app, cards []config.Card) error {
	titles, rows := []string{"NAME", "MODEL"}, make([][]string, len(cards))
	for i := range cards {
		rows[i] = []string{string(cards[i].Name), dash(string(cards[i].Model))}
	}
	for _, col := range overview {
		titles = append(titles, col.title)
		for i := range cards {
			value, _, _ := strings.Cut(cards[i].Facts[col.fact], " (")
			rows[i] = append(rows[i], dash(value))
		}
	}
	return printTable(a, append([][]string{titles}, rows...))
}

// printTable prints rows in aligned columns. The first row contains the titles.
func printTable(a *app, rows [][]string) error {
	room := math.MaxInt
	if paint.IsTerminal(a.std.out) {
		room = paint.New(a.std.out, a.env).Width
	}
	const gap = 2
	var shown []int
	for n := range rows[0] {
		width, known := 0, n == 0
		for i, row := range rows {
			width = max(width, paint.Columns(row[n]))
			known = known || i > 0 && row[n] != "-"
		}
		switch {
		case !known:
			continue
		case len(shown) > 0 && width > room:
			err := printColumns(a.std.out, rows, shown)
			fmt.Fprintln(a.std.err, "a wider terminal shows more, and so does callwright models NAME")
			return err
		}
		room -= width + gap
		shown = append(shown, n)
	}
	return printColumns(a.std.out, rows, shown)
}

func printColumns(w io.Writer, rows [][]string, shown []int) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, row := range rows {
		var cells []string
		for _, n := range shown {
			cells = append(cells, row[n])
		}
		fmt.Fprintln(t, strings.Join(cells, "\t"))
	}
	return t.Flush()
}

func dash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

// printModes prints the success rate of tool calls in each mode and marks the leading mode. fact is the value of
// modestat.Fact followed by its source in parentheses.
func printModes(w io.Writer, fact string) {
	value, source, _ := strings.Cut(fact, " (")
	t, err := modestat.Parse(value)
	if err != nil {
		return
	}
	for i := range t.Rows {
		leads := ""
		if t.Rows[i].Mode == t.Lead {
			leads = "; it leads"
		}
		fmt.Fprintf(w, "  mode        %s: %s%s (%s\n", t.Rows[i].Mode, t.Rows[i].String(), leads, source)
	}
}

// printCards prints all known facts about models. It returns an error if one of the models cannot be used.
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
			if key != modestat.Fact {
				fmt.Fprintf(w, "  fact        %s: %s\n", key, c.Facts[key])
			}
		}
		printModes(w, c.Facts[modestat.Fact])
		if len(c.Facts)+len(c.Learned) == 0 && c.Problem == "" {
			fmt.Fprintln(w, "  there are no facts about it")
		}
		for _, q := range c.Quirks {
			fmt.Fprintf(w, "  quirk       %s: %s\n", q.Name, q.Does)
		}
		for _, l := range c.Learned {
			if l.Key == modestat.Fact {
				continue
			}
			fmt.Fprintf(w, "  %-11s %s: %s%s (%s)\n", l.Source, l.Key, l.Value, until(l.Expires), l.Evidence)
			if under := c.Overridden[l.Key]; l.Source == caps.Override && under != "" {
				fmt.Fprintf(w, "  %-11s %s: %s\n", "over", l.Key, under)
			}
		}
	}
	if lost != "" {
		return fmt.Errorf("%s", lost)
	}
	return nil
}
