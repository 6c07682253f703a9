package preflight

import (
	"context"
	"sync"

	"github.com/callwright/callwright/internal/config"
	"github.com/callwright/callwright/internal/provider"
)

// A reached is the response of a provider to the query whether it can be used.
type reached struct {
	provider.Reached
	name, path string             // path is its path in the configuration
	endpoint   *provider.Provider // nil if it could not be created
	address    string             // base URL or other address; "" if unknown
	err        error              // why it cannot be used; nil if it responds
	parts      []reached          // results for its keys and hosts, if it has several
	part       string             // name of the key or host of this result, "" for all
}

// open creates a provider without a request.
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

// look queries whether a provider can be used.
func (c *Checker) look(ctx context.Context, name string) reached {
	out := c.open(name)
	if out.err != nil {
		return out
	}
	_, cfg, _ := c.Registry.Endpoint(name)
	parts := cfg.Parts()
	if len(parts) == 0 {
		out.Reached, out.err = out.endpoint.Reach(ctx)
		return out
	}
	out.parts = make([]reached, len(parts))
	var wg sync.WaitGroup
	for i := range parts {
		wg.Go(func() { out.parts[i] = lookAt(ctx, out, &parts[i]) })
	}
	wg.Wait()
	best := out.parts[0]
	for _, p := range out.parts {
		if best.err != nil && p.err == nil {
			best = p
		}
	}
	out.Reached, out.err, out.address = best.Reached, best.err, best.address
	return out
}

// lookAt queries a provider with one of its keys or at one of its hosts.
func lookAt(ctx context.Context, of reached, part *provider.SingleTargetConfig) reached {
	out := reached{name: of.name, path: of.path, part: part.Name}
	if out.endpoint, out.err = provider.New(part.Config); out.err != nil {
		out.endpoint = nil
		return out
	}
	defer out.endpoint.Close()
	out.address = out.endpoint.Address()
	out.Reached, out.err = out.endpoint.Reach(ctx)
	return out
}
