package preflight

import (
	"context"

	"github.com/callwright/callwright/internal/config"
	"github.com/callwright/callwright/internal/provider"
)

// A reached is what one look at a provider found.
type reached struct {
	provider.Reached
	name, path string             // path is its place in the configuration
	endpoint   *provider.Provider // nil where it cannot be made
	address    string             // the base address, or where else it is; empty where it is not known
	err        error              // why it cannot be used; nil where it answers
}

// open makes a provider, and asks it nothing.
func (c *Checker) open(name string) reached {
	endpoint, cfg, err := c.Registry.Endpoint(name)
	out := reached{name: name, path: cfg.Path, endpoint: endpoint, address: cfg.BaseURL, err: err}
	switch {
	case err != nil:
		out.endpoint = nil
	case name == config.SimulatorName && cfg.BaseURL == "":
		out.address = "in this process"
	default:
		out.address = endpoint.Address()
	}
	return out
}

// look asks a provider.
func (c *Checker) look(ctx context.Context, name string) reached {
	out := c.open(name)
	if out.err == nil {
		out.Reached, out.err = out.endpoint.Reach(ctx)
	}
	return out
}
