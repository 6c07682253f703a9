package outbound

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/reliable/internal/judge"
)

// ruleOwnID is the rule of the note on a call that got back the id that its model gave it.
const ruleOwnID = "history.own_id"

// idRules say which ids a client can hand back and which its receiver accepts.
type idRules struct{ client, receiver caps.IDRule }

// idRulesOf are the rules for a request to a receiver.
func idRulesOf(req *callwright.Request, to caps.Caps) idRules {
	came := companion.Of(req)
	if came.Body == nil {
		return idRules{}
	}
	return idRules{caps.IDsOfWire(string(came.Wire())), to.IDs}
}

// own is the id that a model gave to a call, where the client was given it escaped and the receiver accepts it, else
// the id as it is.
func (r idRules) own(id string) string {
	if own, ok := judge.UnescapedID(id, r.client); ok && r.receiver.Accepts(own) {
		return own
	}
	return id
}
