package reliable

import (
	"github.com/callwright/callwright"
)

// givePlainText answers with the text that is left when no call could be made valid, and with what came with it.
func (r *run) givePlainText() {
	out, no := r.plain, false
	r.changed, r.moreWork = true, &no
	r.note(callwright.Note{Rule: "plain_text", Stage: callwright.StageCorrect})
	r.hand(out.TextAlone(r.delivery.begun, r.delivery.text)...)
}

// closeAnswer ends an answer whose good calls the client has got already, where asking for the others came to nothing.
func (r *run) closeAnswer() {
	yes := true
	r.changed, r.moreWork = true, &yes
	r.hand(callwright.End{Finish: callwright.FinishCalls})
}

// hand gives events to the client until it wants no more.
func (r *run) hand(events ...callwright.Event) {
	for _, ev := range events {
		if !r.delivery.hand(ev) {
			return
		}
	}
}
