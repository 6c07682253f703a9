package workspace

import (
	"cmp"

	"github.com/callwright/callwright/internal/jsonpatch"
)

// Limits are the size limits of documents and patches. A zero field means the default.
type Limits struct {
	Document   int // bytes of the draft, of the facts, and of the UI state each; default 1 MiB
	Patch      int // bytes of a patch; default 200,000
	Operations int // operations of a JSON Patch; default 1,000
	Depth      int // nesting depth of arrays and objects in a document, at most 500; default 100
	Locks      int // number of locks; default 1,000
	Proposals  int // number of undecided proposals; default 100
}

// maxDepth is the upper limit of Limits.Depth. Saving a document, or showing it to a model, nests it in other JSON.
const maxDepth = 500

func (l Limits) documents() jsonpatch.Limits {
	return jsonpatch.Limits{
		Document:   cmp.Or(l.Document, 1<<20),
		Patch:      cmp.Or(l.Patch, 200_000),
		Operations: cmp.Or(l.Operations, 1000),
		Depth:      min(cmp.Or(l.Depth, 100), maxDepth),
	}
}

func (l Limits) locks() int     { return cmp.Or(l.Locks, 1000) }
func (l Limits) proposals() int { return cmp.Or(l.Proposals, 100) }
