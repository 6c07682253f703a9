package main

import (
	"context"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/cmd/callwright/internal/completion"
	"github.com/callwright/callwright/cmd/callwright/internal/evalcmd"
	"github.com/callwright/callwright/cmd/callwright/internal/promptcmd"
	"github.com/callwright/callwright/internal/version"
	"github.com/spf13/cobra"
)

func newEval(a *app) *cobra.Command {
	c := evalcmd.New(evalcmd.Input{
		Out: a.std.out, Err: a.std.err, Env: a.env, Config: a.config, State: a.state, Build: version.This().Version,
		Misuse: func(err error) error { return misuseError{err} },
	})
	prompts := promptcmd.New(promptcmd.Input{
		Out: a.std.out, Err: a.std.err, Misuse: func(err error) error { return misuseError{err} },
		Open: func(ctx context.Context, file, name string) (callwright.Model, func(), error) {
			live, err := openLive(ctx, a, file, name)
			if err != nil {
				return nil, nil, err
			}
			return live.model, live.done, nil
		},
	})
	prompts.ValidArgsFunction = a.models(new(string))
	completeFiles(prompts, "config", "yaml", "yml")
	completeFiles(prompts, "questions", "jsonl")
	completeFiles(prompts, "answers", "jsonl")
	c.AddCommand(prompts)
	completeFiles(c, "config", "yaml", "yml")
	completeFiles(c, "scenario-file", "json")
	completeFiles(c, "html", "html")
	completion.Words(c, "policy", policyNames())
	completion.Of(c, "model", a.models(new(string)))
	return c
}
