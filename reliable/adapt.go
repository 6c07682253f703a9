package reliable

import (
	"bytes"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/reliable/internal/learning"
	"github.com/callwright/callwright/reliable/internal/outbound"
)

// maxAdapted bounds how many features a request on one rung comes to do without.
const maxAdapted = 4

// adapt makes a rung do without the feature that a refusal names. ok is false where that changes nothing, or the rung is at its end:
// a request that was refused is not sent again.
func (r *run) adapt(g *rung, req *callwright.Request, e *callwright.Error) (without callwright.Feature, ok bool) {
	if r.o.changesNothing() || r.leavesImages(g, e) {
		return "", false
	}
	e = r.namingTool(g, req, e)
	if outbound.RefusesTool(e) {
		if without, ok = r.adaptTool(g, req, e, false); ok {
			return without, true
		}
	}
	was := *g
	taught, changed := learning.Lesson{}, false
	for range maxAdapted { // strict may have been left out of a tool already, or its schema be a basic one
		var ok bool
		if taught, ok = learning.FromRefusal(&g.Receiver, e, req); !ok {
			break
		}
		learning.Heed(&g.Receiver, []learning.Lesson{taught})
		if changed = taught.EndsMode || !r.sendsSame(&was, g, req); changed {
			break
		}
	}
	if !changed || taught.DescribesAll() {
		as := *g
		*g = was
		if without, ok = r.adaptTool(g, req, e, true); ok || !changed {
			return without, ok
		}
		*g = as
	}
	r.note(taught.Note(e.Message))
	r.lessons = append(r.lessons, taught)
	if r.delivery.shown && !r.o.oneMode && learning.IsUnparsed(e) {
		r.learner.Accept(taught)
	}
	return taught.Feature, !taught.EndsMode && !r.delivery.shown
}

// namingTool is a refusal of a tool's schema with the tool's declared name in place of what the provider calls it; any other as it is.
func (r *run) namingTool(g *rung, req *callwright.Request, e *callwright.Error) *callwright.Error {
	if !outbound.RefusesTool(e) {
		return e
	}
	sh, err := r.shape(g, req, r.o.ledger(), nil, nil)
	if err != nil {
		return e
	}
	return sh.NamingTool(r.ctx, g.model, e)
}

// sendsSame reports whether two rungs of one model would send the same bytes. Of models that do not show them it is not known.
func (r *run) sendsSame(a, b *rung, req *callwright.Request) bool {
	p, ok := a.model.(callwright.Previewer)
	if !ok {
		return false
	}
	var bodies [2][]byte
	var whole [2]bool // the answer is asked for whole, which a preview does not show
	for i, g := range []*rung{a, b} {
		sh, err := r.shape(g, req, r.o.ledger(), nil, nil)
		if err != nil {
			return false
		}
		pre, err := p.Preview(r.ctx, sh.Request)
		if err != nil {
			return false
		}
		bodies[i], whole[i] = pre.Body, sh.Whole && r.delivery.streams()
	}
	return whole[0] == whole[1] && bytes.Equal(bodies[0], bodies[1])
}
