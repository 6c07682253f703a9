package reliable

import (
	"slices"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/claim"
	"github.com/callwright/callwright/reliable/internal/inbound"
)

// noteClaims notes sentences of the response that claim a completed action although no call did it, such as "I have
// sent the email". It does not change the response, which may have been streamed already. It decodes the conversation
// only if the text has such a sentence.
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

// turnOf returns the conversation and the calls of the response for package claim. If the conversation cannot be
// decoded, it has no messages.
func (r *run) turnOf(out *inbound.Outcome) claim.Turn {
	t := claim.Turn{Calls: slices.Concat(r.delivery.good, out.Good), Invalid: out.Invalid, Hosted: out.HasOther() ||
		len(out.Delivered.Searches) > 0}
	t.Messages, _ = r.req.History()
	t.Tools, _ = r.req.DeclaredTools()
	return t
}
