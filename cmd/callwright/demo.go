package main

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"
)

func newDemo(a *app) *cobra.Command {
	d := demoCommand{cases: demoCases}
	c := &cobra.Command{
		Use:   "demo [--only NAME] [--list] [--json]",
		Short: "Watch broken model output become valid tool calls, without a key or a network",
		Long: "Demo starts simulated models that misbehave, and the gateway in front of them, on this machine alone. A small client with a\n" +
			"weather tool asks each model a question through the gateway over HTTP, runs the calls that come back and returns their results.\n\n" +
			"For each misbehaviour it shows what the model sent, what the client received and what was changed on the way, by its rule. Each\n" +
			"is run by a client of the OpenAI API and one of the Anthropic API, whole and streamed; one of these ways is shown. Whether all\n" +
			"went as it should is checked by what the clients received, and decides the exit status.",
		Example: "  callwright demo\n  callwright demo --only quoted-markup",
		Args:    noArgs,
		RunE:    func(c *cobra.Command, _ []string) error { return d.run(c.Context(), a) },
	}
	c.Flags().StringVar(&d.only, "only", "", "show the case of this `NAME` alone")
	c.Flags().BoolVar(&d.list, "list", false, "list the cases and do not run them")
	c.Flags().BoolVar(&d.asJSON, "json", false, "print one JSON object")
	return c
}

type demoCommand struct {
	cases        []demoCase
	only         string
	list, asJSON bool
}

// demoLimit bounds the demonstration as a whole, should a case hang.
const demoLimit = 30 * time.Second

func (d *demoCommand) run(ctx context.Context, a *app) error {
	cases, err := d.chosen()
	if err != nil {
		return err
	}
	if d.list {
		return d.printList(a, cases)
	}
	ctx, stop := context.WithTimeout(ctx, demoLimit)
	defer stop()
	lab, err := newDemoLab(ctx)
	if err != nil {
		return err
	}
	began := time.Now()
	results := lab.run(ctx, cases)
	took := time.Since(began)
	lab.close()
	failed := 0
	for i := range results {
		if !results[i].ok() {
			failed++
		}
	}
	if d.asJSON {
		err = writeLine(a.std.out, demoOutput{OK: failed == 0, Cases: results})
	} else {
		newDemoPrinter(a).print(results, took)
	}
	if err == nil && failed > 0 {
		err = fmt.Errorf("%d of %d cases did not go as they should", failed, len(cases))
	}
	return err
}

// A demoOutput is what --json prints.
type demoOutput struct {
	OK    bool         `json:"ok"`
	Cases []demoResult `json:"cases"`
}

// chosen are the cases asked for.
func (d *demoCommand) chosen() ([]demoCase, error) {
	if d.only == "" {
		return d.cases, nil
	}
	for _, c := range d.cases {
		if c.name == d.only {
			return []demoCase{c}, nil
		}
	}
	return nil, misuseError{fmt.Errorf("unknown case %q: callwright demo --list shows them all", d.only)}
}

// A demoEntry is a case in the list.
type demoEntry struct {
	Name  string `json:"name"`
	About string `json:"about"`
}

func (d *demoCommand) printList(a *app, cases []demoCase) error {
	var entries []demoEntry
	for _, c := range cases {
		entries = append(entries, demoEntry{c.name, c.about})
	}
	if d.asJSON {
		return writeLine(a.std.out, entries)
	}
	for _, e := range entries {
		fmt.Fprintf(a.std.out, "%-18s %s\n", e.Name, e.About)
	}
	return nil
}
