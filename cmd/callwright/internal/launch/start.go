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

// A Start contains the inputs to start an agent with a running gateway or a new one.
type Start struct {
	Agent    Agent
	Roles    map[Role]string // model names by role, see ParseRoles
	Args     []string        // arguments for the agent
	Config   *config.Config
	Registry *config.Registry // used only by Plan
	Listen   string           // host:port of the gateway
	Key      string           // key from the configuration; KeyVariable takes precedence
	Folder   string           // folder of the sessions; may not exist yet
	Log      string           // log file for a gateway that is started
	Trace    string           // trace of a gateway that is started; empty: as configured
	Verbose  bool             // print all settings
	Env      func(name string) (value string, ok bool)
	In       io.Reader
	Out, Err io.Writer
	// Serve starts a gateway at Listen. When ctx is done, it accepts no new requests; wait returns when the running
	// requests have finished.
	Serve func(ctx context.Context) (address string, wait func(), err error)

	key     string
	gateway *Gateway
	address string // URL for the agent, if different from the gateway's
	runs    bool   // the gateway is already running
	session string
	models  Models
}

// A MisuseError is the error of an invalid argument.
type MisuseError struct{ Err error }

func (e *MisuseError) Error() string { return e.Err.Error() }

func (e *MisuseError) Unwrap() error { return e.Err }

// Plan returns the plan of the start. It has no side effects on the machine.
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
		return nil, &MisuseError{fmt.Errorf("the gateway at %s already runs and has its own trace: omit --trace, or use another port with --listen", s.gateway.Address)}
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

// cert returns the TLS certificate file of the gateway, "" for none.
func (s *Start) cert() string { return string(s.Config.Server.TLS.Cert) }

// plan returns the plan for the current address of the gateway.
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
	detach, err := s.attach(context.WithoutCancel(ctx)) // the gateway outlives ctx until the agent has ended
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

// NotInstalled returns the error for an agent that is not installed, with the command to install it.
func (s *Start) NotInstalled() error {
	return &MisuseError{fmt.Errorf("%s is not installed: install it with %s", s.Agent.Title, s.Agent.Install())}
}

// assign sets the model of each role. A model that the gateway does not have is an error.
func (s *Start) assign(ctx context.Context) error {
	s.models = Models{}
	for _, r := range Roles() {
		name := s.Roles[r]
		if r == RoleMain {
			name = cmp.Or(name, firstAlias(s.Config))
		}
		switch {
		case name == "" && r == RoleMain:
			return fmt.Errorf("no model is named: name one with --model; %s", s.offers(ctx))
		case name == "":
			continue
		}
		full, err := s.fullName(ctx, name)
		if err != nil {
			return fmt.Errorf("--model %s: %w (%s)", name, err, s.explainUnavailable(ctx, name, err))
		}
		s.models[r] = s.lookUpModel(ctx, full)
	}
	return nil
}

// firstAlias returns the first model name in the configuration that is an alias, "" if there is none.
func firstAlias(conf *config.Config) string {
	for i := range conf.Models {
		if m := &conf.Models[i]; (m.Model != "" || len(m.Any) > 0) && !strings.Contains(m.Name, "*") {
			return m.Name
		}
	}
	return ""
}

// fullName returns the gateway's name of a model. The error explains why the model is not available.
func (s *Start) fullName(ctx context.Context, name string) (string, error) {
	if s.runs {
		return name, s.gateway.Check(ctx, name)
	}
	return s.Registry.FullName(name)
}

// explainUnavailable returns a sentence about an unavailable model: that the running gateway has another configuration,
// or which models are available.
func (s *Start) explainUnavailable(ctx context.Context, name string, refused error) string {
	if _, ok := errors.AsType[unknownModel](refused); ok {
		if _, err := s.Registry.FullName(name); err == nil {
			return "the configuration has it, but the gateway at " + s.gateway.Address +
				" uses another configuration: stop or reload that gateway, or use another port with --listen"
		}
	}
	return s.offers(ctx)
}

// offered is the maximum number of models in an error message.
const offered = 12

// offers returns a sentence that lists the models of the gateway.
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

// lookUpModel returns a model with its known context and output limits.
func (s *Start) lookUpModel(ctx context.Context, name string) Model {
	m := Model{Name: name}
	for _, card := range s.Registry.Cards(ctx, callwright.ModelID(name)) {
		m.Context, m.Output = numberOf(card.Facts["max_context"]), numberOf(card.Facts["max_output"])
	}
	return m
}

// numberOf parses the number at the start of a fact, such as 128000 in "128000 (shipped)"; 0 if there is none.
func numberOf(fact string) int {
	value, _, _ := strings.Cut(fact, " ")
	n, err := strconv.Atoi(value)
	if err != nil {
		return 0
	}
	return n
}

// sweep removes the files of killed sessions and prints their folders.
func (s *Start) sweep(ctx context.Context) {
	swept, err := Sweep(ctx, s.Folder)
	for _, folder := range swept {
		fmt.Fprintf(s.Err, "removed %s, left by a callwright launch that was killed\n", folder)
	}
	if err != nil {
		fmt.Fprintf(s.Err, "files of a callwright launch that was killed were not removed: %v\n", err)
	}
}

// unwritable returns the error for a state folder that is not writable.
func unwritable(err error) error {
	return fmt.Errorf("%w: name a writable folder with --state", err)
}

// write writes the files of a plan. The caller must call end, which removes them.
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
			fmt.Fprintf(s.Err, "the temporary files were not removed: %v\n", err)
		}
	}
	if err := session.Write(p.setup.Files); err != nil {
		return nil, errors.Join(unwritable(err), session.End())
	}
	return end, nil
}
