package config

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/config/internal/card"
	"github.com/callwright/callwright/internal/provider"
)

// listTime is the time limit for the list requests of one List call to all providers.
const listTime = 1500 * time.Millisecond

// List returns the model names to show to clients: the aliases and models of the configuration in its order, then the
// models that the configured providers list. It requests the lists concurrently, within 1.5 s in total, and caches
// them. It omits providers that do not answer. It omits the simulator unless the configuration names it or
// [WithSimulated] is given.
func (r *Registry) List(ctx context.Context) []callwright.ModelID {
	var out []callwright.ModelID
	for i := range r.c.Models {
		if m := &r.c.Models[i]; !m.general() {
			out = append(out, callwright.ModelID(m.Name))
		}
	}
	own := len(out)
	for _, found := range r.listProviders(ctx) {
		for _, l := range found {
			if !slices.Contains(out[:own], l.Model) {
				out = append(out, l.Model)
			}
		}
	}
	return out
}

// listProviders returns the model lists of the configured providers, in their order. The list of a provider that must
// not be listed is empty.
func (r *Registry) listProviders(ctx context.Context) [][]provider.Listing {
	return r.listedOf(ctx, func(name string) bool { p, _ := r.c.provider(name); return r.simulated || !p.unlisted })
}

// listedOf returns the model lists of the configured providers, in their order. The list is empty if wanted returns
// false for the provider's name, and if the request fails.
func (r *Registry) listedOf(ctx context.Context, wanted func(provider string) bool) [][]provider.Listing {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), listTime) // a disconnect is no failure of the provider
	defer cancel()
	out := make([][]provider.Listing, len(r.c.Providers))
	var wg sync.WaitGroup
	for i := range r.c.Providers {
		if wanted(r.c.Providers[i].Name) {
			wg.Go(func() { out[i] = r.list(ctx, &r.c.Providers[i]) })
		}
	}
	wg.Wait()
	return out
}

// list returns the model list of one provider, from the cache or by a request.
func (r *Registry) list(ctx context.Context, p *Provider) []provider.Listing {
	return r.lists.Ask(p.Name, func() ([]provider.Listing, error) {
		endpoint, err := r.provider(*p, &p.Settings)
		if err != nil {
			return nil, err
		}
		return endpoint.Models(ctx)
	})
}

// KnownCaps returns the known facts of the models with the given names, in the same order. The facts of an unknown name
// are empty. It requests the model lists of their providers as List does.
func (r *Registry) KnownCaps(ctx context.Context, names []callwright.ModelID) []caps.Caps {
	models, hosts := make([]*resolvedModel, len(names)), map[string]bool{}
	for i, name := range names {
		if candidates, err := r.chain(string(name)); err == nil {
			models[i], hosts[candidates[0].provider.Name] = candidates[0], true
		}
	}
	said := map[callwright.ModelID]caps.Caps{}
	for _, list := range r.listedOf(ctx, func(provider string) bool { return hosts[provider] }) {
		for _, l := range list {
			said[l.Model] = l.Caps
		}
	}
	out := make([]caps.Caps, len(names))
	for i, f := range models {
		if f != nil {
			out[i] = r.knownOf(ctx, f, said[f.id])
		}
	}
	return out
}

// knownOf returns the known facts of a model. said are the facts from the provider's model list.
func (r *Registry) knownOf(ctx context.Context, f *resolvedModel, said caps.Caps) caps.Caps {
	host, local := f.id.Split()
	known := caps.ShippedFor(host, local)
	if endpoint, err := r.provider(f.provider, &f.settings); err == nil {
		m := endpoint.Model(local)
		// use the facts of the list if the provider was not asked about this model yet
		if known = m.Caps(ctx); !slices.Contains(slices.Collect(maps.Values(known.Sources)), caps.Discovered) {
			known = m.Knowing(said)
		}
	}
	found, _ := r.capsStore.Facts(ctx, string(f.id)) // an error of the capability store loses only learned facts
	return known.WithFacts(slices.Concat(found, f.settings.facts()))
}

// A Card contains the known facts of one model, for display.
type Card = card.Card

// Cards returns the cards of the named models, or of all models that List returns if names is empty. For named models
// it also requests the model's description from the provider.
func (r *Registry) Cards(ctx context.Context, names ...callwright.ModelID) []Card {
	said := map[callwright.ModelID]caps.Caps{}
	for _, found := range r.listProviders(ctx) {
		for _, l := range found {
			said[l.Model] = l.Caps
		}
	}
	named := len(names) > 0
	if !named {
		names = r.List(ctx)
	}
	var out []Card
	for _, name := range names {
		out = append(out, r.card(ctx, name, said, named))
	}
	return out
}

func (r *Registry) card(ctx context.Context, name callwright.ModelID, said map[callwright.ModelID]caps.Caps, named bool) Card {
	made := Card{Name: name, Facts: map[string]string{}}
	candidates, err := r.chain(string(name))
	if err != nil {
		made.Problem = err.Error()
		return made
	}
	id := candidates[0].id
	if id != name {
		made.Model = id
	}
	for _, f := range candidates[1:] {
		made.Fallbacks = append(made.Fallbacks, f.id)
	}
	host, local := id.Split()
	known := caps.ShippedFor(host, local)
	if endpoint, err := r.provider(candidates[0].provider, &candidates[0].settings); err != nil {
		made.Problem = plain(err)
	} else {
		found := said[id]
		if named {
			if told, err := endpoint.Describe(ctx, local); err == nil { // a description is optional
				found = told
			}
		}
		known = endpoint.Model(local).Knowing(found)
		for _, q := range endpoint.Quirks() {
			made.Quirks = append(made.Quirks, card.Quirk{Name: q.Name, Does: q.Doc})
		}
	}
	learned, err := r.capsStore.Facts(ctx, string(id))
	if err != nil {
		made.Problem = cmp.Or(made.Problem, err.Error())
	}
	made.Learned = learned
	laid := slices.Concat(learned, candidates[0].settings.facts())
	made.Facts = known.WithFacts(laid).KnownFacts()
	made.AddOverridden(known, laid)
	return made
}

// Providers returns the configured providers. Problem is the reason why a provider cannot be used or, after a request
// for its model list, why that failed. It is "" if there is none.
func (r *Registry) Providers() []Endpoint {
	var out []Endpoint
	for i := range r.c.Providers {
		p := &r.c.Providers[i]
		e := Endpoint{Name: p.Name}
		if _, err := r.provider(*p, &p.Settings); err != nil {
			e.Problem = plain(err)
		} else if err := r.lists.Err(p.Name); err != nil && callwright.KindOf(err) != callwright.KindUnsupported { // some providers have no list
			e.Problem = "provider " + p.Name + ": its list of models cannot be read: " + plain(err)
		}
		out = append(out, e)
	}
	return out
}

// An Endpoint is a configured provider and the reason why it cannot be used, if any.
type Endpoint struct {
	Name    string `json:"name"`
	Problem string `json:"problem,omitempty"`
	// NoCredentials reports whether the problem is that the API key or another credential is missing.
	NoCredentials bool `json:"-"`
}
