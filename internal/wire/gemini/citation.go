package gemini

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/wire/internal/citation"
)

// groundingKey is the member of a candidate that names sources.
const groundingKey = "groundingMetadata"

// addGrounding are the members of a candidate with the sources of other APIs. Came holds the members that were written
// of them before, nil for none.
func addGrounding(candidate callwright.Extra, g *citation.Gatherer, came []byte) callwright.Extra {
	if !g.Waits() {
		return candidate
	}
	if in := own.Member(candidate, groundingKey); in != nil {
		came = in
	}
	return own.Keep(candidate, groundingKey, g.AppendGrounding(nil, came, g.Take(true)))
}
