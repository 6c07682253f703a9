package config

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/config/internal/barename"
	"github.com/callwright/callwright/internal/modeltable"
	"github.com/callwright/callwright/internal/provider"
)

// unknownName is the error for a model name that matches neither an entry nor a provider of the configuration.
type unknownName struct {
	c     *Config
	id    callwright.ModelID
	hosts []barename.Host // providers for suggestions; nil if only the configuration is known
}

func (e *unknownName) Error() string {
	hosts := e.hosts
	if hosts == nil {
		hosts = e.c.hosts()
	}
	name, local := e.id.Split()
	isBare := name == "" || local == ""
	if _, ok := e.c.model(string(e.id)); ok && isBare {
		return fmt.Sprintf("%q applies to the models with this name of every provider: expected provider/%s", e.id, e.id)
	}
	if near := Nearest(name, e.c.providerNames()); near != "" && !isBare {
		return fmt.Sprintf("unknown provider %q in %q: did you mean %s/%s?", name, e.id, near, local)
	}
	if near := barename.Near(string(e.id), e.c.modelNames(), hosts); len(near) > 0 {
		return barename.Unknown(string(e.id), near)
	}
	expected := barename.DescribeNames(e.c.entries(), hosts)
	if !isBare {
		return fmt.Sprintf("unknown provider %q in %q: expected %s", name, e.id, expected)
	}
	return "model " + barename.QuoteName(string(e.id)) + " is not known: expected " + expected
}

// entries returns the names of the entries of models that a request can name, including patterns that lead to a model.
func (c *Config) entries() []string {
	var names []string
	for i := range c.Models {
		if m := &c.Models[i]; m.targetName() != "" || !m.general() {
			names = append(names, m.Name)
		}
	}
	return names
}

// hosts returns all usable providers, as if each had an API key. The configured providers have the models of the
// built-in table.
func (c *Config) hosts() []barename.Host {
	var hosts []barename.Host
	for _, name := range c.providerNames() {
		h := barename.Host{Name: name, Usable: true}
		if p, ok := c.provider(name); ok {
			h.Models = p.shippedModels()
		}
		hosts = append(hosts, h)
	}
	return hosts
}

// shippedModels returns the models of a provider in the built-in table. It returns nil for a provider at another
// address and for a local one.
func (p *Provider) shippedModels() []string {
	if row, _ := rowOf(p.Name); p.BaseURL != "" || row.Local {
		return nil
	}
	return modeltable.Models(p.Name)
}

// addNamed records the models of a fallback chain as models of their providers.
func (r *Registry) addNamed(candidates []*resolvedModel) {
	for _, f := range candidates {
		host, local := f.id.Split()
		r.named[host] = append(r.named[host], local)
	}
}

// AskLists makes the registry request the model lists of providers if a name is unknown, except from providers whose
// discovery is off. It is for programs that resolve few names.
func AskLists() Option { return func(r *Registry) { r.asksLists = true } }

// chain returns the fallback chain of a name, as [Config.chain] does. A name that the configuration does not contain is
// also accepted without a provider, if exactly one configured provider is known to have a model of that name.
func (r *Registry) chain(name string) ([]*resolvedModel, error) {
	candidates, err := r.c.chain(name)
	unknown, ok := errors.AsType[*unknownName](err)
	if !ok || string(unknown.id) != name {
		return candidates, err
	}
	hosts := r.hosts()
	ids := barename.Find(name, hosts)
	if len(ids) == 0 && r.asksLists && !r.offline {
		r.listedOf(context.Background(), func(name string) bool { return r.discovery(name) != provider.DiscoverOff })
		hosts = r.hosts()
		ids = barename.Find(name, hosts)
	}
	switch len(ids) {
	case 0:
		return nil, &unknownName{c: r.c, id: unknown.id, hosts: hosts}
	case 1:
		return r.c.chain(ids[0])
	}
	return nil, errors.New(barename.Ambiguous(name, ids, hosts))
}

// FullName returns a name that always leads to the same model: name itself, or provider/name if the name has no
// provider. An unknown name is an error.
func (r *Registry) FullName(name string) (string, error) {
	candidates, err := r.chain(name)
	if err != nil {
		return "", notFound(err)
	}
	return candidates[0].trail[0], nil
}

// hosts returns the configured providers with their known models, followed by the built-in providers whose API key is
// set. It sends no request, except to the simulator.
func (r *Registry) hosts() []barename.Host {
	hosts := []barename.Host{} // nil would mean unknown providers
	for _, name := range r.c.providerNames() {
		p, configured := r.c.provider(name)
		if !configured {
			p = &Provider{Name: name}
		}
		if p.unlisted {
			continue
		}
		if p.isSimulator() {
			r.list(context.Background(), p)
		}
		cfg := p.endpoint(&p.Settings, r.env)
		h := barename.Host{Name: name, Usable: cfg.HasKey(), Models: r.named[name],
			Beside: p.isSimulator() || !configured && r.named[name] == nil}
		listed, complete := r.lists.KnownModels(name)
		h.Models = append(h.Models[:len(h.Models):len(h.Models)], listed...)
		if !complete {
			h.Models = append(h.Models, p.shippedModels()...)
		}
		row, _ := rowOf(name)
		if configured || h.Usable && !row.Local && row.Beside == "" || r.named[name] != nil {
			hosts = append(hosts, h)
		}
	}
	return hosts
}

// discovery returns the discovery mode of a provider, DiscoverOff for an unknown one. It decides whether the provider
// is asked for the capabilities of its models.
func (r *Registry) discovery(name string) provider.Discovery {
	p, ok := r.c.provider(name)
	if !ok {
		return provider.DiscoverOff
	}
	return cmp.Or(p.Discover, r.c.Discover, provider.DiscoverAuto)
}

// listsChanged removes the cached clients of names without a provider, since a changed model list may resolve them to
// another provider.
func (r *Registry) listsChanged() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.changes++
	for name := range r.bare {
		delete(r.clients, name)
	}
	clear(r.bare)
}

// inherit copies the records of models, and the model lists of providers whose address and API are unchanged, from the
// registry of the previous configuration.
func (r *Registry) inherit(old *Registry) {
	if r.routing.records != nil && old.routing.records != nil {
		r.routing.records = old.routing.records
	}
	for i := range r.c.Providers {
		p := &r.c.Providers[i]
		if q, ok := old.c.provider(p.Name); ok && p.BaseURL == q.BaseURL && p.Wire == q.Wire {
			r.lists.Inherit(old.lists, p.Name)
		}
	}
}
