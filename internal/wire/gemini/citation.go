package gemini

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/wire/internal/citation"
)

// groundingKey is the member of a candidate with the sources of its text.
const groundingKey = "groundingMetadata"

// addGrounding returns the members of a candidate with the sources from other APIs as groundingMetadata. came is the
// groundingMetadata that was already written, nil if there is none.
func addGrounding(candidate callwright.Extra, g *citation.Gatherer, came []byte) callwright.Extra {
	if !g.HasPendingSources() {
		return candidate
	}
	if in := own.Member(candidate, groundingKey); in != nil {
		came = in
	}
	return own.Keep(candidate, groundingKey, g.AppendGrounding(nil, came, g.Take(true)))
}
