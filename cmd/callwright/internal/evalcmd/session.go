package evalcmd

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/agent"
	"github.com/callwright/callwright/internal/config"
	"github.com/callwright/callwright/internal/eval"
	"github.com/callwright/callwright/internal/eval/profile"
	"github.com/callwright/callwright/internal/provider"
	"github.com/callwright/callwright/simulate"
)

// A measurement is one evaluation run of the command callwright eval.
type measurement struct {
	in      Input
	s       *settings
	isLive  bool
	conf    *config.Config // of a live run
	targets []target
	plan    eval.Plan

	// Set when the run has ended:
	cells int // number of trials in the plan
	kept  int // number of results in the queue

	registries registries
	sizes      sizes
}

// open returns the session for a cell, which is one trial of a model with a scenario.
func (m *measurement) open(_ context.Context, t eval.Task) (*eval.Session, error) {
	at := slices.IndexFunc(m.targets, func(o target) bool { return o.id == t.Cell.Model })
	if at < 0 {
		return nil, fmt.Errorf("no model %s in this run", t.Cell.Model)
	}
	p, ok := profile.Lookup(t.Cell.Profile)
	if !ok {
		return nil, fmt.Errorf("no sampling profile %s", t.Cell.Profile)
	}
	if m.s.sampling.enforce && !p.For(m.targets[at].listed) {
		return &eval.Session{Skip: "the sampling profile " + p.ID + " does not apply to " + string(t.Cell.Model)}, nil
	}
	if m.isLive {
		return m.live(t, at)
	}
	return m.offline(t, at)
}

// Providers of an offline run: of a cell's model, and of its fallback model.
const (
	simulator     = config.SimulatorName
	nextSimulator = simulator + "-next"
	// simulatorURL is not reachable: the requests are handled in this process.
	simulatorURL = "http://simulator.invalid/v1"
	// simulatorSilence is the timeout of simulated responses: enough for a busy machine, and short for stalled faults.
	simulatorSilence = 10 * time.Second
)

// offline returns the session of a cell with a simulated model. at is the index of the model.
func (m *measurement) offline(t eval.Task, at int) (*eval.Session, error) {
	entry, err := m.entry(at, t.Cell)
	if err != nil {
		return nil, err
	}
	limits := config.Settings{BoundSettings: config.BoundSettings{Timeouts: config.Timeouts{FirstByte: simulatorSilence,
		BetweenBytes: simulatorSilence}}}
	conf := &config.Config{Discover: provider.DiscoverOff, Models: config.Models{entry}}
	for _, name := range []string{simulator, nextSimulator} {
		conf.Providers = append(conf.Providers, config.Provider{Name: name, Wire: callwright.WireOpenAI, BaseURL: simulatorURL, Settings: limits})
	}
	played := map[string]http.RoundTripper{
		simulator:     playedFor(t, m.targets[at]),
		nextSimulator: playedFor(t, m.targets[(at+1)%len(m.targets)]),
	}
	size := m.sizes.begin(t.Cell)
	around := func(name string, spoken callwright.WireName, _ http.RoundTripper) http.RoundTripper {
		sized := &sizedTransport{played[name], size}
		if t.Trace == nil {
			return sized
		}
		return t.Trace.Transport(sized, endpointOf(name, spoken))
	}
	registry, err := config.NewRegistry(conf, config.WithEnv(func(string) (string, bool) { return "", false }),
		config.WithTransport(around), config.WithIDs(t.Cell.IDs()))
	if err != nil {
		return nil, err
	}
	client, err := registry.Resolve(entry.Name)
	if err != nil {
		registry.Close()
		return nil, err
	}
	return &eval.Session{Model: client, Options: m.options(t.Scenario), Close: registry.Close}, nil
}

// playedFor returns the HTTP transport that simulates a model for one trial.
func playedFor(t eval.Task, of target) http.RoundTripper {
	if of.fault.Name == "" {
		return eval.Offline(t.Cell, t.Scenario, of.mix)
	}
	return simulate.NewTransport(simulate.New(faulty(of.fault, t.Scenario), simulate.WithMix(simulate.Mix{}, t.Cell.Seed)))
}

// faulty returns a scenario's script with a fault in every response. A fault that is not steady is absent after a
// correction.
func faulty(fault simulate.Fault, s *eval.Scenario) simulate.Script {
	script, name := s.Script(), strings.Join(append([]string{fault.Name}, fault.Options...), "-")
	steady := slices.ContainsFunc(simulate.Faults(), func(f simulate.FaultInfo) bool { return f.Model() == name && f.Steady })
	return func(req simulate.Seen) simulate.Turn {
		turn := script(req)
		if turn.Fault.Name == "" && (steady || !req.IsCorrection()) {
			turn.Fault = fault
		}
		return turn
	}
}

// alias returns the name of a model in the run's configurations. The space excludes conflicts with client names.
func alias(at int) string { return "measured " + strconv.Itoa(at) }

// entry returns the configuration entry of the model with index at for a trial.
func (m *measurement) entry(at int, c eval.Cell) (config.Model, error) {
	t := m.targets[at]
	modes, with, err := parseMode(c.Mode)
	if err != nil {
		return config.Model{}, err
	}
	policy, err := callwright.ParsePolicy(c.Policy)
	if err != nil {
		return config.Model{}, err
	}
	e := config.Model{Name: alias(at), Model: t.model, Settings: config.Settings{Modes: config.Modes(modes), Policy: policy}}
	if len(modes) == 0 && t.preset.Mode != "" {
		e.Modes = config.Modes{t.preset.Mode}
	}
	e.Named = t.preset.Transforms
	if m.s.agent.textCalls {
		e.Named = append(slices.Clone(e.Named), "content_tag_tool_call_fallback")
	}
	m.fallBack(&e.Settings, with, at)
	if e.Params, e.Request, err = m.params(t, c.Profile); err != nil {
		return config.Model{}, err
	}
	return e, nil
}

// fallBack sets the modes and models that a trial may fall back on.
func (m *measurement) fallBack(s *config.Settings, with fallback, at int) {
	yes, no := true, false
	switch with {
	case fallbackOwn:
	case fallbackNone:
		s.RetryOtherMode, s.Fallbacks = &no, config.FallbacksTo()
		if !m.s.agent.textCalls {
			s.ExpectTextCalls = &no
		}
	case fallbackModes:
		s.RetryOtherMode, s.ExpectTextCalls, s.Fallbacks = &yes, &yes, config.FallbacksTo()
	case fallbackNext:
		next := m.targets[(at+1)%len(m.targets)].model
		if !m.isLive {
			_, name := next.Split()
			next = nextSimulator + "/" + callwright.ModelID(name)
		}
		s.RetryOtherMode, s.ExpectTextCalls, s.Fallbacks = &yes, &yes, config.FallbacksTo(next)
	}
}

// params returns the sampling parameters and other request members for a model. Later sources override earlier ones:
// the preset, the profile, the defaults, and the overriding settings.
func (m *measurement) params(t target, id string) (config.Params, config.Members, error) {
	p, _ := profile.Lookup(id)
	all := presetParams(t.preset)
	for _, own := range p.Params {
		all = append(all, param{own.Name, own.Value})
	}
	var params config.Params
	var members config.Members
	for _, one := range slices.Concat(all, m.s.sampling.defaults, m.s.sampling.said) {
		if one.isNeutral() {
			params = append(params, config.Param{Name: one.name, Value: one.value})
			continue
		}
		more, err := membersOf(one)
		if err != nil {
			return nil, nil, err
		}
		members = append(members, more...)
	}
	for _, one := range m.s.sampling.request {
		more, err := membersOf(one)
		if err != nil {
			return nil, nil, err
		}
		members = append(members, more...)
	}
	return params, members, nil
}

// options returns the agent options that the scenario does not set itself.
func (m *measurement) options(s *eval.Scenario) []agent.Option {
	a := &m.s.agent
	opts := []agent.Option{agent.WithFallbackRetries(a.retries), agent.WithUnreliable()}
	if a.failures != "" {
		opts = append(opts, agent.WithFailures(a.failures))
	}
	if !a.fixEmpty {
		opts = append(opts, agent.WithEmptyFinal(agent.EmptyFinal{Off: true}))
	}
	if a.mode != "" && (a.mode != agent.ModeEnforced || expectsCalls(s)) {
		opts = append(opts, agent.WithMode(a.mode))
	}
	if a.allow != nil && s.Workspace != nil {
		allow := slices.Clone(a.allow)
		for i := range s.Tools {
			allow = append(allow, s.Tools[i].Name)
		}
		for _, c := range s.Expect.Calls {
			if !m.s.told["tool-allowlist"] {
				allow = append(allow, c.Name)
			}
		}
		opts = append(opts, agent.WithAllowed(allow...))
	}
	return opts
}

// expectsCalls reports whether a scenario requires a tool call.
func expectsCalls(s *eval.Scenario) bool {
	return slices.ContainsFunc(s.Expect.Calls, func(c eval.ExpectedCall) bool { return !c.Optional })
}

// routing returns the request members for OpenRouter's provider routing.
func (s *settings) routing() (out config.Members) {
	add := func(value any, path ...string) {
		b, err := json.Marshal(value)
		if err != nil {
			panic("evalcmd: " + err.Error()) // impossible: values are strings and lists of strings
		}
		out = append(out, callwright.Edit{Path: path, Value: b})
	}
	r := &s.remote
	if r.route != "" {
		add(r.route, "route")
	}
	if r.noTransforms || len(r.transforms) > 0 {
		add(append([]string{}, r.transforms...), "transforms")
	}
	for _, o := range []struct {
		name  string
		hosts []string
	}{{"only", r.only}, {"order", r.order}, {"ignore", r.ignore}} {
		if len(o.hosts) > 0 {
			add(o.hosts, "provider", o.name)
		}
	}
	return out
}
