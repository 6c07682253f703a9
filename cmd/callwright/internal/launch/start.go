package launch

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/cmd/callwright/internal/listen"
	"github.com/callwright/callwright/internal/config"
)

// A Start starts an agent on the models of a gateway: the gateway that runs at an address, or a new one.
type Start struct {
	Agent    Agent
	Roles    map[Role]string // models by role, as ParseRoles gives them
	Args     []string        // for the agent
	Config   *config.Config
	Registry *config.Registry // for Plan alone
	Listen   string           // the gateway's address, as host:port
	Key      string           // that a gateway of the configuration takes; the environment's stands in its place
	Folder   string           // of sessions; it may not exist yet
	Log      string           // the file of the log of a gateway that is started here
	Trace    string           // of a gateway that is started here, as people write it; empty for that of the configuration
	Verbose  bool             // prints all that was set
	Env      func(name string) (value string, ok bool)
	In       io.Reader
	Out, Err io.Writer
	// Serve starts a gateway at Listen. It accepts no new requests once ctx ends; wait returns when those in flight have
	// ended.
	Serve func(ctx context.Context) (address string, wait func(), err error)

	key     string
	gateway *Gateway
	address string // at which the agent reaches it, where that is another
	runs    bool   // the gateway runs already
	session string
	models  Models
}

// A MisuseError describes a wrong argument.
type MisuseError struct{ Err error }

func (e *MisuseError) Error() string { return e.Err.Error() }

func (e *MisuseError) Unwrap() error { return e.Err }

// Plan returns all that a start needs. It changes nothing.
func (s *Start) Plan(ctx context.Context) (*Plan, error) {
	s.session = NewFolder(s.Folder)
	if err := s.Agent.Takes(s.Roles); err != nil {
		return nil, &MisuseError{err}
	}
	if s.key, _ = s.Env(KeyVariable); s.key == "" {
		s.key = s.Key
	}
	var err error
	if s.cert() != "" {
		if _, err := listen.Stat("server.tls.cert", s.cert()); err != nil {
			return nil, &MisuseError{err}
		}
	}
	if s.gateway, err = NewGateway(s.Listen, s.key, s.cert()); err != nil {
		return nil, err
	}
	if s.runs, err = s.gateway.Runs(ctx); err != nil {
		if errors.Is(err, ErrStranger) {
			err = listen.InUse(ctx, s.Listen)
		}
		return nil, &MisuseError{err}
	}
	if err := s.assign(ctx); err != nil {
		return nil, &MisuseError{err}
	}
	if s.runs && s.Trace != "" {
		return nil, &MisuseError{fmt.Errorf("the gateway at %s runs already and has its own trace: leave --trace out, or use another port by --listen", s.gateway.Address)}
	}
	p, err := s.plan()
	if err != nil {
		return nil, &MisuseError{err}
	}
	if found, ok := s.Agent.Find(ctx); ok {
		p.Program, p.Version = found.Path, found.Version
	} else {
		p.Install = s.Agent.Install()
	}
	return p, nil
}

// cert returns the file of the gateway's certificate, "" for none.
func (s *Start) cert() string { return string(s.Config.Server.TLS.Cert) }

// plan returns the plan for the address of the gateway.
func (s *Start) plan() (*Plan, error) {
	p, err := NewPlan(s.Agent, Target{
		Address: cmp.Or(s.address, s.gateway.Address), Key: s.key, Models: s.models, Folder: s.session, ReadFile: os.ReadFile, Env: s.Env,
	}, s.Args)
	if err == nil {
		p.Runs, p.Gateway = s.runs, s.gateway.Address
	}
	return p, err
}

// Run executes a plan and returns the exit status of the agent.
func (s *Start) Run(ctx context.Context, planned *Plan) (status int, err error) {
	if planned.Install != "" {
		return 0, s.NotInstalled()
	}
	s.sweep(ctx)
	detach, err := s.attach(context.WithoutCancel(ctx)) // the gateway goes on until the agent ended
	if err != nil {
		return 0, err
	}
	defer detach()
	if s.cert() != "" {
		var end func()
		if s.address, end, err = s.gateway.forward(ctx); err != nil {
			return 0, err
		}
		defer end()
	}
	p, err := s.plan()
	if err != nil {
		return 0, err
	}
	p.Program, p.Version = planned.Program, planned.Version
	end, err := s.write(ctx, p)
	if err != nil {
		return 0, err
	}
	defer end()
	s.announce(p)
	return p.Process(os.Environ(), s.In, s.Out, s.Err).Run(ctx)
}

// NotInstalled returns the error of an agent that is not installed. It names the command that installs the agent.
func (s *Start) NotInstalled() error {
	return &MisuseError{fmt.Errorf("%s is not installed: %s", s.Agent.Title, s.Agent.Install())}
}

// assign gives each role its model, which the gateway must have.
func (s *Start) assign(ctx context.Context) error {
	s.models = Models{}
	for _, r := range Roles() {
		name := s.Roles[r]
		if r == RoleMain {
			name = cmp.Or(name, firstAlias(s.Config))
		}
		switch {
		case name == "" && r == RoleMain:
			return fmt.Errorf("which model? --model names it; %s", s.offers(ctx))
		case name == "":
			continue
		}
		full, err := s.fullName(ctx, name)
		if err != nil {
			return fmt.Errorf("--model %s: %w (%s)", name, err, s.aside(ctx, name, err))
		}
		s.models[r] = s.lookUpModel(ctx, full)
	}
	return nil
}

// firstAlias returns the first name of the configuration that stands for a model.
func firstAlias(conf *config.Config) string {
	for i := range conf.Models {
		if m := &conf.Models[i]; (m.Model != "" || len(m.Any) > 0) && !strings.Contains(m.Name, "*") {
			return m.Name
		}
	}
	return ""
}

// fullName returns the gateway's name of a model. The error has the reason for which the gateway cannot ask the model.
func (s *Start) fullName(ctx context.Context, name string) (string, error) {
	if s.runs {
		return name, s.gateway.Check(ctx, name)
	}
	return s.Registry.FullName(name)
}

// aside explains why a model cannot be asked: the gateway that runs was started with another configuration, which has
// no such model, or else there are other models.
func (s *Start) aside(ctx context.Context, name string, refused error) string {
	if _, ok := errors.AsType[unknownModel](refused); ok {
		if _, err := s.Registry.FullName(name); err == nil {
			return "the configuration has it, but the gateway that runs at " + s.gateway.Address +
				" uses another: stop or reload that one, or use another port by --listen"
		}
	}
	return s.offers(ctx)
}

// offered is the most models that an error lists.
const offered = 12

// offers returns a sentence that lists the available models.
func (s *Start) offers(ctx context.Context) string {
	var names []string
	if s.runs {
		var err error
		if names, err = s.gateway.Models(ctx); err != nil {
			return err.Error()
		}
	} else {
		for _, id := range s.Registry.List(ctx) {
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

// lookUpModel returns a model with its known sizes.
func (s *Start) lookUpModel(ctx context.Context, name string) Model {
	m := Model{Name: name}
	for _, card := range s.Registry.Cards(ctx, callwright.ModelID(name)) {
		m.Context, m.Output = numberOf(card.Facts["max_context"]), numberOf(card.Facts["max_output"])
	}
	return m
}

// numberOf reads the value of a fact, which has its source behind it.
func numberOf(fact string) int {
	value, _, _ := strings.Cut(fact, " ")
	n, err := strconv.Atoi(value)
	if err != nil {
		return 0
	}
	return n
}

// sweep removes the files of killed sessions.
func (s *Start) sweep(ctx context.Context) {
	swept, err := Sweep(ctx, s.Folder)
	for _, folder := range swept {
		fmt.Fprintf(s.Err, "removed %s, which a start left that was killed\n", folder)
	}
	if err != nil {
		fmt.Fprintf(s.Err, "what a start left that was killed is still there: %v\n", err)
	}
}

// unwritable returns the error of a state folder in which no file can be made.
func unwritable(err error) error {
	return fmt.Errorf("%w: name a folder that can be written by --state", err)
}

// write writes the files of a plan, if it has any. end removes them.
func (s *Start) write(ctx context.Context, p *Plan) (end func(), err error) {
	if len(p.setup.Files) == 0 {
		return func() {}, nil
	}
	session, err := Begin(ctx, s.session)
	if err != nil {
		return nil, unwritable(err)
	}
	end = func() {
		if err := session.End(); err != nil {
			fmt.Fprintf(s.Err, "the files of the session are still there: %v\n", err)
		}
	}
	if err := session.Write(p.setup.Files); err != nil {
		return nil, errors.Join(unwritable(err), session.End())
	}
	return end, nil
}
