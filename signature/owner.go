package signature

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/companion"
)

// ForOwner returns a shallow copy of req on behalf of owner, such as a user or the name of an API key. The owner
// becomes Call.Owner of the state that is kept for the request, and state of other owners is not found. The owner is
// not sent to the provider.
func ForOwner(req *callwright.Request, owner string) *callwright.Request {
	return companion.With(req, func(c *companion.Companion) { c.Owner = owner })
}
