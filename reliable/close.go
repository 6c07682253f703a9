package reliable

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/reliable/internal/inbound"
)

// givePlainText answers with the text, and its other parts, of the answer in which no call could be made valid.
func (r *run) givePlainText() {
	r.changed, r.moreWork = true, new(false)
	r.note(callwright.Note{Rule: "plain_text", Stage: callwright.StageCorrect})
	r.noteClaims(r.plain)
	d := &r.delivery
	shown := r.plain.Delivered.Text && (d.streams() || len(d.good) > 0)
	r.giveEvents(r.plain.TextAlone(d.begun, shown, d.usageFinal)...)
}

// closeAnswer ends an answer whose valid calls the client has got already, where the corrections of the other calls
// failed.
func (r *run) closeAnswer() {
	r.changed, r.moreWork = true, new(true)
	r.giveEvents(inbound.UsageAndEnd(r.delivery.usageFinal, callwright.End{Finish: callwright.FinishCalls})...)
}

// sayEarlier adds the text of an earlier attempt to an answer that was cut inside its calls, is given without them and
// has no text of its own.
func (r *run) sayEarlier(a *inbound.Answer) {
	if r.plain != nil && !r.delivery.text && !a.Outcome.HasText() {
		r.note(callwright.Note{Rule: "plain_text", Stage: callwright.StageCorrect})
		a.SayEarlier(r.plain)
	}
}

// giveEvents gives events to the client.
func (r *run) giveEvents(events ...callwright.Event) {
	r.delivery.hand(callwright.Batch{Events: events, More: true})
}
