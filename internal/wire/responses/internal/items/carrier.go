package items

import (
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/wire"
)

// Rejoin restores the signatures of calls from other APIs. Each was sent to the client as a reasoning item before its
// call, packed by wire.PackCall. Rejoin removes these items and unpacks the state of other reasoning. It modifies
// parts.
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

// attachSignature returns the call p with the signature and origin of r, or p unchanged if it is not the call with the
// id.
func attachSignature(p callwright.Part, id string, r callwright.Reasoning) callwright.Part {
	if c, ok := p.(callwright.Call); ok && c.ID == id {
		c.Signature, c.Origin = r.Signature, r.Origin
		return c
	}
	return p
}
