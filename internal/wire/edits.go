package wire

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/wire/internal/kit"
)

// ApplyEdits is the body with the edits made, in order. Objects on the way to a member that is set are made where they
// are missing; where something else stands on the way, and for an edit without a path, nothing is done. What no edit concerns
// keeps its bytes. The body must be valid JSON; it is not written to, and it is returned itself where nothing changes.
func ApplyEdits(body []byte, edits []callwright.Edit) []byte { return kit.ApplyEdits(body, edits) }
