package preflight

import (
	"context"

	"github.com/callwright/callwright/internal/config"
	"github.com/callwright/callwright/internal/provider"
)

// A reached is what one look at a provider found.
type reached struct {
	provider.Reached
	name     string
	address  string       // the base address, or where else it is; empty where it is not known
	row      provider.Row // what is known of it
	server   provider.Server
	variable string // that the key is read from; empty where it is written, or where nothing names one
	hasKey   bool   // requests carry a key
	written  bool   // the key is written in the configuration
	err      error  // why it cannot be used; nil where it answers
}

// look asks a provider.
func (c *Checker) look(ctx context.Context, name string) reached {
	endpoint, cfg, err := c.Registry.Endpoint(name)
	out := reached{name: name, address: cfg.BaseURL, variable: cfg.KeyVariable(), err: err}
	out.written = !cfg.APIKey.Empty() && out.variable == ""
	if err != nil {
		return out
	}
	out.address, out.row, out.server, out.hasKey = endpoint.Address(), endpoint.Row(), endpoint.Server(), endpoint.HasKey()
	if name == config.SimulatorName && cfg.BaseURL == "" {
		out.address = "in this process"
	}
	out.Reached, out.err = endpoint.Reach(ctx)
	return out
}
