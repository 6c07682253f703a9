package items

import (
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/wire"
)

// Rejoin gives calls of other wires their opaque state back, which came in a carrier of its own.
func Rejoin(parts []callwright.Part) []callwright.Part {
	out := parts[:0]
	for i, p := range parts {
		r, ok := p.(callwright.Reasoning)
		if ok && strings.HasPrefix(r.Redacted, wire.CarrierMark) {
			packed := r.Redacted
			r.Redacted = ""
			var call string
			if r, call = wire.Unpack(r, packed); call != "" {
				if i+1 < len(parts) {
					parts[i+1] = attachSignature(parts[i+1], call, r)
				}
				continue
			}
			p = r
		}
		out = append(out, p)
	}
	return out
}

// attachSignature is a part with the signature that r holds, where it is the call with the id. The carrier stands right
// before it.
func attachSignature(p callwright.Part, id string, r callwright.Reasoning) callwright.Part {
	if c, ok := p.(callwright.Call); ok && c.ID == id {
		c.Signature, c.Origin = r.Signature, r.Origin
		return c
	}
	return p
}
