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

// A found is the resolution of a name: the provider, the model's name there, and all settings that hold.
type found struct {
	id       callwright.ModelID
	provider Provider
	settings Settings
	trail    []string          // the names on the way, the one asked for first
	group    fitness.Prefer    // what decides about the order of the group that it is a member of, "" for a model alone
	leg      int               // its place in a chain of groups and models alone
	on       []errorkind.Class // after which failures it is tried, as a fallback; nil for all
}

// find follows aliases from a name to a model of a provider, of a group to its first member.
func (c *Config) find(name string) (*found, error) {
	list, err := c.expand(name, 1)
	if err != nil {
		return nil, err
	}
	return list[0], nil
}

// members follows aliases from a name to a model of a provider, or to the members of a group, each model once.
func (c *Config) members(name string) ([]*found, error) { return c.expand(name, maxMembers) }

// maxMembers bounds the members of a group, those of groups in it included.
const maxMembers = 64

// expand returns at most so many members of a name, and at least one.
func (c *Config) expand(name string, most int) (out []*found, err error) {
	var walk func(at string, trail []string, layers []*Settings, by fitness.Prefer) error
	walk = func(at string, trail []string, layers []*Settings, by fitness.Prefer) error {
		if slices.Contains(trail, at) {
			return fmt.Errorf("%s goes round in a circle", strings.Join(append(trail, at), " -> "))
		}
		trail = append(slices.Clip(trail), at)
		m, ok := c.entry(at)
		if !ok || m.pattern() && (string(m.Model) == at || slices.Contains(m.Any, callwright.ModelID(at))) { // a pattern may fit what it leads to
			return c.arrive(&out, at, trail, layers, by)
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
			return c.arrive(&out, at, trail, layers, by)
		}
		return walk(string(m.Model), trail, layers, by)
	}
	err = walk(name, nil, nil, "")
	return out, err
}

// arrive adds a model of a provider, at the end of a trail, with the settings of the entries on it. One that is there
// already is left out.
func (c *Config) arrive(out *[]*found, at string, trail []string, layers []*Settings, by fitness.Prefer) error {
	f := &found{id: callwright.ModelID(at), trail: trail, group: by}
	p, err := c.providerOf(f.id)
	if err != nil {
		return err
	}
	if slices.ContainsFunc(*out, func(o *found) bool { return o.id == f.id }) {
		return nil
	}
	f.provider, f.settings = p, p.Settings.over(&Settings{Modes: c.Experimental.modes(), CallRules: c.CallRules})
	f.settings.TransformSettings = p.TransformSettings.after(&c.TransformSettings)
	for _, named := range []bool{false, true} { // a whole name says more than a pattern, and than the last part of one
		for i := range c.Models {
			if m := &c.Models[i]; m.general() && m.leads() == "" && m.hasWholeName() == named &&
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

// entry returns the configuration of a name alone: its own entry, or the first pattern that maps it to another name.
func (c *Config) entry(name string) (*Model, bool) {
	if m, ok := c.model(name); ok && (!m.general() || m.hasWholeName()) {
		return m, true
	}
	for i := range c.Models {
		if m := &c.Models[i]; m.pattern() && m.leads() != "" && namepattern.Matches(m.Name, name) {
			return m, true
		}
	}
	return nil, false
}

// providerOf returns the provider of a model: configured, or one that the table knows by itself.
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
		return Provider{}, fmt.Errorf("provider %q of %q is not listed: list it, providers: {%s: {}}", name, id, name)
	case ok:
		return Provider{}, fmt.Errorf("provider %q of %q has no address of its own: list it with one, providers: {%s: {base_url: ...}}", name, id, name)
	case name == SimulatorName:
		return Provider{}, fmt.Errorf("provider %q of %q is not listed: a configuration has the simulator only with providers: {%s: {}}", name, id, name)
	}
	return Provider{}, &unknownName{c: c, id: id}
}

// modelNames returns the names of the models that are configured one by one.
func (c *Config) modelNames() []string {
	var names []string
	for i := range c.Models {
		if !c.Models[i].general() {
			names = append(names, c.Models[i].Name)
		}
	}
	return names
}

// providerNames returns the providers that can be asked: those of the configuration, then those that the table knows by
// itself.
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

// describeNames says which names can be asked for.
func (c *Config) describeNames() string { return barename.DescribeNames(c.entries(), c.hosts()) }

func rowOf(name string) (provider.Row, bool) {
	for _, r := range provider.Rows() {
		if r.Name == name {
			return r, true
		}
	}
	return provider.Row{}, false
}

// fallback chain returns a name with its fallbacks and theirs, each model once; of a group its members stand one after
// the other. Fallbacks of single entries that lead back to a name on the way are an error; those that a provider or a
// pattern gives to all its models may fit one another and are left out there.
func (c *Config) chain(name string) ([]*found, error) {
	out, err := c.members(name)
	if err != nil {
		return nil, err
	}
	leg := 0
	var add func(f *found, way []string) error
	add = func(f *found, way []string) error {
		way = slices.Concat(way, f.trail)
		for _, next := range f.settings.Fallbacks {
			list, err := c.members(string(next.Model))
			if err != nil {
				return err
			}
			leg++
			var more []*found
			for _, to := range list {
				back := slices.ContainsFunc(to.trail, func(step string) bool { return slices.Contains(way, step) })
				if back && c.says(f, next.Model) {
					if len(way) > 1 && way[len(way)-1] == to.trail[0] {
						return fmt.Errorf("%s is asked by %s already: leave it out of fallbacks", to.trail[0], way[0])
					}
					return fmt.Errorf("%s goes round in a circle", strings.Join(append(way, to.trail...), " -> "))
				}
				if !back && !slices.ContainsFunc(out, func(o *found) bool { return o.id == to.id }) {
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

// says reports whether an entry on the way to f itself names this fallback.
func (c *Config) says(f *found, next callwright.ModelID) bool {
	return slices.ContainsFunc(f.trail, func(step string) bool {
		m, ok := c.model(step)
		return ok && slices.Contains(m.Fallbacks.Models(), next)
	})
}

// pattern reports whether the entry is for all names that match.
func (m *Model) pattern() bool { return strings.Contains(m.Name, "*") }

// leads returns the name that the entry leads to: of a group its first member. It is "" for the settings of a model.
func (m *Model) leads() callwright.ModelID {
	if len(m.Any) > 0 {
		return m.Any[0]
	}
	return m.Model
}

// general reports whether the entry is for more than one name: a pattern, or the settings of all models that are called
// so.
func (m *Model) general() bool {
	return m.pattern() || m.leads() == "" && m.Name != "" && (m.anyProvider || !strings.Contains(m.Name, "/"))
}

// hasWholeName reports whether the entry is for the models of one whole name, at any provider.
func (m *Model) hasWholeName() bool { return m.anyProvider && !m.pattern() }

// fits reports whether the settings of a general entry hold for a model. A name without a provider is that of the
// model, with or without the path before it.
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

// fitsBelow reports whether the entry is for a name, or for the part of it behind one of its slashes.
func (m *Model) fitsBelow(name string) bool {
	for below := true; below; _, name, below = strings.Cut(name, "/") {
		if strings.EqualFold(m.Name, name) || m.pattern() && namepattern.Matches(m.Name, name) {
			return true
		}
	}
	return false
}
