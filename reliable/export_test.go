package reliable

import (
	"context"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/reliable/internal/inbound"
)

// GenerateBy is Generate where answers are read event by event if byEvents says so, whatever they are. whole is how many were not.
func (c *Client) GenerateBy(ctx context.Context, req *callwright.Request, byEvents bool) (resp *callwright.Response, whole int, err error) {
	resp, err = c.generate(ctx, req, func(ctx context.Context, m callwright.Model, req *callwright.Request, a *inbound.Answer) error {
		a.Setup.WantsWhole = a.Setup.WantsWhole && !byEvents
		err := askWhole(ctx, m, req, a)
		if a.Whole != nil {
			whole++
		}
		return err
	})
	return resp, whole, err
}
