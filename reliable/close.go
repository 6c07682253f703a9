package reliable

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/reliable/internal/inbound"
)

// givePlainText responds with the text and other non-call parts of the latest response whose calls were all invalid.
func (r *run) givePlainText() {
	r.changed, r.moreWork = true, new(false)
	r.note(callwright.Note{Rule: "plain_text", Stage: callwright.StageCorrect})
	r.noteClaims(r.plain)
	d := &r.delivery
	shown := r.plain.Delivered.Text && (d.streams() || len(d.good) > 0)
	r.giveEvents(r.plain.TextAlone(d.begun, shown, d.usageFinal)...)
}

// closeAnswer ends the response after self-correction failed, if the client already has valid calls of it.
func (r *run) closeAnswer() {
	r.changed, r.moreWork = true, new(true)
	r.giveEvents(inbound.UsageAndEnd(r.delivery.usageFinal, callwright.End{Finish: callwright.FinishCalls})...)
}

// sayEarlier adds the text of an earlier attempt to a response that has no text and whose truncated calls were
// removed.
func (r *run) sayEarlier(a *inbound.Answer) {
	if r.plain != nil && !r.delivery.text && !a.Outcome.HasText() {
		r.note(callwright.Note{Rule: "plain_text", Stage: callwright.StageCorrect})
		a.SayEarlier(r.plain)
	}
}

// giveEvents sends events to the client.
func (r *run) giveEvents(events ...callwright.Event) {
	r.delivery.hand(callwright.Batch{Events: events, More: true})
}
