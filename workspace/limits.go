package workspace

import (
	"cmp"

	"github.com/callwright/callwright/internal/jsonpatch"
)

// Limits bound the documents that edits make. Zero fields stand for the defaults.
type Limits struct {
	Document   int // bytes of the draft, of the facts and of the state of the user interface, each; the default is 1 MiB
	Patch      int // bytes of a patch; the default is 200,000
	Operations int // of a JSON Patch; the default is 1,000
	Depth      int // arrays and objects in one another in a document, at most 500; the default is 100
	Locks      int // the default is 1,000
	Proposals  int // that nobody has decided about; the default is 100
}

// maxDepth is the most that Limits.Depth can be: documents stand in others when they are saved and shown to a model.
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
