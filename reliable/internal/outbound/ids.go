package outbound

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/reliable/internal/judge"
)

// ruleOwnID is the rule of the note about a call whose original ID was restored.
const ruleOwnID = "history.own_id"

// idRules are the rules for call IDs of the client's API and of the provider.
type idRules struct{ client, receiver caps.IDRule }

// idRulesOf returns the ID rules for a request to a model. to has the model's capabilities.
func idRulesOf(req *callwright.Request, to caps.Caps) idRules {
	came := companion.Of(req)
	if came.Body == nil {
		return idRules{}
	}
	return idRules{caps.IDsOfWire(string(came.Wire())), to.IDs}
}

// own returns the original ID of a call if id is its escaped form and the provider accepts the original, otherwise id.
func (r idRules) own(id string) string {
	if own, ok := judge.UnescapedID(id, r.client); ok && r.receiver.Accepts(own) {
		return own
	}
	return id
}
