package telemetry

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/claim"
)

// claimKinds are the kinds of claims that are counted. Notes of other kinds are ignored.
var claimKinds = map[claim.Kind]bool{claim.Done: true, claim.Quoted: true, claim.Tests: true, claim.Failed: true}

// countClaims counts the sentences of an answer that claim work that no tool call did.
func (m *Metrics) countClaims(provider, model string, notes []callwright.Note) {
	for i := range notes {
		if kind := claim.KindOf(&notes[i]); claimKinds[kind] {
			m.outcomes.claims.WithLabelValues(provider, model, string(kind)).Add(float64(max(notes[i].Count, 1)))
		}
	}
}
