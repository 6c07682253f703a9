package wire

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/wire/internal/kit"
)

// ApplyEdits returns the body with the edits made, in order. Missing objects on the way to a set member are made; where
// another value stands on the way, and for an edit without a path, nothing is done. All other members keep their bytes.
// The body must be valid JSON; it is not written to, and it is returned itself where nothing changes.
func ApplyEdits(body []byte, edits []callwright.Edit) []byte { return kit.ApplyEdits(body, edits) }
