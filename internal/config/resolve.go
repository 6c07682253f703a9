package config

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/config/internal/barename"
	"github.com/callwright/callwright/internal/config/internal/namepattern"
	"github.com/callwright/callwright/internal/provider"
)

// A found is what a name stands for: the provider, the model's name there, and all settings that hold.
type found struct {
	id       callwright.ModelID
	provider Provider
	settings Settings
	trail    []string // the names on the way, the one asked for first
}

// find follows aliases from a name to a model of a provider.
func (c *Config) find(name string) (*found, error) {
	f := &found{}
	var layers []*Settings // from the alias down
	at := name
	for {
		if slices.Contains(f.trail, at) {
			return nil, fmt.Errorf("%s goes round in a circle", strings.Join(append(f.trail, at), " -> "))
		}
		f.trail = append(f.trail, at)
		m, ok := c.entry(at)
		if !ok || m.pattern() && string(m.Model) == at { // a pattern may fit what it leads to
			break
		}
		layers = append(layers, &m.Settings)
		if m.Model == "" || string(m.Model) == at {
			break
		}
		at = string(m.Model)
	}
	f.id = callwright.ModelID(at)
	p, err := c.providerOf(f.id)
	if err != nil {
		return nil, err
	}
	f.provider, f.settings = p, p.Settings.over(&Settings{Modes: c.Experimental.modes()})
	f.settings.TransformSettings = p.TransformSettings.after(&c.TransformSettings)
	for _, named := range []bool{false, true} { // a whole name says more than a pattern, and than the last part of one
		for i := range c.Models {
			if m := &c.Models[i]; m.general() && m.Model == "" && m.named() == named && m.fits(f.id) && !slices.Contains(layers, &m.Settings) {
				f.settings = m.Settings.over(&f.settings)
			}
		}
	}
	for _, s := range slices.Backward(layers) {
		f.settings = s.over(&f.settings)
	}
	f.settings.Cache = cmp.Or(f.settings.Cache, c.Cache)
	return f, nil
}

// entry returns what the configuration says of a name alone: its own entry, or the first pattern that sends it elsewhere.
func (c *Config) entry(name string) (*Model, bool) {
	if m, ok := c.model(name); ok && (!m.general() || m.named()) {
		return m, true
	}
	for i := range c.Models {
		if m := &c.Models[i]; m.pattern() && m.Model != "" && namepattern.Matches(m.Name, name) {
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

// providerNames returns the providers that can be asked: those of the configuration, then those that the table knows by itself.
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

// known says which names can be asked for.
func (c *Config) known() string { return barename.Expected(c.entries(), c.hosts()) }

func rowOf(name string) (provider.Row, bool) {
	for _, r := range provider.Rows() {
		if r.Name == name {
			return r, true
		}
	}
	return provider.Row{}, false
}

// ladder returns a name with its fallbacks and theirs, each model once. Fallbacks of single entries that lead back to a name on the
// way are an error; those that a provider or a pattern gives to all its models may fit one another and are left out there.
func (c *Config) ladder(name string) ([]*found, error) {
	first, err := c.find(name)
	if err != nil {
		return nil, err
	}
	out := []*found{first}
	var add func(f *found, way []string) error
	add = func(f *found, way []string) error {
		way = slices.Concat(way, f.trail)
		for _, next := range f.settings.Fallbacks {
			to, err := c.find(string(next))
			if err != nil {
				return err
			}
			back := slices.ContainsFunc(to.trail, func(step string) bool { return slices.Contains(way, step) })
			if back && c.says(f, next) {
				return fmt.Errorf("%s goes round in a circle", strings.Join(append(way, to.trail...), " -> "))
			}
			if back || slices.ContainsFunc(out, func(o *found) bool { return o.id == to.id }) {
				continue
			}
			out = append(out, to)
			if err := add(to, way); err != nil {
				return err
			}
		}
		return nil
	}
	return out, add(first, nil)
}

// says reports whether an entry on the way to f itself names this fallback.
func (c *Config) says(f *found, next callwright.ModelID) bool {
	return slices.ContainsFunc(f.trail, func(step string) bool {
		m, ok := c.model(step)
		return ok && slices.Contains(m.Fallbacks, next)
	})
}

// pattern reports whether the entry is for all names that match.
func (m *Model) pattern() bool { return strings.Contains(m.Name, "*") }

// general reports whether the entry is for more than one name: a pattern, or the settings of all models that are called so.
func (m *Model) general() bool {
	return m.pattern() || m.Model == "" && m.Name != "" && (m.anyProvider || !strings.Contains(m.Name, "/"))
}

// named reports whether the entry is for the models of one whole name, at any provider.
func (m *Model) named() bool { return m.anyProvider && !m.pattern() }

// fits reports whether the settings of a general entry hold for a model. A name without a provider is that of the model, with or without
// the path before it.
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

// fitsBelow reports whether the entry is for a name, or for what is left of it behind one of its slashes.
func (m *Model) fitsBelow(name string) bool {
	for below := true; below; _, name, below = strings.Cut(name, "/") {
		if strings.EqualFold(m.Name, name) || m.pattern() && namepattern.Matches(m.Name, name) {
			return true
		}
	}
	return false
}
