package eval

import (
	"net/http"

	"github.com/callwright/callwright/simulate"
)

// Offline is a provider for one cell that needs no network: a simulated model which says the lines of the scenario, and misbehaves as mix has
// it, by the cell's seed. It speaks every wire, wherever a request goes, and takes any key. Each cell has one of its own, so that what comes of it
// does not depend on other cells.
func Offline(c Cell, s *Scenario, mix simulate.Mix, opts ...simulate.Option) http.RoundTripper {
	return simulate.NewTransport(simulate.New(s.Script(), append([]simulate.Option{simulate.Mixed(mix, c.Seed)}, opts...)...))
}
