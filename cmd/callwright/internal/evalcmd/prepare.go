package evalcmd

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/boundedfile"
	"github.com/callwright/callwright/internal/config"
	"github.com/callwright/callwright/internal/eval"
	"github.com/callwright/callwright/internal/eval/profile"
)

// prepare creates the measurement for the settings. It finds all errors of the settings before the first request.
func (in Input) prepare(ctx context.Context, s *settings) (*measurement, error) {
	m := &measurement{in: in, s: s, registries: registries{made: map[string]*config.Registry{}}}
	m.registries.m = m
	if err := s.applyComparison(); err != nil {
		return nil, in.Misuse(err)
	}
	m.isLive = s.isLive()
	if err := m.findModels(ctx); err != nil {
		return nil, err
	}
	for _, step := range []func() error{m.findScenarios, m.findSettings, m.together} {
		if err := step(); err != nil {
			return nil, in.Misuse(err)
		}
	}
	if m.isLive {
		return m, m.reachable()
	}
	return m, nil
}

// applyComparison sets the values to compare on the axis of --compare, such as policies.
func (s *settings) applyComparison() error {
	c := s.compare
	on := func(flag string, to *[]string) error {
		if s.told[flag] && !s.fromEnv[flag] {
			return fmt.Errorf("--%s and --compare %s exclude each other: the comparison sets these values", flag, c.axis)
		}
		*to = c.values
		return nil
	}
	switch c.axis {
	case "policy":
		return on("policy", &s.policies)
	case "mode":
		return on("mode", &s.modes)
	case "model":
		return on("model", &s.models)
	case "profile":
		for _, v := range c.values {
			if _, ok := profile.Lookup(v); !ok {
				return fmt.Errorf("--compare: no sampling profile %q: callwright eval --list shows them all", v)
			}
		}
		var list []string
		err := on("sampling-profile-filter", &list)
		s.sampling.profiles = strings.Join(list, ",")
		return err
	}
	return nil
}

// findModels sets the models that the evaluation measures.
func (m *measurement) findModels(ctx context.Context) (err error) {
	if !m.isLive {
		if m.targets, err = m.s.offlineTargets(); err != nil {
			return m.in.Misuse(fmt.Errorf("--model: %w", err))
		}
	} else {
		read, _, err := m.in.Config(ctx, m.s.config)
		if err != nil {
			return err
		}
		conf := *read
		if m.targets, err = m.s.liveTargets(&conf); err != nil {
			return m.in.Misuse(err)
		}
		m.s.connect(&conf, m.targets)
		m.conf = &conf
	}
	for _, t := range m.targets {
		if !slices.Contains(m.plan.Models, t.id) {
			m.plan.Models = append(m.plan.Models, t.id)
		}
	}
	return nil
}

// findScenarios sets the scenarios that the evaluation runs.
func (m *measurement) findScenarios() error {
	var own []eval.Scenario
	for _, name := range m.s.scenarioFiles {
		text, err := boundedfile.Read(name, eval.MaxScenarioFile)
		if err != nil {
			return fmt.Errorf("--scenario-file: %w", err)
		}
		list, err := eval.ParseScenarios(text)
		if err != nil {
			return fmt.Errorf("--scenario-file %s: %w", name, err)
		}
		own = append(own, list...)
	}
	names := m.s.scenarios
	list, err := eval.SelectScenarios(names, own)
	if err != nil {
		where := "--scenarios"
		if m.s.fromEnv["scenarios"] {
			where = prefix + "SCENARIOS"
		}
		return fmt.Errorf("%s: %w", where, err)
	}
	m.plan.Scenarios = list
	return nil
}

// findSettings sets the values of the other axes: profiles, modes and policies.
func (m *measurement) findSettings() error {
	s := m.s
	profiles, notes, err := profile.Select(s.sampling.profiles)
	if err != nil {
		where := "--sampling-profile-filter"
		if s.fromEnv["sampling-profile-filter"] {
			where = prefix + "SAMPLING_PROFILE_FILTER"
		}
		return fmt.Errorf("%s: %w", where, err)
	}
	s.notes = append(s.notes, notes...)
	for _, p := range profiles {
		m.plan.Profiles = append(m.plan.Profiles, p.ID)
	}
	m.plan.Modes, m.plan.Policies, m.plan.Trials, m.plan.Seed = s.modes, s.policies, s.trials, s.seed
	if len(m.plan.Modes) == 0 {
		m.plan.Modes = []string{"auto"}
	}
	if s.matrix {
		m.plan.Modes = matrix(m.plan.Modes)
	}
	if len(m.targets) < 2 {
		had := len(m.plan.Modes)
		m.plan.Modes = slices.DeleteFunc(slices.Clone(m.plan.Modes),
			func(mode string) bool { return strings.HasSuffix(mode, "+"+string(fallbackNext)) })
		if len(m.plan.Modes) == 0 {
			return errors.New("--mode: +next needs another model: name two or more models")
		}
		if len(m.plan.Modes) < had {
			s.note("+next is left out: there is no other model")
		}
	}
	return nil
}

// together returns an error for flags that exclude each other.
func (m *measurement) together() error {
	out := &m.s.out
	switch {
	case out.trace && out.state == "":
		return errors.New("--trace: there is no folder for the traces: name one with --state")
	case out.trace && strings.HasPrefix(out.state, OnNATS):
		return errors.New("--trace: traces are files: expected a folder in --state, got NATS")
	case out.feed && !m.isLive:
		return errors.New("--feed: expected a live run: an offline run has no facts about real models")
	case m.s.compare.axis != "" && m.s.matrix && m.s.compare.axis == "mode":
		return errors.New("--compare mode and --fallback-matrix exclude each other: name the modes with their fallbacks, such as mode=auto+none,auto+modes")
	}
	const most = 10_000_000
	n := len(m.plan.Models) * len(m.plan.Modes) * max(len(m.plan.Policies), 1) * len(m.plan.Profiles) * len(m.plan.Scenarios)
	if n > most/m.plan.Trials {
		return fmt.Errorf("expected at most %d trials in all, got %d combinations with %d each", most, n, m.plan.Trials)
	}
	return nil
}

// reachable returns an error for a model whose provider cannot be used, such as without a key.
func (m *measurement) reachable() error {
	cells := m.plan.Cells()
	registry, err := m.registries.of(cells[0])
	if err != nil {
		return m.in.Misuse(err)
	}
	for at := range m.targets {
		if _, err := registry.Direct(alias(at)); err != nil {
			if e, ok := errors.AsType[*callwright.Error](err); ok && e.Message != "" && e.Err == nil {
				err = errors.New(e.Message)
			}
			return m.in.Misuse(fmt.Errorf("%s cannot be used: %w", m.targets[at].id, err))
		}
	}
	return nil
}

// header returns the identification of the run. Runs that differ in any setting that affects results have different
// headers and cannot be combined.
func (m *measurement) header() eval.Header {
	h := m.plan.Header(m.in.Build, m.isLive)
	s := m.s
	sum := sha256.New()
	fmt.Fprintf(sum, "%s %+v %+v %v", h.Plan, s.sampling, s.agent, s.out.strict)
	if m.isLive {
		r := s.remote
		fmt.Fprintf(sum, "%s %s %v %v %v %v %v %+v", r.url(), r.route, r.transforms, r.noTransforms, r.only, r.order, r.ignore, m.presets())
	}
	h.Plan = hex.EncodeToString(sum.Sum(nil)[:16])
	return h
}
