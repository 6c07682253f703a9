package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/callwright/callwright/agent"
	"github.com/callwright/callwright/cmd/callwright/paint"
	"github.com/spf13/cobra"
)

func newRuns(a *app) *cobra.Command {
	var r runCommand
	r.app = a
	c := &cobra.Command{
		Use:     "runs [--config FILE] [--state DIR] [--json]",
		Short:   "List the runs that are kept",
		Long:    "Runs lists the runs of tools that are kept, the newest first: what each was asked, how far it came, and what it waits for.",
		Example: "  callwright runs\n  callwright runs --json",
		Args:    noArgs,
		RunE:    func(c *cobra.Command, _ []string) error { return r.list(c.Context()) },
	}
	configFlag(c, &r.config)
	c.Flags().StringVar(&r.state, "state", "", "the `FOLDER` in which runs are kept; without it that of the configuration's state, else .callwright in your own")
	c.Flags().BoolVar(&r.asJSON, "json", false, "print one JSON object a line")
	return c
}

// list prints a line for each run. One that cannot be read is told of, and the others are listed.
func (r *runCommand) list(ctx context.Context) error {
	conf, journal, err := r.open(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = journal.Close() }()
	ids, err := journal.Runs(ctx)
	if err != nil {
		return err
	}
	if len(ids) == 0 && !r.asJSON {
		fmt.Fprintln(r.app.std.err, "there are no runs in "+r.stateDir(conf))
	}
	var failed []error
	out := paint.New(r.app.std.out, r.app.env)
	for _, id := range ids {
		s, err := agent.Status(ctx, journal, id)
		switch {
		case err != nil:
			failed = append(failed, fmt.Errorf("%s: %w", id, err))
		case r.asJSON:
			if err := writeLine(r.app.std.out, s); err != nil {
				return err
			}
		default:
			how := string(s.Stop)
			if how == "" {
				how = "broken off"
			}
			line := fmt.Sprintf("%s  %s  %-10s  %3d steps  %s", s.ID, s.Began.Local().Format(time.DateTime), how, s.Steps, paint.Visible(s.Prompt))
			if out.Width > 0 && paint.IsTerminal(r.app.std.out) {
				line = paint.CutRight(line, out.Width)
			}
			out.Println(line)
		}
	}
	return errors.Join(failed...)
}
