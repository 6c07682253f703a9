package eval

import (
	"net/http"

	"github.com/callwright/callwright/simulate"
)

// Offline returns a transport for one cell that answers without a network. A simulated model answers with the offline
// lines of the scenario and misbehaves by mix and the seed of the cell. It serves every supported API at any URL and
// accepts any key. Use one for each cell, so that results do not depend on other cells.
func Offline(c Cell, s *Scenario, mix simulate.Mix, opts ...simulate.Option) http.RoundTripper {
	return simulate.NewTransport(simulate.New(s.Script(), append([]simulate.Option{simulate.WithMix(mix, c.Seed)}, opts...)...))
}
