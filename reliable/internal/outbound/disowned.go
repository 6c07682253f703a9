package outbound

import (
	"slices"

	"github.com/callwright/callwright"
)

// nobody is the API name of opaque state that is sent to no model.
const nobody callwright.WireName = "unknown"

// DisownHistory returns the history with the origin of opaque state set to nobody. Messages without opaque state are
// not copied.
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
