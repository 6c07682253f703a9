package reliable

import (
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/toolserver"
	"github.com/callwright/callwright/reliable/internal/culprit"
	"github.com/callwright/callwright/reliable/internal/outbound"
)

// namedError adds the tool's name to the error e if e is a tool's rejection that identifies the tool only by its
// index. It returns any other error unchanged.
func (r *run) namedError(g *candidate, req *callwright.Request, e *callwright.Error) *callwright.Error {
	if !refusesDefinition(e) || !outbound.RefusesTool(e) && !culprit.IsAboutTools(wordsOf(e)) {
		return e
	}
	v, ok := r.view(g, req)
	if !ok {
		return e
	}
	at, how := r.namedTool(g, v, r.namingTool(g, req, e))
	if how == notNamed || strings.Contains(wordsOf(e), v.tools[at].Name) {
		return e
	}
	out := *e
	out.Message = toolserver.Describe(v.tools[at].Name) + " is refused: " + wordsOf(e)
	return &out
}
