package config

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/config/internal/barename"
	"github.com/callwright/callwright/internal/config/internal/namepattern"
	"github.com/callwright/callwright/internal/errorkind"
	"github.com/callwright/callwright/internal/fitness"
	"github.com/callwright/callwright/internal/provider"
)

// A resolvedModel is a resolved model name: the provider/model with all settings that apply to it.
type resolvedModel struct {
	id       callwright.ModelID
	provider Provider
	settings Settings
	trail    []string          // the names from the requested name to the model
	group    fitness.Prefer    // the preference of the group that contains the model; "" if none
	leg      int               // the index of the model's group, or of the single model, in the fallback chain
	on       []errorkind.Class // for a fallback, the failures after which it is tried; nil for all
}

// find resolves a name through aliases to a model of a provider. For a group it returns the first member.
func (c *Config) find(name string) (*resolvedModel, error) {
	list, err := c.expand(name, 1)
	if err != nil {
		return nil, err
	}
	return list[0], nil
}

// members resolves a name through aliases to a model, or to the members of a group. Each model occurs once.
func (c *Config) members(name string) ([]*resolvedModel, error) { return c.expand(name, maxMembers) }

// maxMembers is the maximum number of members of a group, including the members of nested groups.
const maxMembers = 64

// expand resolves a name to its models: at least one, and no more than the limit most.
func (c *Config) expand(name string, most int) (out []*resolvedModel, err error) {
	var walk func(at string, trail []string, layers []*Settings, by fitness.Prefer) error
	walk = func(at string, trail []string, layers []*Settings, by fitness.Prefer) error {
		if slices.Contains(trail, at) {
			return fmt.Errorf("%s is a cycle: remove one of the references", strings.Join(append(trail, at), " -> "))
		}
		trail = append(slices.Clip(trail), at)
		m, ok := c.entry(at)
		if !ok || m.pattern() && (string(m.Model) == at || slices.Contains(m.Any, callwright.ModelID(at))) { // a pattern may match its own model
			return c.addModel(&out, at, trail, layers, by)
		}
		layers = append(slices.Clip(layers), &m.Settings)
		switch {
		case len(m.Any) > 0:
			by = cmp.Or(by, m.Prefer, fitness.Health)
			for _, next := range m.Any {
				if len(out) == most {
					break
				}
				if err := walk(string(next), trail, layers, by); err != nil {
					return err
				}
			}
			return nil
		case m.Model == "" || string(m.Model) == at:
			return c.addModel(&out, at, trail, layers, by)
		}
		return walk(string(m.Model), trail, layers, by)
	}
	err = walk(name, nil, nil, "")
	return out, err
}

// addModel appends the model at to out, unless out contains it already. trail has the names that led to the model.
// layers are the settings of the entries on the trail, the most specific first. by is the preference of the model's
// group.
func (c *Config) addModel(out *[]*resolvedModel, at string, trail []string, layers []*Settings, by fitness.Prefer) error {
	f := &resolvedModel{id: callwright.ModelID(at), trail: trail, group: by}
	p, err := c.providerOf(f.id)
	if err != nil {
		return err
	}
	if slices.ContainsFunc(*out, func(o *resolvedModel) bool { return o.id == f.id }) {
		return nil
	}
	f.provider, f.settings = p, p.Settings.over(&Settings{Modes: c.Experimental.modes(), CallRules: c.CallRules})
	f.settings.TransformSettings = p.TransformSettings.after(&c.TransformSettings)
	for _, named := range []bool{false, true} { // an entry for a whole name overrides a pattern
		for i := range c.Models {
			if m := &c.Models[i]; m.general() && m.targetName() == "" && m.hasWholeName() == named &&
				m.fits(f.id) && !slices.Contains(layers, &m.Settings) {
				f.settings = m.Settings.over(&f.settings)
			}
		}
	}
	for _, s := range slices.Backward(layers) {
		f.settings = s.over(&f.settings)
	}
	f.settings.Cache = cmp.Or(f.settings.Cache, c.Cache)
	*out = append(*out, f)
	return nil
}

// entry returns the entry of models for a name: the entry of that name, or the first pattern that matches and leads to
// another name. It returns false if there is none.
func (c *Config) entry(name string) (*Model, bool) {
	if m, ok := c.model(name); ok && (!m.general() || m.hasWholeName()) {
		return m, true
	}
	for i := range c.Models {
		if m := &c.Models[i]; m.pattern() && m.targetName() != "" && namepattern.Matches(m.Name, name) {
			return m, true
		}
	}
	return nil, false
}

// providerOf returns the provider of a model: a configured one, or a built-in one that needs no settings. An unknown
// provider is an error.
func (c *Config) providerOf(id callwright.ModelID) (Provider, error) {
	name, rest := id.Split()
	if name == "" || rest == "" {
		return Provider{}, &unknownName{c: c, id: id}
	}
	if p, ok := c.provider(name); ok {
		return *p, nil
	}
	switch row, ok := rowOf(name); {
	case ok && row.Base != "":
		return Provider{Name: name}, nil
	case ok && row.Template != "" && row.Cloud != provider.Azure:
		return Provider{}, fmt.Errorf("provider %q of %q is not configured: add it with providers: {%s: {}}", name, id, name)
	case ok:
		return Provider{}, fmt.Errorf("provider %q of %q needs an address: add it with providers: {%s: {base_url: ...}}", name, id, name)
	case name == SimulatorName:
		return Provider{}, fmt.Errorf("provider %q of %q is not configured: add the simulator with providers: {%s: {}}", name, id, name)
	}
	return Provider{}, &unknownName{c: c, id: id}
}

// modelNames returns the names of the entries of models that are for a single name.
func (c *Config) modelNames() []string {
	var names []string
	for i := range c.Models {
		if !c.Models[i].general() {
			names = append(names, c.Models[i].Name)
		}
	}
	return names
}

// providerNames returns the names of the usable providers: the configured ones, then the built-in ones that need no
// settings.
func (c *Config) providerNames() []string {
	var names []string
	for i := range c.Providers {
		names = append(names, c.Providers[i].Name)
	}
	for _, r := range provider.Rows() {
		if _, configured := c.provider(r.Name); r.Base != "" && !configured {
			names = append(names, r.Name)
		}
	}
	return names
}

// describeNames returns a description of the permitted model names, for errors.
func (c *Config) describeNames() string { return barename.DescribeNames(c.entries(), c.hosts()) }

func rowOf(name string) (provider.Row, bool) {
	for _, r := range provider.Rows() {
		if r.Name == name {
			return r, true
		}
	}
	return provider.Row{}, false
}

// chain returns the fallback chain of a name: its model or the members of its group, their fallbacks, and the fallbacks
// of the fallbacks. Each model occurs once. A cycle of fallbacks in entries for single names is an error. Cycles of
// fallbacks in providers and patterns are cut.
func (c *Config) chain(name string) ([]*resolvedModel, error) {
	out, err := c.members(name)
	if err != nil {
		return nil, err
	}
	leg := 0
	var add func(f *resolvedModel, way []string) error
	add = func(f *resolvedModel, way []string) error {
		way = slices.Concat(way, f.trail)
		for _, next := range f.settings.Fallbacks {
			list, err := c.members(string(next.Model))
			if err != nil {
				return err
			}
			leg++
			var more []*resolvedModel
			for _, to := range list {
				back := slices.ContainsFunc(to.trail, func(step string) bool { return slices.Contains(way, step) })
				if back && c.listsFallback(f, next.Model) {
					if len(way) > 1 && way[len(way)-1] == to.trail[0] {
						return fmt.Errorf("%s is already a model of %s: remove it from fallbacks", to.trail[0], way[0])
					}
					return fmt.Errorf("%s is a cycle: remove one of the references", strings.Join(append(way, to.trail...), " -> "))
				}
				if !back && !slices.ContainsFunc(out, func(o *resolvedModel) bool { return o.id == to.id }) {
					to.leg, to.on = leg, next.On
					more = append(more, to)
				}
			}
			out = append(out, more...)
			for _, to := range more {
				if err := add(to, way); err != nil {
					return err
				}
			}
		}
		return nil
	}
	for _, f := range slices.Clip(out) {
		if err := add(f, nil); err != nil {
			return out, err
		}
	}
	return out, nil
}

// listsFallback reports whether an entry that led to the model f lists the fallback next. If none does, the fallback is
// from the settings of a provider or a pattern.
func (c *Config) listsFallback(f *resolvedModel, next callwright.ModelID) bool {
	return slices.ContainsFunc(f.trail, func(step string) bool {
		m, ok := c.model(step)
		return ok && slices.Contains(m.Fallbacks.Models(), next)
	})
}

// pattern reports whether the entry's name is a pattern.
func (m *Model) pattern() bool { return strings.Contains(m.Name, "*") }

// targetName returns the model or alias that the entry leads to, the first member for a group, or "" for an entry that
// only contains settings.
func (m *Model) targetName() callwright.ModelID {
	if len(m.Any) > 0 {
		return m.Any[0]
	}
	return m.Model
}

// general reports whether the entry can apply to more than one model: its name is a pattern, or a model name without
// provider.
func (m *Model) general() bool {
	return m.pattern() || m.targetName() == "" && m.Name != "" && (m.anyProvider || !strings.Contains(m.Name, "/"))
}

// hasWholeName reports whether the entry is for the models of one name at any provider.
func (m *Model) hasWholeName() bool { return m.anyProvider && !m.pattern() }

// fits reports whether the settings of a general entry apply to a model. An entry's name without a provider matches the
// model's name with or without the path before it: llama-3.3-70b matches groq/meta-llama/llama-3.3-70b.
func (m *Model) fits(id callwright.ModelID) bool {
	if m.pattern() && namepattern.Matches(m.Name, string(id)) {
		return true
	}
	if m.anyProvider {
		return m.fitsBelow(string(id))
	}
	if strings.Contains(m.Name, "/") {
		return false
	}
	_, name := id.Split()
	last := name[strings.LastIndexByte(name, '/')+1:]
	if m.pattern() {
		return namepattern.Matches(m.Name, name) || namepattern.Matches(m.Name, last)
	}
	return strings.EqualFold(m.Name, name) || strings.EqualFold(m.Name, last)
}

// fitsBelow reports whether the entry's name matches name, or a part of name that follows one of its slashes.
func (m *Model) fitsBelow(name string) bool {
	for below := true; below; _, name, below = strings.Cut(name, "/") {
		if strings.EqualFold(m.Name, name) || m.pattern() && namepattern.Matches(m.Name, name) {
			return true
		}
	}
	return false
}
