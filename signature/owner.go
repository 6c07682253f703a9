package signature

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/companion"
)

// ForOwner returns a shallow copy of req that is made on behalf of owner, such as a user of the program or the name of
// a key: the Owner of the calls whose state is kept for it. State of one owner is found for no other. The name is
// compared and sent to no model.
func ForOwner(req *callwright.Request, owner string) *callwright.Request {
	return companion.With(req, func(c *companion.Companion) { c.Owner = owner })
}
