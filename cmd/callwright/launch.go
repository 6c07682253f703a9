package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/callwright/callwright/cmd/callwright/launch"
	"github.com/callwright/callwright/config"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/spf13/cobra"
)

func newLaunch(a *app) *cobra.Command {
	var l launchCommand
	c := &cobra.Command{
		Use:   "launch [--model [ROLE=]MODEL,...] [--config FILE] [--listen ADDR] [--state DIR] [--log FILE] [--dry-run] [--json] [AGENT] [-- ARGS]",
		Short: "Start a coding agent on any model",
		Long: "Launch starts a coding agent, such as Claude Code or Codex, on a model of the gateway: on the gateway that runs at the configured address, " +
			"or else on one of its own that ends with the agent. What the agent needs is said in variables and arguments of its process, and where it reads files alone, " +
			"in files that are removed when it ends: its own configuration is not changed. The exit status is the agent's.\n\n" +
			"An agent may use several models: main does the work, small what is quick, planner makes plans. Without --model the first alias of the configuration is taken. " +
			"Where the gateway asks for a key, the agent is given that of CALLWRIGHT_KEY, or the first of the configuration.\n\n" +
			"Without an agent it lists them, and which are installed. What stands behind -- are arguments for the agent.",
		Example: "  callwright launch\n  callwright launch claude --model groq/llama-3.3-70b-versatile\n" +
			"  callwright launch claude --model main=fast,small=sim/native --dry-run\n  callwright launch codex -- exec \"Fix the tests\"",
		ValidArgsFunction: completeAgents,
		RunE: func(c *cobra.Command, args []string) error {
			own, rest := args, []string(nil)
			if n := c.ArgsLenAtDash(); n >= 0 {
				own, rest = args[:n], args[n:]
			}
			switch {
			case len(own) > 1:
				return misuseError{fmt.Errorf("expected one agent, got %s too: arguments of the agent stand behind --", strings.Join(own[1:], " "))}
			case len(own) == 1:
				return l.run(c.Context(), a, own[0], rest)
			case len(rest) > 0 || len(l.models) > 0:
				return misuseError{errors.New("expected the name of an agent: callwright launch lists them")}
			}
			return l.list(c.Context(), a)
		},
	}
	configFlag(c, &l.config)
	f := c.Flags()
	f.StringSliceVar(&l.models, "model", nil, "run the agent on this `MODEL`, or give one to a role: main=MODEL,small=MODEL,planner=MODEL")
	f.StringVar(&l.listen, "listen", "", "the gateway's `ADDR` in place of the configured one")
	f.StringVar(&l.state, "state", "", "the folder for what is kept while the agent runs, in place of the configured one, else ~/.callwright: `DIR`")
	f.StringVar(&l.log, "log", "", "append what the gateway logs to `FILE`, if it is started here")
	f.BoolVar(&l.dryRun, "dry-run", false, "print what would be set and run, and do nothing")
	f.BoolVar(&l.asJSON, "json", false, "print one JSON object: the list, or with --dry-run the plan")
	complete(c, "model", a.roleModels(&l.config))
	completeFiles(c, "log", "log")
	return c
}

type launchCommand struct {
	config, listen, state, log string
	models                     []string
	dryRun, asJSON             bool
}

// An agentExit is the exit status of an agent, which is also that of the command.
type agentExit int

func (e agentExit) Error() string { return fmt.Sprintf("the agent ended with exit status %d", int(e)) }

func (l *launchCommand) run(ctx context.Context, a *app, name string, args []string) error {
	agent, ok := launch.Named(name)
	if !ok {
		return misuseError{unknownName("agent", name, agentNames(), "callwright launch lists them")}
	}
	roles, err := launch.ParseRoles(l.models)
	if err == nil {
		err = agent.Takes(roles)
	}
	if err == nil && l.asJSON && !l.dryRun {
		err = errors.New("--json goes with --dry-run")
	}
	if err != nil {
		return misuseError{err}
	}
	start, err := l.open(ctx, a, agent, roles)
	if err != nil {
		return err
	}
	defer start.close()
	return start.run(ctx, args)
}

// agentNames are the names of all agents.
func agentNames() []string {
	var names []string
	for _, agent := range launch.Agents() {
		names = append(names, agent.Name)
	}
	return names
}

// A listedAgent is one in the list.
type listedAgent struct {
	Name      string `json:"name"`
	Title     string `json:"title"`
	Installed bool   `json:"installed"`
	Version   string `json:"version,omitempty"`
	Path      string `json:"path,omitempty"`
	Install   string `json:"install"`
}

// list prints the agents.
func (l *launchCommand) list(ctx context.Context, a *app) error {
	var entries []listedAgent
	rows := [][]string{{"AGENT", "NAME", "VERSION", "INSTALL"}}
	for _, agent := range launch.Agents() {
		e := listedAgent{Name: agent.Name, Title: agent.Title, Install: agent.Install()}
		found, ok := agent.Find(ctx)
		version := "not installed"
		if ok {
			e.Installed, e.Path, e.Version = true, found.Path, found.Version
			version = cmp.Or(found.Version, "installed")
		}
		entries = append(entries, e)
		rows = append(rows, []string{e.Name, e.Title, version, e.Install})
	}
	if l.asJSON {
		return jsonx.WriteLine(a.std.out, map[string]any{"agents": entries})
	}
	return printTable(a, rows)
}

// completeAgents offers the agents, with their titles.
func completeAgents(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveDefault
	}
	var offers []string
	for _, agent := range launch.Agents() {
		offers = append(offers, cobra.CompletionWithDesc(agent.Name, agent.Title))
	}
	return offers, cobra.ShellCompDirectiveNoFileComp
}

// roleModels offers the models for a flag that may give one to each role.
func (a *app) roleModels(file *string) cobra.CompletionFunc {
	models := a.models(file)
	return func(c *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
		before, last := "", typed
		if at := strings.LastIndexByte(typed, ','); at >= 0 {
			before, last = typed[:at+1], typed[at+1:]
		}
		for _, r := range launch.Roles() {
			if name, ok := strings.CutPrefix(last, string(r)+"="); ok {
				before, last = before+string(r)+"=", name
			}
		}
		names, how := models(c, args, last)
		for i := range names {
			names[i] = before + names[i]
		}
		return names, how
	}
}

// folder is where sessions have theirs.
func (l *launchCommand) folder(conf *config.Config) (string, error) {
	dir, err := stateDir(l.state, conf)
	if err != nil {
		return "", err
	}
	dir, err = filepath.Abs(dir)
	return filepath.Join(dir, "launch"), err
}
