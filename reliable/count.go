package reliable

import (
	"context"

	"github.com/callwright/callwright"
)

var _ callwright.Counter = (*Client)(nil)

// CountTokens asks the first model, when it is a Counter. The count is of the client's request, without the additions
// of a mode without native calls to the prompt.
func (c *Client) CountTokens(ctx context.Context, wire callwright.WireName, body []byte) ([]byte, error) {
	if m, ok := c.model.(callwright.Counter); ok {
		return m.CountTokens(ctx, wire, body)
	}
	e := callwright.Errorf("count", callwright.KindUnsupported, "", "the model does not count tokens")
	e.Model, e.Feature = c.ID(), "count_tokens"
	return nil, e
}
