package config

import (
	"net/http"

	"github.com/callwright/callwright/simulate"
)

// SimulatorName is the provider that is played inside the process: it needs neither key nor network, and its models are named
// after the faults they show.
const SimulatorName = "sim"

// simulatorBase is where requests for the simulator seem to go. The name can belong to nobody.
const simulatorBase = "http://simulator.invalid"

// newSimulator returns a transport that plays the simulated provider. It has only the models that it lists, so that a misspelled fault is
// not taken for a model without faults.
func newSimulator() http.RoundTripper {
	return simulate.NewTransport(simulate.New(simulate.Weather(), simulate.OnlyKnown()))
}
