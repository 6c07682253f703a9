package reliable

import (
	"slices"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/claim"
	"github.com/callwright/callwright/reliable/internal/inbound"
)

// noteClaims notes the sentences of an answer that claim work which no call did. Nothing is changed: the client of a
// stream has the text by then. The conversation is read only where a sentence may be such a claim.
func (r *run) noteClaims(out *inbound.Outcome) {
	if r.o.policy == callwright.PolicyOff || !r.o.ledger().May(claim.Rule) {
		return
	}
	for _, f := range claim.Find(out.Visible.String(), func() claim.Turn { return r.turnOf(out) }) {
		n := f.Note()
		n.Observed = r.o.policy == callwright.PolicyObserve
		r.note(n)
	}
}

// turnOf returns the conversation with the calls of its history and of the answer. A conversation that cannot be read
// has no messages.
func (r *run) turnOf(out *inbound.Outcome) claim.Turn {
	t := claim.Turn{Calls: slices.Concat(r.delivery.good, out.Good), Invalid: out.Invalid, Hosted: out.HasOther() ||
		len(out.Delivered.Searches) > 0}
	t.Messages, _ = r.req.History()
	t.Tools, _ = r.req.DeclaredTools()
	return t
}
