package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/agent"
	"github.com/callwright/callwright/cmd/callwright/internal/completion"
	"github.com/callwright/callwright/cmd/callwright/internal/edit"
	"github.com/callwright/callwright/cmd/callwright/internal/paint"
	"github.com/callwright/callwright/cmd/callwright/internal/runcmd"
	"github.com/callwright/callwright/internal/config"
	"github.com/spf13/cobra"
)

func newEdit(a *app) *cobra.Command {
	e := editCommand{app: a}
	c := &cobra.Command{
		Use:   "edit FILE.json [--model MODEL] [--config FILE] [--state FOLDER] [--facts FILE] [--lock PATH]... [--json] [PROMPT]",
		Short: "Edit a JSON document together with a model",
		Long: "Edit opens a JSON document. On a terminal it reads one line at a time: a message to the model, or a command that " +
			"begins with a colon, such as :undo, :lock PATH or :help. The model reads and changes the document through tools. Each " +
			"change is shown, and written to FILE at once. If FILE does not exist, the first change creates it.\n\n" +
			"Facts are values that you have confirmed. A model can only propose a change of the facts, and only you can accept it. " +
			"No model changes a locked value. Every version is kept. The next session continues the last one, even if that was " +
			"killed. A change of FILE by another program counts as your change.\n\n" +
			"With PROMPT only this message or command is carried out. Without PROMPT, and if the input is not a terminal, each line " +
			"of the input is a message or a command; the first that fails ends the session. Without a terminal, or with --json, " +
			"nobody is asked, and proposals wait. The answers and the output of commands go to standard output, everything else to " +
			"standard error. Exit statuses: 0 done, 1 failed, 2 the command line is invalid, 3 a proposal waits for you. " +
			"docs/workspace.md describes a session.",
		Example: "  callwright edit book.json --model sim/native 'Set /title to \"Winter\".'\n" +
			"  callwright edit book.json --lock /title\n" +
			"  callwright edit book.json ':commit p5'",
		RunE:              func(c *cobra.Command, args []string) error { return e.run(c, args) },
		ValidArgsFunction: files("json"),
	}
	f := c.Flags()
	configFlag(c, &e.config)
	f.StringVar(&e.model, "model", "", "the `MODEL`, an alias or provider/name; without it the last one that was named for FILE, or else agent.model of the configuration")
	f.StringVar(&e.state, "state", "", "keep versions and conversations in this `FOLDER`; without it in state.dir of the configuration, or else in ~/.callwright")
	f.StringVar(&e.facts, "facts", "", "add the members of the JSON object in `FILE` to the facts; the value null removes a fact")
	f.StringArrayVar(&e.locks, "lock", nil, "lock the value at a `PATH`, a JSON pointer such as /items/0; may be repeated")
	f.BoolVar(&e.asJSON, "json", false, "print one JSON object per line")
	completeFiles(c, "facts", "json")
	completion.Of(c, "model", a.models(&e.config))
	return c
}

type editCommand struct {
	app                  *app
	config, model, state string
	facts                string
	locks                []string
	asJSON               bool
}

func (e *editCommand) run(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return misuseError{errors.New("no document is named: name a FILE, as in callwright edit book.json")}
	}
	ctx := c.Context()
	conf, _, err := e.app.config(ctx, e.config)
	if err != nil {
		return err
	}
	registry, err := config.NewRegistry(conf, config.WithEnv(e.app.env), config.AskLists())
	if err != nil {
		return err
	}
	defer registry.Close()
	session := edit.Config{
		File: args[0], Locks: e.locks, Prompt: strings.Join(args[1:], " "), Again: e.again(args[0]), Named: e.model,
		Model:  func(name string) (callwright.Model, []agent.Option, error) { return e.open(name, conf, registry) },
		Person: !e.asJSON && paint.IsTerminal(e.app.std.in) && paint.IsTerminal(e.app.std.err),
	}
	session.Screen = e.screen(session.Person)
	if session.Dir, err = stateDir(e.state, conf); err != nil {
		return err
	}
	if session.Facts, err = e.readFacts(ctx); err != nil {
		return err
	}
	if len(args) > 1 && strings.TrimSpace(session.Prompt) == "" {
		return misuseError{errors.New("the prompt is empty")}
	}
	if session.Name, _ = e.app.env("USER"); session.Name == "" {
		session.Name, _ = e.app.env("USERNAME")
	}
	if session.Person { // Ctrl-C interrupts a response, not the session
		interrupts := make(chan os.Signal, 1)
		signal.Notify(interrupts, os.Interrupt)
		defer signal.Stop(interrupts)
		var stop context.CancelFunc
		ctx, stop = signal.NotifyContext(context.WithoutCancel(ctx), syscall.SIGTERM)
		defer stop()
		session.Interrupts = interrupts
	}
	if session.Person || session.Prompt == "" {
		session.Lines = edit.NewLines(e.app.std.in, session.Interrupts)
	}
	return e.exitError(edit.Run(ctx, session))
}

// exitError converts an error of edit to the error that determines the exit status.
func (e *editCommand) exitError(err error) error {
	if errors.Is(err, edit.ErrWaits) {
		return runcmd.ErrWaits
	}
	if misuse, ok := errors.AsType[*edit.UseError](err); ok {
		return misuseError{misuse}
	}
	return err
}

// open resolves a model and returns it with the agent options of the configuration. Options about tools are not used,
// because the session has tools of its own.
func (e *editCommand) open(name string, conf *config.Config, registry *config.Registry) (callwright.Model, []agent.Option, error) {
	resolve := func(name string) (callwright.Model, error) { return registry.Resolve(name) }
	model, err := e.app.runInput().Model(name, conf, resolve)
	if err != nil {
		return nil, nil, err
	}
	settings := conf.Agent
	settings.AgentTools, settings.ToolUseMode, settings.ToolChoice, settings.System = config.AgentTools{}, "", callwright.Choice{}, ""
	opts, err := settings.Options()
	if err != nil {
		return nil, nil, err
	}
	further, err := settings.Models(resolve)
	if err != nil {
		return nil, nil, err
	}
	if conf.Agent.System != "" {
		own := callwright.Message{Role: callwright.RoleSystem, Parts: []callwright.Part{callwright.Text{Text: conf.Agent.System}}}
		opts = append(opts, agent.WithRequest(func(r *callwright.Request) { r.Messages = append([]callwright.Message{own}, r.Messages...) }))
	}
	return model, append(opts, further...), nil
}

// readFacts reads the JSON file of --facts. Without the flag it returns nil.
func (e *editCommand) readFacts(ctx context.Context) (json.RawMessage, error) {
	if e.facts == "" {
		return nil, nil
	}
	text, err := readFile(ctx, e.facts)
	if err != nil {
		return nil, misuseError{err}
	}
	facts, err := edit.ParseFacts(e.facts, text)
	if err != nil {
		return nil, misuseError{err}
	}
	return facts, nil
}

// again returns the command line of callwright edit that continues editing the file.
func (e *editCommand) again(file string) string {
	words := "callwright edit " + runcmd.ShellWord(file)
	for _, flag := range []struct{ name, value string }{{"config", e.config}, {"state", e.state}} {
		if flag.value != "" {
			words += fmt.Sprintf(" --%s %s", flag.name, runcmd.ShellWord(flag.value))
		}
	}
	return words
}

func (e *editCommand) screen(person bool) edit.Screen {
	if e.asJSON {
		return edit.JSONScreen{W: e.app.std.out}
	}
	show, end := runcmd.NewSteps(e.app.runInput())
	return edit.NewTextScreen(edit.TextConfig{Out: e.app.std.out, Err: e.app.std.err, Env: e.app.env, Person: person,
		Step: show, EndStep: end})
}
