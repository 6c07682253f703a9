// Package insideplay has the simulated provider inside the process.
package insideplay

import (
	"net/http"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/provider"
	"github.com/callwright/callwright/simulate"
)

// base is where requests for the simulator seem to go. The name can belong to nobody.
const base = "http://simulator.invalid"

// New returns a transport that plays the simulated provider. It has only the models that it lists, so that a misspelled
// fault is not taken for a model without faults.
func New() http.RoundTripper {
	return simulate.NewTransport(simulate.New(simulate.Weather(), simulate.OnlyKnown()))
}

// Play turns an endpoint over to the simulator.
func Play(cfg *provider.Config, sim http.RoundTripper) {
	cfg.Transport, cfg.BaseURL = sim, base
	if cfg.Wire == "" || cfg.Wire == callwright.WireOpenAI {
		cfg.BaseURL += "/v1"
	}
}
