package outbound

import (
	"slices"

	"github.com/callwright/callwright"
)

// nobody is the wire of opaque state that belongs to no model that is asked.
const nobody callwright.WireName = "unknown"

// DisownHistory is a history whose opaque state belongs to nobody. Messages without any stay the same values.
func DisownHistory(history []callwright.Message) []callwright.Message {
	out := slices.Clone(history)
	for i, m := range out {
		if !m.HasOpaqueState() {
			continue
		}
		out[i].Parts = slices.Clone(m.Parts)
		for k, p := range m.Parts {
			switch p := p.(type) {
			case callwright.Reasoning:
				if p.Signature+p.Redacted != "" {
					p.Origin.Wire = nobody
				}
				out[i].Parts[k] = p
			case callwright.Call:
				if p.Signature != "" {
					p.Origin.Wire = nobody
				}
				out[i].Parts[k] = p
			}
		}
	}
	return out
}
