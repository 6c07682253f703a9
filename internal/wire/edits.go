package wire

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/wire/internal/kit"
)

// ApplyEdits returns body, a valid JSON text, with edits applied in order. It creates missing objects on the path of a
// member that is set. It ignores an edit that has no path, or whose path leads through a value that is no object or
// list. All other members keep their bytes. body is not modified, and is returned itself if nothing changes.
func ApplyEdits(body []byte, edits []callwright.Edit) []byte { return kit.ApplyEdits(body, edits) }
