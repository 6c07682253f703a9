package runcmd

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/callwright/callwright/agent"
	"github.com/callwright/callwright/cmd/callwright/internal/paint"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/spf13/cobra"
)

// NewList returns the command callwright runs.
func NewList(in Input) *cobra.Command {
	r := command{in: in}
	c := &cobra.Command{
		Use:     "runs [--config FILE] [--state FOLDER] [--json]",
		Short:   "List the stored runs",
		Long:    "Runs lists the stored runs, the newest first, with their prompt, their progress, and the calls that wait for a person.",
		Example: "  callwright runs\n  callwright runs --json",
		RunE:    func(c *cobra.Command, _ []string) error { return r.list(c.Context()) },
	}
	in.ConfigFlag(c, &r.config)
	c.Flags().StringVar(&r.state, "state", "",
		"read runs from this `FOLDER`; without it from the state of the configuration, or else from ~/.callwright")
	c.Flags().BoolVar(&r.asJSON, "json", false, "print one JSON object per line")
	return c
}

// list prints a line per run. It reports a run that cannot be read, and lists the others.
func (r *command) list(ctx context.Context) error {
	at, err := r.open(ctx)
	defer at.close()
	if err != nil {
		return err
	}
	ids, err := at.journal.Runs(ctx)
	if err != nil {
		return err
	}
	if len(ids) == 0 && !r.asJSON {
		fmt.Fprintln(r.in.Err, "there are no runs yet")
	}
	var failed []error
	out := paint.New(r.in.Out, r.in.Env)
	for _, id := range ids {
		s, err := agent.Status(ctx, at.journal, id)
		switch {
		case err != nil:
			failed = append(failed, fmt.Errorf("%s: %w", id, err))
		case r.asJSON:
			if err := jsonx.WriteLine(r.in.Out, s); err != nil {
				return err
			}
		default:
			printRun(out, s, paint.IsTerminal(r.in.Out))
		}
	}
	return errors.Join(failed...)
}

// printRun prints the progress of a run in one line, and below it the prompt and the waiting calls.
func printRun(out *paint.Printer, s *agent.RunStatus, cut bool) {
	how, steps := string(s.Stop), "steps"
	switch {
	case s.Answered:
		how = "can be resumed"
	case how == "":
		how = "interrupted"
	}
	if s.Steps == 1 {
		steps = "step"
	}
	out.Printf("%s  %s  %s, %d %s\n", s.ID, s.Began.Local().Format(time.DateTime), how, s.Steps, steps)
	lines := []string{"  " + s.Prompt}
	for _, q := range s.Waiting {
		lines = append(lines, "  waits: "+q.Name+" "+string(q.Arguments)+" ("+q.Why+")")
	}
	for _, line := range lines {
		if line = paint.Visible(line); cut {
			line = paint.CutRight(line, out.Width)
		}
		out.Println(line)
	}
}
