package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"path/filepath"
	"strings"
	"time"

	"github.com/callwright/callwright/cmd/callwright/internal/completion"
	"github.com/callwright/callwright/cmd/callwright/internal/launch"
	"github.com/callwright/callwright/internal/config"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/spf13/cobra"
)

func newLaunch(a *app) *cobra.Command {
	l := launchCommand{app: a}
	c := &cobra.Command{
		Use:   "launch [--model [ROLE=]MODEL,...] [--config FILE] [--listen ADDR] [--state DIR] [--log FILE] [--trace FILE|DIR] [--no-check] [--dry-run] [--verbose] [--json] [AGENT] [-- ARGS]",
		Short: "Start a coding agent on any model",
		Long: "Launch starts a coding agent, such as Claude Code or Codex, on a model of the gateway. It uses the gateway that runs " +
			"at the configured address. If none runs there, it starts a gateway that ends with the agent. The agent is configured " +
			"by variables and arguments, and by temporary files if it reads only files. They are removed when the agent ends. The " +
			"agent's own configuration is not changed.\n\n" +
			"An agent may use several models: main for the work, small for quick tasks, planner for plans. Without --model the " +
			"agent gets the first alias of the configuration. If the gateway requires a key, the agent gets the one in " +
			"CALLWRIGHT_KEY, or else the first key of the configuration.\n\n" +
			"Without an agent launch lists the agents and shows which are installed. Arguments after -- are passed to the agent. " +
			"The exit status is the agent's. It is 2 if nothing was started.",
		Example: "  callwright launch\n  callwright launch claude --model groq/llama-3.3-70b-versatile\n" +
			"  callwright launch claude --model main=fast,small=sim/native --dry-run\n  callwright launch codex -- exec \"Fix the tests\"",
		ValidArgsFunction: launch.Complete,
		RunE:              l.run,
	}
	configFlag(c, &l.config)
	f := c.Flags()
	f.StringSliceVar(&l.models, "model", nil, "use this `MODEL`, or one for each role: main=MODEL,small=MODEL,planner=MODEL")
	f.StringVar(&l.listen, "listen", "", "use this `ADDR` of the gateway instead of the configured one")
	f.StringVar(&l.state, "state", "", "keep the temporary files and the log in this `DIR`; without it in state.dir of the configuration, or else in ~/.callwright")
	f.StringVar(&l.log, "log", "", "append the log of a gateway started here to `FILE` instead of launch.log in the folder of --state")
	f.StringVar(&l.trace, "trace", "", "append requests and answers of a gateway started here to `FILE`, or write them to files in a folder; replaces the configured trace")
	f.BoolVar(&l.noCheck, "no-check", false, "start without the check of keys, providers and models")
	f.BoolVar(&l.dryRun, "dry-run", false, "print the variables, files and command line, and start nothing")
	f.BoolVar(&l.verbose, "verbose", false, "also print the variables and files before the agent starts")
	f.BoolVar(&l.asJSON, "json", false, "print one JSON object: the list of agents, or the plan with --dry-run")
	completion.Of(c, "model", a.roleModels(&l.config))
	completeFiles(c, "log", "log")
	completeFiles(c, "trace", "jsonl")
	return c
}

type launchCommand struct {
	app                               *app
	config, listen, state, log, trace string
	models                            []string
	dryRun, asJSON, noCheck, verbose  bool
}

// An agentExit is an error with the exit status of the coding agent, which becomes the status of the command.
type agentExit int

func (e agentExit) Error() string { return fmt.Sprintf("the agent ended with exit status %d", int(e)) }

func (l *launchCommand) run(c *cobra.Command, args []string) error {
	own, rest := args, []string(nil)
	if n := c.ArgsLenAtDash(); n >= 0 {
		own, rest = args[:n], args[n:]
	}
	roles, err := launch.ParseRoles(l.models)
	switch {
	case err != nil:
		return misuseError{err}
	case len(own) > 1:
		return misuseError{fmt.Errorf("expected one agent, also got %s: write arguments for the agent after --", strings.Join(own[1:], " "))}
	case len(own) == 0 && (len(rest) > 0 || len(roles) > 0):
		return misuseError{errors.New("expected the name of an agent: callwright launch lists the agents")}
	case len(own) == 0:
		return l.list(c.Context())
	case l.asJSON && !l.dryRun:
		return misuseError{errors.New("--json needs --dry-run")}
	}
	agent, ok := launch.AgentByName(own[0])
	if !ok {
		return misuseError{unknownName("agent", own[0], launch.Names(), "callwright launch lists the agents")}
	}
	err = l.start(c.Context(), &launch.Start{Agent: agent, Roles: roles, Args: rest})
	if misuse, ok := errors.AsType[*launch.MisuseError](err); ok {
		return misuseError{misuse}
	}
	return err
}

func (l *launchCommand) start(ctx context.Context, s *launch.Start) (err error) {
	a, hint := l.app, ""
	s.Env, s.In, s.Out, s.Err, s.Serve = a.env, a.std.in, a.std.out, a.std.err,
		func(ctx context.Context) (string, func(), error) { return l.serve(ctx, s) }
	if s.Config, hint, err = a.config(ctx, l.config); err != nil {
		return misuseError{err}
	}
	if s.Listen, _, err = s.Config.Access(l.listen, a.env); err != nil {
		return misuseError{err}
	}
	s.Key = s.Config.PresentedKey(a.env)
	dir, err := stateDir(l.state, s.Config)
	if err == nil {
		dir, err = filepath.Abs(dir)
	}
	if err != nil {
		return err
	}
	s.Folder, s.Log, s.Trace, s.Verbose = filepath.Join(dir, "launch"), cmp.Or(l.log, launch.LogFile(dir)), l.trace, l.verbose
	if s.Registry, err = config.NewRegistry(s.Config, config.WithEnv(a.env), config.WithSimulated(), config.AskLists()); err != nil {
		return err
	}
	plan, err := s.Plan(ctx)
	s.Registry.Close()
	switch {
	case err != nil:
		return err
	case plan.Install != "" && !l.dryRun:
		return s.NotInstalled()
	}
	if err := l.check(ctx, s.Config, plan); err != nil {
		return err
	}
	switch {
	case l.asJSON:
		return jsonx.WriteLine(a.std.out, plan)
	case l.dryRun:
		plan.Print(a.std.out)
		return nil
	}
	if hint != "" && !plan.Runs && l.verbose {
		fmt.Fprintln(a.std.err, hint)
	}
	status, err := s.Run(ctx, plan)
	if err == nil && status != 0 {
		err = agentExit(status)
	}
	return err
}

// check tests whether the planned models can be used. It does nothing with --no-check or if a gateway is already
// running.
func (l *launchCommand) check(ctx context.Context, conf *config.Config, plan *launch.Plan) error {
	if l.noCheck || plan.Runs {
		return nil
	}
	var names []string
	for _, m := range plan.Models {
		names = append(names, m.Model)
	}
	return l.app.checkInput().Start(ctx, conf, names...)
}

// drainSilence is the time that the gateway may take to stop after the agent has ended, before a message explains the
// wait.
const drainSilence = time.Second

// serve starts a gateway in this process and returns when it listens. The gateway stops when ctx is done. The caller
// must then call wait, which returns when the gateway has stopped.
func (l *launchCommand) serve(ctx context.Context, s *launch.Start) (address string, wait func(), err error) {
	log, closeLog := io.Discard, func() error { return nil }
	switch f, err := launch.OpenLog(s.Log); {
	case err == nil:
		log, closeLog = f, f.Close
	case l.log != "":
		return "", nil, misuseError{fmt.Errorf("--log: %w", err)}
	default:
		fmt.Fprintf(s.Err, "warning: the gateway has no log file: %v\n", err)
	}
	listens, done := make(chan net.Addr, 1), make(chan error, 1)
	gateway := &serveCommand{config: l.config, listen: s.Listen, trace: s.Trace, log: serveLog{level: "info", format: "text"},
		listening: func(at net.Addr) { listens <- at }}
	go func() {
		done <- gateway.run(ctx, &app{std: streams{in: strings.NewReader(""), out: log, err: log}, env: s.Env})
	}()
	wait = func() {
		late := time.AfterFunc(drainSilence, func() {
			fmt.Fprintln(s.Err, "the gateway waits for requests of other agents (Ctrl-C ends it at once)")
		})
		defer late.Stop()
		if err := errors.Join(<-done, closeLog()); err != nil {
			fmt.Fprintf(s.Err, "callwright: the gateway: %v\n", err)
		}
	}
	select {
	case at := <-listens:
		return at.String(), wait, nil
	case err := <-done:
		return "", nil, errors.Join(err, closeLog())
	}
}

// list prints the supported coding agents.
func (l *launchCommand) list(ctx context.Context) error {
	agents := launch.List(ctx)
	if l.asJSON {
		return jsonx.WriteLine(l.app.std.out, map[string]any{"agents": agents})
	}
	rows := [][]string{{"AGENT", "NAME", "VERSION", "INSTALL"}}
	for _, a := range agents {
		version := "not installed"
		if a.Installed {
			version = cmp.Or(a.Version, "installed")
		}
		rows = append(rows, []string{a.Name, a.Title, version, a.Install})
	}
	return printTable(l.app, rows)
}
