package reliable

import (
	"context"

	"github.com/callwright/callwright"
)

var _ callwright.Counter = (*Client)(nil)

// CountTokens asks the first model, when it is a Counter. The count is of what the client sent: what a mode without native
// calls adds to the prompt is not in it.
func (c *Client) CountTokens(ctx context.Context, wire callwright.WireName, body []byte) ([]byte, error) {
	if m, ok := c.model.(callwright.Counter); ok {
		return m.CountTokens(ctx, wire, body)
	}
	e := callwright.Errorf("count", callwright.KindUnsupported, "", "the model does not count tokens")
	e.Model, e.Feature = c.ID(), "count_tokens"
	return nil, e
}
