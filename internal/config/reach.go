package config

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/provider"
)

// Endpoint returns the provider of that name and its configuration. The error is the reason why the provider cannot be
// created.
func (r *Registry) Endpoint(name string) (*provider.Provider, provider.Config, error) {
	p, err := r.c.providerOf(callwright.ModelID(name + "/any"))
	if err != nil {
		return nil, provider.Config{Name: name}, err
	}
	made, err := r.provider(p, &p.Settings)
	return made, p.endpoint(&p.Settings, r.env), err
}

// Candidates returns the models of a name's fallback chain in the order in which they are tried.
func (r *Registry) Candidates(name string) ([]callwright.ModelID, error) {
	chain, err := r.chain(name)
	out := make([]callwright.ModelID, len(chain))
	for i, f := range chain {
		out[i] = f.id
	}
	return out, err
}
