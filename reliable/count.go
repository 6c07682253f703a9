package reliable

import (
	"context"

	"github.com/callwright/callwright"
)

var _ callwright.Counter = (*Client)(nil)

// CountTokens returns the token count of the wrapped model if that is a Counter, and otherwise an error of
// KindUnsupported. The count does not include additions to the prompt in non-native modes.
func (c *Client) CountTokens(ctx context.Context, wire callwright.WireName, body []byte) ([]byte, error) {
	if m, ok := c.model.(callwright.Counter); ok {
		return m.CountTokens(ctx, wire, body)
	}
	e := callwright.Errorf("count", callwright.KindUnsupported, "", "the model does not count tokens")
	e.Model, e.Feature = c.ID(), "count_tokens"
	return nil, e
}
