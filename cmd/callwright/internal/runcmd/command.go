package runcmd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/agent"
	"github.com/callwright/callwright/cmd/callwright/internal/completion"
	"github.com/callwright/callwright/cmd/callwright/internal/paint"
	"github.com/callwright/callwright/cmd/callwright/internal/state"
	"github.com/callwright/callwright/internal/callcheck"
	"github.com/callwright/callwright/internal/config"
	"github.com/spf13/cobra"
)

// ErrWaits is the error of a command whose run waits for a person. The command has printed the questions.
var ErrWaits = errors.New("the run waits for a person")

// New returns the command callwright run.
func New(in Input) *cobra.Command {
	r := command{in: in, settings: settings{misuse: in.Misuse}}
	c := &cobra.Command{
		Short: "Run a model with tools until it has answered",
		Long: "Run sends a prompt to a model, runs the tools that the model calls, and returns the results to it, until the model has " +
			"answered. There are no tools by default. They come from --tools and from servers of the Model Context Protocol " +
			"(--mcp). Arguments are validated before a tool gets them. Time, output and steps are limited.\n\n" +
			"Before a call that may destroy something, the command asks the person at the terminal. Without a terminal, as in a " +
			"pipe, the run waits. Its state is stored, and the command prints how to continue it with --resume and --answer. With " +
			"--wait the command does not end. It continues the run when the calls are answered elsewhere, such as on the dashboard. " +
			"--resume also continues an interrupted run, even after a crash. A call that has ended is not made again.\n\n" +
			"The answer goes to standard output, calls and questions to standard error. Without PROMPT the prompt is read from " +
			"standard input. Exit statuses: 0 the model has answered, 1 the run failed, 2 the command line is invalid or the model " +
			"cannot be used, 3 the run waits for a person.",
		Example: "  callwright run --model sim/native --tools tools.json 'Weather in Oslo?'\n" +
			"  callwright run --model ollama/qwen3 --mcp 'npx my-server' 'Add 2 and 3.'\n" +
			"  callwright run --resume run_0199c0de --answer yes",
		RunE: func(c *cobra.Command, args []string) error { return r.run(c, args) },
	}
	f := c.Flags()
	in.ConfigFlag(c, &r.config)
	f.StringVar(&r.model, "model", "", "the `MODEL`, an alias or provider/name; without it agent.model of the configuration")
	f.StringArrayVar(&r.mcp, "mcp", nil, "use the tools of an MCP server, as a `COMMAND` that starts it or a URL such as http://127.0.0.1:8000/mcp; may be repeated")
	f.StringArrayVar(&r.tools, "tools", nil, "use the tools in this `FILE`, or in JSON text; may be repeated")
	f.BoolVar(&r.yes, "yes", false, "answer yes to every question")
	f.StringVar(&r.state, "state", "", "keep runs in this `FOLDER`; without it in the state of the configuration, or else in ~/.callwright")
	f.StringVar(&r.trace, "trace", "", "append requests and answers to `FILE`")
	f.StringVar(&r.conversation, "conversation", "",
		"continue the conversation in `FILE`, in the form of any API or in our own; a conversation in our own form, or in a new file, is written back")
	f.StringVar(&r.resume, "resume", "", "continue the run with this `ID`")
	f.StringVar(&r.answer, "answer", "", "with --resume, the `ANSWER` for the waiting calls: yes, no or always")
	f.BoolVar(&r.wait, "wait", false, "if the run waits for a person, wait until the calls are answered elsewhere, and continue")
	f.BoolVar(&r.notes, "notes", false, "show the changes of requests and answers")
	f.BoolVar(&r.noCheck, "no-check", false, "start without the check of keys, providers and models")
	f.BoolVar(&r.asJSON, "json", false, "print one JSON object per line")
	r.settings.add(c)
	c.Use = "run [--model MODEL] [--config FILE] [--mcp COMMAND]... [--tools FILE]... [--yes] [--wait] [--state FOLDER] [--trace FILE] [--conversation FILE] [--notes] [--no-check] [--json]" +
		r.settings.use() + " [PROMPT | --resume ID [--answer yes|no|always]]"
	completion.Of(c, "model", in.OfferModels(&r.config))
	completion.Words(c, "answer", []string{string(agent.Yes), string(agent.No), string(agent.Always)})
	return c
}

type command struct {
	in                   Input
	config, model, state string
	trace, conversation  string
	resume, answer       string
	mcp, tools           []string
	yes, notes, asJSON   bool
	wait, noCheck        bool
	settings             settings
	talk                 *talk
}

func (r *command) run(c *cobra.Command, args []string) error {
	if err := r.check(args); err != nil {
		return err
	}
	r.settings.begin()
	ctx := c.Context()
	at, err := r.open(ctx)
	defer at.close()
	if err != nil {
		return err
	}
	if r.resume != "" {
		if err := r.recall(c, at); err != nil {
			return err
		}
	}
	conf := at.conf
	if err := r.settings.over(&conf.Agent); err != nil {
		return err
	}
	if err := r.checkModel(ctx, conf); err != nil {
		return err
	}
	traced, err := r.in.Trace(r.trace, &conf.Trace)
	if err != nil {
		return err
	}
	defer func() { _ = traced.Close() }() // the run has reported its errors
	registry, err := r.in.Registry(ctx, conf, at.state(), traced.Options...)
	if err != nil {
		return err
	}
	defer registry.Close()
	resolve := traced.resolver(registry)
	opts, closeTools, err := r.options(ctx, conf, resolve, at.journal)
	if err != nil {
		return err
	}
	defer closeTools()
	model, err := r.in.Model(r.model, conf, resolve)
	if err != nil {
		return err
	}
	if ctx, err = withCallRules(ctx, registry, conf, r.model); err != nil {
		return err
	}
	messages, err := r.messages(ctx, args)
	if err != nil {
		return err
	}
	opts = append(opts, agent.WithSetup(r.setup(c)))
	res, err := r.watch(ctx, agent.New(model, opts...), messages, traced, at.journal)
	ended, kept := r.reportEnd(res, err), errors.Join(r.save(res), traced.Close())
	if errors.Is(ended, ErrWaits) && kept != nil {
		return kept // the waiting calls have been printed
	}
	return errors.Join(ended, kept)
}

// check returns an error for flags and arguments that exclude each other.
func (r *command) check(args []string) error {
	switch {
	case r.resume == "" && r.answer != "":
		return r.in.Misuse(errors.New("--answer needs a waiting run: name it with --resume"))
	case r.resume != "" && len(args) > 0:
		return r.in.Misuse(errors.New("a resumed run has its prompt already: omit PROMPT"))
	case r.answer != "" && r.answer != string(agent.Yes) && r.answer != string(agent.No) && r.answer != string(agent.Always):
		return r.in.Misuse(fmt.Errorf("--answer: expected yes, no or always, got %q", r.answer))
	}
	if r.conversation != "" { // before the first request
		if _, err := os.Stat(filepath.Dir(r.conversation)); err != nil {
			return r.in.Misuse(fmt.Errorf("--conversation: %w", err))
		}
	}
	return nil
}

// A place contains the journal of agent runs and the state shared with gateways.
type place struct {
	conf    *config.Config
	shared  []*state.State // the last one belongs to conf
	journal state.Journal
}

// open loads the configuration, and opens its shared state and the journal. The caller must close p, also after an
// error.
func (r *command) open(ctx context.Context) (p *place, err error) {
	p = &place{}
	if p.conf, _, err = r.in.Config(ctx, r.config); err != nil {
		return p, err
	}
	if err := p.share(ctx, r.in, p.conf); err != nil {
		return p, err
	}
	kept, setting := p.state(), "state.dir"
	if r.state != "" {
		kept, setting = state.InFolder(r.state), "--state"
	}
	if p.journal, err = kept.Journal(state.Commands); err != nil {
		err = state.SettingError(setting, err)
	}
	return p, err
}

// share opens the state that the gateways of a configuration share.
func (p *place) share(ctx context.Context, in Input, conf *config.Config) error {
	kept, err := in.State(ctx, conf)
	if err == nil {
		p.conf, p.shared = conf, append(p.shared, kept)
	}
	return err
}

func (p *place) state() *state.State { return p.shared[len(p.shared)-1] }

func (p *place) close() {
	if p.journal != nil {
		_ = p.journal.Close()
	}
	for _, kept := range p.shared {
		_ = kept.Close()
	}
}

// checkModel returns an error if the model of a run cannot be used.
func (r *command) checkModel(ctx context.Context, conf *config.Config) error {
	name := cmp.Or(r.model, string(conf.Agent.Model))
	if r.noCheck || name == "" {
		return nil
	}
	return r.in.Check(ctx, conf, name)
}

// Model returns the model with the name on the command line or, if that is "", the model of the configuration.
func (in Input) Model(named string, conf *config.Config, resolve func(name string) (callwright.Model, error)) (callwright.Model, error) {
	name := cmp.Or(named, string(conf.Agent.Model))
	if name == "" {
		return nil, in.Misuse(errors.New("no model is named: name one with --model, or with agent.model in the configuration; callwright models lists the models"))
	}
	m, err := resolve(name)
	if err != nil && named != "" {
		err = in.Misuse(fmt.Errorf("--model: %w", err))
	}
	return m, err
}

// withCallRules returns a context with the call rules of the run's models.
func withCallRules(ctx context.Context, registry *config.Registry, conf *config.Config, named string) (context.Context, error) {
	names := []string{cmp.Or(named, string(conf.Agent.Model))}
	for _, next := range conf.Agent.NextModels {
		names = append(names, string(next))
	}
	check, err := registry.CallCheck(names...)
	if check == nil {
		return ctx, err
	}
	return callcheck.With(ctx, check), nil
}

// messages returns the first messages of a new run: the saved conversation and the prompt. For --resume it returns nil.
func (r *command) messages(ctx context.Context, args []string) ([]callwright.Message, error) {
	if r.resume != "" {
		return nil, nil
	}
	var before []callwright.Message
	if r.conversation != "" {
		saved, err := r.in.readConversation(ctx, r.conversation)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		before = saved
	}
	prompt := strings.Join(args, " ")
	if len(args) == 0 || prompt == "-" {
		if paint.IsTerminal(r.in.In) {
			return nil, r.in.Misuse(errors.New("the prompt is missing: expected PROMPT, or text on standard input"))
		}
		text, err := r.in.ReadInput(ctx, "the prompt")
		if err != nil {
			return nil, err
		}
		prompt = string(text)
	}
	if strings.TrimSpace(prompt) == "" {
		return nil, r.in.Misuse(errors.New("the prompt is empty"))
	}
	return append(before, callwright.UserText(prompt)), nil
}

// watch runs the agent and shows its steps. With --wait it continues each time that a parked run is answered.
func (r *command) watch(ctx context.Context, a *agent.Agent, messages []callwright.Message, t Trace,
	journal agent.Journal) (*agent.Result, error) {
	events := a.Stream(ctx, messages...)
	if r.resume != "" {
		var answers []agent.Answer
		if r.answer != "" {
			answers = []agent.Answer{{Decision: agent.Decision(r.answer)}}
		}
		events = a.StreamResume(ctx, agent.RunID(r.resume), answers...)
	}
	for {
		res, err := r.show(events, t)
		if !r.wait || err != nil || res == nil || res.Stop != agent.StopParked {
			return res, err
		}
		r.talk.waits(res, r.again())
		if err := awaitAnswer(ctx, journal, res.ID); err != nil {
			return res, err
		}
		events = a.StreamResume(ctx, res.ID)
	}
}

// lookEvery is the interval of checks whether a parked run was answered.
const lookEvery = time.Second

// awaitAnswer waits until a parked run was answered or has ended in another process. It keeps waiting while the journal
// is unavailable, and while another process continues the run.
func awaitAnswer(ctx context.Context, journal agent.Journal, id agent.RunID) error {
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	for {
		s, err := agent.Status(ctx, journal, id)
		away := callwright.KindOf(err) == callwright.KindUnavailable
		if err != nil && !away || err == nil && (s.Answered || s.Stop != "" && s.Stop != agent.StopParked) {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
		}
	}
}

// show shows the steps of a run until it ends or is parked.
func (r *command) show(events iter.Seq2[agent.Event, error], t Trace) (*agent.Result, error) {
	var res *agent.Result
	var failed error
	for ev, err := range events {
		failed = err
		t.add(ev)
		if ev.Final != nil {
			res = ev.Final
		}
		if err := r.talk.show(ev); err != nil {
			return res, err
		}
	}
	return res, failed
}

// reportEnd prints how to continue a run that ended without an answer.
func (r *command) reportEnd(res *agent.Result, err error) error {
	id := r.talk.id
	switch {
	case err == nil && res != nil && res.Stop == agent.StopParked:
		r.talk.waits(res, r.again())
		return ErrWaits
	case err == nil:
		return nil
	case id == "": // the run did not start
		return r.settings.flagError(err)
	}
	if callwright.KindOf(err) == callwright.KindConflict {
		return fmt.Errorf("another process continues the run: %w", err)
	}
	// A stopped run and an invalid command line cannot be resumed.
	if _, stopped := errors.AsType[*agent.StopError](err); !stopped && callwright.KindOf(err) != callwright.KindInvalid && !r.asJSON {
		fmt.Fprintf(r.in.Err, "continue the run with: %s --resume %s\n", r.again(), id)
	}
	return err
}
