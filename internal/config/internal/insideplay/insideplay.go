// Package insideplay connects a provider to the model simulator inside this process.
package insideplay

import (
	"net/http"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/provider"
	"github.com/callwright/callwright/simulate"
)

// base is the base address of requests to the simulator. Its host name is reserved and never resolves.
const base = "http://simulator.invalid"

// New returns a transport that answers requests with the simulator. The name of a model selects the simulated fault. A
// misspelt name is an unknown model, and not a model without faults.
func New() http.RoundTripper {
	return simulate.NewTransport(simulate.New(simulate.Weather(), simulate.OnlyKnown()))
}

// Play makes requests of an endpoint use the transport sim.
func Play(cfg *provider.Config, sim http.RoundTripper) {
	cfg.Transport, cfg.BaseURL = sim, base
	if cfg.Wire == "" || cfg.Wire == callwright.WireOpenAI {
		cfg.BaseURL += "/v1"
	}
}
