package eval

import (
	"net/http"

	"github.com/callwright/callwright/simulate"
)

// Offline is a provider for one cell that needs no network: a simulated model which says the lines of the scenario, and
// misbehaves by mix and the cell's seed. It speaks every API, wherever a request goes, and accepts any key. Each cell
// has one of its own, so that its result does not depend on other cells.
func Offline(c Cell, s *Scenario, mix simulate.Mix, opts ...simulate.Option) http.RoundTripper {
	return simulate.NewTransport(simulate.New(s.Script(), append([]simulate.Option{simulate.WithMix(mix, c.Seed)}, opts...)...))
}
