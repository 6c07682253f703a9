package reliable

import (
	"bytes"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/feature"
	"github.com/callwright/callwright/reliable/internal/learning"
	"github.com/callwright/callwright/reliable/internal/outbound"
)

// maxAdapted is the most features that are removed from a request on one candidate.
const maxAdapted = 4

// adapt makes a candidate do without the feature that a refusal names. ok is false where that changes nothing, or the
// candidate is at its end: a request that was refused is not sent again.
func (r *run) adapt(g *candidate, req *callwright.Request, e *callwright.Error) (without callwright.Feature, ok bool) {
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

// namingTool returns a refusal of a tool's schema with the tool's declared name in place of the name that the provider
// uses. It returns every other refusal unchanged.
func (r *run) namingTool(g *candidate, req *callwright.Request, e *callwright.Error) *callwright.Error {
	if !outbound.RefusesTool(e) {
		return e
	}
	sh, err := r.shape(g, req, r.o.ledger(), nil, nil)
	if err != nil {
		return e
	}
	return sh.NamingTool(r.ctx, g.model, e)
}

// sendsSame reports whether two candidates of one model would send the same bytes. It is false where the model does not
// show its bytes.
func (r *run) sendsSame(a, b *candidate, req *callwright.Request) bool {
	p, ok := a.model.(callwright.Previewer)
	if !ok {
		return false
	}
	var bodies [2][]byte
	var whole [2]bool // the answer is asked for whole, which a preview does not show
	for i, g := range []*candidate{a, b} {
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

// retry answers an error of an attempt by the request that is sent next, the candidate on which it is sent and the
// reason: without a feature that the provider refused, or without the remedies of a correction. It returns the error
// where nothing is left to change.
func (r *run) retry(at *attempt, req *callwright.Request, with *remedies, adapted *int,
	e *callwright.Error) (*callwright.Request, *candidate, string, error) {
	g := at.candidate
	without, ok := r.adapt(g, req, e)
	learning.Heed(&with.base.Receiver, r.lessons)
	isTool := strings.HasPrefix(string(without), string(feature.ToolSchema)) // changes of tools have a bound of their own
	if ok && (isTool || *adapted < maxAdapted) {
		if !isTool {
			*adapted++
		}
		return req, g, "without " + string(without), nil
	}
	if plain, again := r.withoutRemedies(with, e); again {
		return plain, with.base, callwright.AttemptCorrection, nil
	}
	r.count(at, "", e)
	r.tell(at, "", e)
	return req, g, "", r.namedError(g, req, e)
}
