package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/cmd/callwright/internal/pagefile"
	"github.com/callwright/callwright/cmd/callwright/internal/paint"
	"github.com/callwright/callwright/cmd/callwright/internal/state"
	"github.com/callwright/callwright/internal/config"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/modestat"
	"github.com/callwright/callwright/internal/probe"
	"github.com/callwright/callwright/internal/probe/bymode"
	"github.com/callwright/callwright/internal/probe/cardfile"
	"github.com/spf13/cobra"
)

func newProbe(a *app) *cobra.Command {
	var p probeCommand
	c := &cobra.Command{
		Use:   "probe [--config FILE] [--mode-questions N] [--describe] [--html FILE] [--json] MODEL",
		Short: "Measure the capabilities of a live model",
		Long: "Probe asks a model a limited number of small questions, and does not repair its answers. It checks whether the model " +
			"calls tools, several at once, in streams and with valid arguments, whether it answers by a schema, and more. It prints " +
			"the result of each check, a score, and the number of damaged calls. The score is the share of passed checks among " +
			"those that apply. Then it asks some questions with known calls in each mode of the model, as a gateway would, and " +
			"prints the number of right calls.\n\n" +
			"The facts are stored in the folder of state.dir or on state.nats, for gateways. callwright models shows them, and " +
			"callwright models forget deletes them. The provider may charge for the requests; their maximum number is printed " +
			"first. With --describe the model is also asked for its textual format of calls. The description is tested, and printed " +
			"for the configuration. The exit status is 0 for any result. It is 1 if the model cannot be used, or if its description " +
			"fails the test.",
		Example: "  callwright probe groq/llama-3.3-70b-versatile\n  callwright probe --html report.html sim/native\n  callwright probe --describe ollama/some-model",
		Args:    oneArg, ValidArgsFunction: a.models(&p.config),
		RunE: func(c *cobra.Command, args []string) error { return p.run(c.Context(), a, args[0]) },
	}
	configFlag(c, &p.config)
	c.Flags().StringVar(&p.page, "html", "", "write the results to `FILE`, as a page for a browser")
	c.Flags().BoolVar(&p.describe, "describe", false, "also ask the model for its textual format of calls")
	c.Flags().IntVar(&p.questions, "mode-questions", bymode.Questions,
		fmt.Sprintf("ask the first `N` questions with known calls in each mode, at most %d; 0 measures no modes", bymode.MaxQuestions))
	c.Flags().BoolVar(&p.asJSON, "json", false, "print one JSON object")
	completeFiles(c, "html", "html")
	return c
}

type probeCommand struct {
	config, page     string
	asJSON, describe bool
	questions        int
}

func (p *probeCommand) run(ctx context.Context, a *app, name string) error {
	live, err := openLive(ctx, a, p.config, name)
	if err != nil {
		return err
	}
	defer live.done()
	page, err := pagefile.Open(p.page)
	if err != nil {
		return err
	}
	defer page.Close()
	o := probe.Options{Progress: p.progress(a)}
	most := probe.MaxRequests() + bymode.MaxRequests(p.questions)
	if p.describe {
		most += probe.DescribeRequests
	}
	fmt.Fprintf(a.std.err, "at most %d requests of at most %d tokens of output each\n", most, o.Tokens())
	card, failed := probe.Run(ctx, live.model, o)
	whole := failed == nil
	if card == nil {
		return failed
	}
	if whole {
		failed = bymode.Run(ctx, live.model, card, p.questions, o)
		whole = failed == nil
	}
	var format *probe.Described
	if p.describe && failed == nil {
		format, failed = probe.Describe(ctx, live.model, o)
	}
	kept, keeping := live.keep(ctx, card)
	if whole && keeping == nil {
		keeping = live.keepCard(card)
	}
	if err := errors.Join(p.show(a, card, name, format), page.Write(card.WriteHTML)); err != nil {
		return err
	}
	if keeping != nil {
		return keeping
	}
	fmt.Fprintln(a.std.err, kept)
	return failed
}

// A liveModel is a model to probe, with the registry that stores its facts. The caller must call done.
type liveModel struct {
	name     string
	conf     *config.Config
	registry *config.Registry
	model    callwright.Model
	done     func()
}

// openLive resolves a model by its name in the configuration file. The caller must call done.
func openLive(ctx context.Context, a *app, file, name string) (*liveModel, error) {
	conf, _, err := a.config(ctx, file)
	if err != nil {
		return nil, err
	}
	registry, done, err := a.registry(ctx, conf)
	if err != nil {
		return nil, err
	}
	model, err := registry.Direct(name)
	if err != nil {
		done()
		return nil, err
	}
	return &liveModel{name: name, conf: conf, registry: registry, model: model, done: done}, nil
}

// keep stores the facts of an interrupted probe. It returns a message that states where they are stored.
func (l *liveModel) keep(ctx context.Context, card *probe.Card) (string, error) {
	if err := l.registry.Learn(context.WithoutCancel(ctx), l.name, card.Found); err != nil {
		return "", fmt.Errorf("the facts are not kept: %w", err)
	}
	if state.KeptIn(l.conf) == "" {
		return "the facts are not kept: the configuration has no state.dir and no state.nats", nil
	}
	return "the facts are kept in " + state.KeptIn(l.conf), nil
}

// keepCard stores the result card in the state folder for the dashboard. Without a state folder it does nothing.
func (l *liveModel) keepCard(card *probe.Card) error {
	if l.conf.State.Dir == "" {
		return nil
	}
	if err := cardfile.Keep(filepath.Join(l.conf.State.Dir, cardfile.Folder), card, time.Now()); err != nil {
		return fmt.Errorf("the results are not stored: %w", err)
	}
	return nil
}

// progress returns a function that prints each check when it ends, nil for none. With --json it prints to standard
// error, if that is a terminal.
func (p *probeCommand) progress(a *app) func(probe.Check) {
	w := a.std.out
	if p.asJSON {
		if w = a.std.err; !paint.IsTerminal(w) {
			return nil
		}
	}
	styles := map[probe.Result]paint.Style{probe.Pass: paint.Green, probe.Fail: paint.Red, probe.Skip: paint.Faint}
	out, shown := paint.New(w, a.env), paint.IsTerminal(w)
	const before = 28 // columns in front of the reason
	return func(c probe.Check) {
		why := paint.Visible(c.Why)
		if shown {
			why = paint.CutRight(why, out.Width-before)
		}
		out.Printf("%s  %-20s  %s\n", out.Paint(styles[c.Result], string(c.Result)), c.Name, why)
	}
}

// show prints the facts found by the checks, or the whole card with --json.
func (p *probeCommand) show(a *app, card *probe.Card, name string, format *probe.Described) error {
	if p.asJSON {
		return jsonx.WriteLine(a.std.out, struct {
			*probe.Card
			ToolFormat *probe.Described `json:"tool_format,omitempty"`
		}{card, format})
	}
	w, passed, failed := a.std.out, card.Count(probe.Pass), card.Count(probe.Fail)
	fmt.Fprintf(w, "\n%s\n  score       %d of 100: %d of %d checks passed, %d skipped\n", card.Model, card.Score, passed,
		passed+failed, card.Count(probe.Skip))
	fmt.Fprintf(w, "  calls       %d: InvalidJson %d, UnknownName %d, SchemaMismatch %d\n", card.Calls, card.Counts.InvalidJSON,
		card.Counts.UnknownName, card.Counts.SchemaMismatch)
	fmt.Fprintf(w, "  requests    %d\n", card.Sent)
	for _, m := range card.Modes {
		fmt.Fprintf(w, "  mode        %s: %s\n", m.Mode, m)
	}
	if card.First != "" {
		fmt.Fprintf(w, "  first mode  %s\n", card.First)
	}
	for _, key := range slices.Sorted(maps.Keys(card.Facts)) {
		if key != modestat.Fact {
			fmt.Fprintf(w, "  fact        %s: %s\n", key, card.Facts[key])
		}
	}
	if format != nil {
		fmt.Fprintf(w, "\nIts textual format of calls, for the configuration:\n\nmodels:\n  %s:\n    mode: text\n    tool_format:\n%s", strconv.Quote(name), format.YAML("      "))
	}
	return nil
}
