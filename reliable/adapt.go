package reliable

import (
	"bytes"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/feature"
	"github.com/callwright/callwright/reliable/internal/learning"
	"github.com/callwright/callwright/reliable/internal/outbound"
)

// maxAdapted is the maximum number of features that are removed from the request for one candidate.
const maxAdapted = 4

// adapt changes candidate g so that its requests omit the feature that the provider rejected with e. It returns the
// feature. ok is false if the request must not be sent again: nothing would change, the mode ends, or the client
// already received content.
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
	for range maxAdapted { // retries because a tool may already be sent without strict or with a basic schema
		var ok bool
		if taught, ok = learning.FromRefusal(&g.Receiver, e, req); !ok {
			break
		}
		learning.ApplyLessons(&g.Receiver, []learning.Lesson{taught})
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

// namingTool returns e with the declared name of the rejected tool in place of the name that was sent to the provider.
// It returns any error other than a rejected tool unchanged.
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

// sendsSame reports whether candidates a and b of the same model would send identical bytes. It returns false if the
// model is not a Previewer.
func (r *run) sendsSame(a, b *candidate, req *callwright.Request) bool {
	p, ok := a.model.(callwright.Previewer)
	if !ok {
		return false
	}
	var bodies [2][]byte
	var whole [2]bool // whether the request is not streamed, which Preview does not show
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

// retry decides how to continue after the error e of an attempt. It returns the next request, its candidate and the
// reason for it: the request without a rejected feature, or a self-correction without its remedies (changes such as a
// lower temperature). If nothing can be changed, it returns the error.
func (r *run) retry(at *attempt, req *callwright.Request, with *remedies, adapted *int,
	e *callwright.Error) (*callwright.Request, *candidate, string, error) {
	g := at.candidate
	without, ok := r.adapt(g, req, e)
	learning.ApplyLessons(&with.base.Receiver, r.lessons)
	isTool := strings.HasPrefix(string(without), string(feature.ToolSchema)) // changes of tools have their own limit
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
	r.notifyModel(at, "", e)
	return req, g, "", r.namedError(g, req, e)
}
