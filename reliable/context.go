package reliable

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/reliable/internal/outbound"
)

// tooLong is the error of a request that the model of a rung cannot take whole by any count, nil for others: it is refused without being
// sent, in the words by which clients tell that a conversation has to be made shorter. A limit that is only shipped is left to the
// provider, which may have raised it.
func (r *run) tooLong(g rung) error {
	limit := g.Caps.MaxContext
	if limit <= 0 || g.Caps.Sources["max_context"] < caps.Discovered || r.o.changesNothing() {
		return nil
	}
	if b := r.req.Body; r.req.Messages == nil && b != nil && len(b.Bytes())/outbound.BytesPerToken <= limit {
		return nil
	}
	history, err := r.req.History()
	if err != nil {
		return err
	}
	n := outbound.LeastTokens(history)
	if n <= limit {
		return nil
	}
	e := callwright.Errorf("plan", callwright.KindContextLength, "", "prompt is too long: at least %d tokens > %d maximum of %s", n, limit, g.ID)
	r.note(callwright.Note{Rule: "plan.too_long", Stage: callwright.StagePlan, Now: string(g.ID), Why: e.Message})
	return e
}
