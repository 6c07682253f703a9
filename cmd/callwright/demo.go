package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/callwright/callwright/cmd/callwright/internal/demo"
	"github.com/callwright/callwright/cmd/callwright/internal/paint"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/spf13/cobra"
)

func newDemo(a *app) *cobra.Command {
	d := demoCommand{cases: demo.Cases()}
	c := &cobra.Command{
		Use:   "demo [--only NAME] [--list] [--json]",
		Short: "Watch broken model output become valid tool calls, without a key or a network",
		Long: "Demo starts simulated models that misbehave, and the gateway in front of them, on this machine. A small client with a " +
			"weather tool asks each model a question through the gateway over HTTP. The client runs the calls that it receives and " +
			"returns their results.\n\n" +
			"Each case has the name of a fault of the simulator. The model sim/NAME of a gateway has this fault, and so have all " +
			"models of callwright simulate --fault NAME. For each case demo prints what the model sent, what the client received, " +
			"and the changes, each with its rule. A table of all cases follows. Each case runs with a client of the OpenAI API and " +
			"with one of the Anthropic API, whole and streamed; one of these runs is shown. The exit status is 0 if every client " +
			"received the expected result, and 1 if not.",
		Example: "  callwright demo\n  callwright demo --only quoted_markup",
		Args:    noArgs,
		RunE:    func(c *cobra.Command, _ []string) error { return d.run(c.Context(), a) },
	}
	c.Flags().StringVar(&d.only, "only", "", "run only the case with this `NAME`")
	c.Flags().BoolVar(&d.list, "list", false, "list the cases and do not run them")
	c.Flags().BoolVar(&d.asJSON, "json", false, "print one JSON object")
	completeCases(c, d.cases)
	return c
}

type demoCommand struct {
	cases        []demo.Case
	only         string
	list, asJSON bool
}

func (d *demoCommand) run(ctx context.Context, a *app) error {
	cases, err := d.selectCases()
	if err != nil {
		return err
	}
	if d.list {
		return d.printList(a, cases)
	}
	began := time.Now()
	results, err := demo.Run(ctx, cases)
	if err != nil {
		return err
	}
	interrupted := ctx.Err() != nil
	if interrupted { // the interrupt caused the failures
		results = slices.DeleteFunc(results, func(r demo.Result) bool { return !r.HasPassed() })
	}
	failed := 0
	for i := range results {
		if !results[i].HasPassed() {
			failed++
		}
	}
	if d.asJSON {
		err = jsonx.WriteLine(a.std.out, demoOutput{OK: failed == 0 && !interrupted, Cases: results})
	} else {
		demo.Print(paint.New(a.std.out, a.env), results, time.Since(began))
	}
	switch {
	case err != nil:
	case interrupted:
		err = errInterrupted
	case failed > 0:
		err = fmt.Errorf("%d of %d cases had an unexpected result", failed, len(cases))
	}
	return err
}

// A demoOutput is the JSON output of callwright demo.
type demoOutput struct {
	OK    bool          `json:"ok"`
	Cases []demo.Result `json:"cases"`
}

// selectCases returns the demonstration case named by --only, or all cases.
func (d *demoCommand) selectCases() ([]demo.Case, error) {
	if d.only == "" {
		return d.cases, nil
	}
	for _, c := range d.cases {
		if c.IsNamed(d.only) {
			return []demo.Case{c}, nil
		}
	}
	return nil, misuseError{unknownName("case", d.only, caseNames(d.cases), "callwright demo --list shows all cases")}
}

// A demoEntry describes a case in the output of callwright demo --list.
type demoEntry struct {
	Name    string `json:"name"`
	About   string `json:"about"`
	Class   string `json:"class,omitempty"`
	Earlier string `json:"earlier_name,omitempty"`
}

func (d *demoCommand) printList(a *app, cases []demo.Case) error {
	var entries []demoEntry
	longest := 0
	for i := range cases {
		c := &cases[i]
		entries = append(entries, demoEntry{c.Name, c.About, c.Class(), c.Earlier})
		longest = max(longest, len(c.Name))
	}
	if d.asJSON {
		return jsonx.WriteLine(a.std.out, entries)
	}
	width := paint.New(a.std.out, a.env).Width
	for _, e := range entries {
		margin := fmt.Sprintf("%-*s ", longest, e.Name)
		fmt.Fprintln(a.std.out, margin+paint.Wrap(e.About, width, strings.Repeat(" ", len(margin))))
	}
	return nil
}
