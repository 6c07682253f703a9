package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/cmd/callwright/launch"
	"github.com/callwright/callwright/config"
	"github.com/callwright/callwright/internal/jsonx"
)

// An agentStart is one start of an agent.
type agentStart struct {
	app      *app
	command  *launchCommand
	agent    launch.Agent
	conf     *config.Config
	registry *config.Registry
	address  string // that the gateway listens at
	key      string
	gateway  *launch.Gateway
	runs     bool // the gateway runs already
	folder   string
	models   launch.Models
}

// open finds out all that a start needs and changes nothing.
func (l *launchCommand) open(ctx context.Context, a *app, agent launch.Agent, roles map[launch.Role]string) (*agentStart, error) {
	conf, hint, err := a.config(ctx, l.config)
	if err != nil {
		return nil, err
	}
	s := &agentStart{app: a, command: l, agent: agent, conf: conf}
	address, keys, err := conf.Access(l.listen, a.env)
	if err != nil {
		return nil, misuseError{err}
	}
	s.address = address
	if s.key, _ = a.env(keyVariable); s.key == "" && len(keys) > 0 {
		s.key = keys[0]
	}
	if s.folder, err = l.folder(conf); err != nil {
		return nil, err
	}
	if s.gateway, err = launch.NewGateway(address, s.key); err != nil {
		return nil, err
	}
	if s.runs, err = s.gateway.Runs(ctx); err != nil {
		return nil, fmt.Errorf("%w: --listen names another address", err)
	}
	if s.registry, err = config.NewRegistry(conf, config.WithEnv(a.env)); err != nil {
		return nil, err
	}
	if err := s.assign(ctx, roles); err != nil {
		s.close()
		return nil, err
	}
	if hint != "" && !s.runs {
		fmt.Fprintln(a.std.err, hint)
	}
	return s, nil
}

func (s *agentStart) close() { s.registry.Close() }

// keyVariable has the key that agents are given.
const keyVariable = "CALLWRIGHT_KEY"

// assign gives each role its model, which the gateway must have.
func (s *agentStart) assign(ctx context.Context, roles map[launch.Role]string) error {
	if roles[launch.RoleMain] == "" {
		name := firstAlias(s.conf)
		if name == "" {
			return misuseError{fmt.Errorf("which model? --model names it; %s", s.offers(ctx))}
		}
		roles[launch.RoleMain] = name
	}
	s.models = launch.Models{}
	for _, r := range launch.Roles() {
		name := roles[r]
		if name == "" {
			continue
		}
		if err := s.check(ctx, name); err != nil {
			return misuseError{fmt.Errorf("--model %s: %w; %s", name, err, s.offers(ctx))}
		}
		s.models[r] = s.sized(ctx, name)
	}
	return nil
}

// firstAlias is the first name of the configuration that stands for a model.
func firstAlias(conf *config.Config) string {
	for i := range conf.Models {
		if m := &conf.Models[i]; m.Model != "" && !strings.Contains(m.Name, "*") {
			return m.Name
		}
	}
	return ""
}

// check says in an error why the gateway cannot ask a model.
func (s *agentStart) check(ctx context.Context, name string) error {
	if s.runs {
		return s.gateway.Check(ctx, name)
	}
	_, err := s.registry.Resolve(name)
	return err
}

// offered is how many models an error names.
const offered = 12

// offers says which models there are.
func (s *agentStart) offers(ctx context.Context) string {
	var names []string
	if s.runs {
		var err error
		if names, err = s.gateway.Models(ctx); err != nil {
			return err.Error()
		}
	} else {
		for _, id := range s.registry.List(ctx) {
			names = append(names, string(id))
		}
	}
	names = slices.DeleteFunc(names, func(name string) bool { return strings.HasPrefix(name, config.SimulatorName+"/") })
	if len(names) == 0 {
		return "there are only simulated models, such as " + config.SimulatorName + "/native"
	}
	shown := strings.Join(names[:min(len(names), offered)], ", ")
	if more := len(names) - offered; more > 0 {
		shown += fmt.Sprintf(" and %d more: callwright models lists them", more)
	}
	return "there are " + shown
}

// sized is a model with what is known of its sizes.
func (s *agentStart) sized(ctx context.Context, name string) launch.Model {
	m := launch.Model{Name: name}
	for _, card := range s.registry.Cards(ctx, callwright.ModelID(name)) {
		m.Context, m.Output = numberOf(card.Facts["max_context"]), numberOf(card.Facts["max_output"])
	}
	return m
}

// numberOf reads the value of a fact that has its source behind it.
func numberOf(fact string) int {
	value, _, _ := strings.Cut(fact, " ")
	n, err := strconv.Atoi(value)
	if err != nil {
		return 0
	}
	return n
}

// plan returns what is to be done, at the address that the gateway has.
func (s *agentStart) plan(args []string) (*launch.Plan, error) {
	p, err := launch.NewPlan(s.agent, launch.Target{
		Address: s.gateway.Address, Key: s.key, Models: s.models, Folder: launch.FolderOf(s.folder), ReadFile: os.ReadFile, Env: s.app.env,
	}, args)
	if err == nil {
		p.Runs = s.runs
	}
	return p, err
}

// run starts the agent, or says what it would do.
func (s *agentStart) run(ctx context.Context, args []string) error {
	found, installed := s.agent.Find(ctx)
	if s.command.dryRun {
		return s.tell(found, installed, args)
	}
	if !installed {
		return misuseError{fmt.Errorf("%s is not installed: %s", s.agent.Title, s.agent.Install())}
	}
	s.sweep(ctx)
	if !s.runs {
		stop, err := s.serve(context.WithoutCancel(ctx)) // it goes on until the agent ended
		if err != nil {
			return err
		}
		defer stop()
	}
	p, err := s.plan(args)
	if err != nil {
		return err
	}
	p.Found(found)
	end, err := s.write(ctx, p)
	if err != nil {
		return err
	}
	defer end()
	p.PrintShort(s.app.std.err)
	status, err := p.Process(os.Environ(), s.app.std.in, s.app.std.out, s.app.std.err).Run(ctx)
	if err != nil || status == 0 {
		return err
	}
	return agentExit(status)
}

// tell prints the plan.
func (s *agentStart) tell(found launch.Installed, installed bool, args []string) error {
	p, err := s.plan(args)
	if err != nil {
		return err
	}
	if installed {
		p.Found(found)
	} else {
		p.Missing()
	}
	if s.command.asJSON {
		return jsonx.WriteLine(s.app.std.out, p)
	}
	p.Print(s.app.std.out)
	return nil
}

// sweep removes what starts left that were killed.
func (s *agentStart) sweep(ctx context.Context) {
	swept, err := launch.Sweep(ctx, s.folder)
	for _, folder := range swept {
		fmt.Fprintf(s.app.std.err, "removed %s, which a start left that was killed\n", folder)
	}
	if err != nil {
		fmt.Fprintf(s.app.std.err, "what a start left that was killed is still there: %v\n", err)
	}
}

// write writes the files of a plan, if it has any. They are removed by the function that it returns.
func (s *agentStart) write(ctx context.Context, p *launch.Plan) (end func(), err error) {
	if len(p.Files()) == 0 {
		return func() {}, nil
	}
	session, err := launch.Begin(ctx, s.folder)
	if err != nil {
		return nil, err
	}
	end = func() {
		if err := session.End(); err != nil {
			fmt.Fprintf(s.app.std.err, "callwright: %v\n", err)
		}
	}
	if err := session.Write(p.Files()); err != nil {
		end()
		return nil, err
	}
	return end, nil
}

// serve starts a gateway in this process and waits until it listens. It is ended by the function that it returns.
func (s *agentStart) serve(ctx context.Context) (stop func(), err error) {
	log := io.Writer(io.Discard)
	closeLog := func() error { return nil }
	if s.command.log != "" {
		f, err := os.OpenFile(s.command.log, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			return nil, err
		}
		log, closeLog = f, f.Close
	}
	ctx, cancel := context.WithCancel(ctx)
	listens, done := make(chan net.Addr, 1), make(chan error, 1)
	gateway := &serveCommand{
		config: s.command.config, listen: s.address, log: serveLog{level: "info", format: "text"},
		listening: func(at net.Addr) { listens <- at },
	}
	go func() {
		done <- gateway.run(ctx, &app{std: streams{in: strings.NewReader(""), out: log, err: log}, env: s.app.env})
	}()
	stop = func() {
		cancel()
		if err := errors.Join(<-done, closeLog()); err != nil {
			fmt.Fprintf(s.app.std.err, "callwright: the gateway: %v\n", err)
		}
	}
	select {
	case at := <-listens:
		s.gateway, err = launch.NewGateway(at.String(), s.key)
		return stop, err
	case err := <-done:
		cancel()
		return nil, errors.Join(err, closeLog())
	}
}
