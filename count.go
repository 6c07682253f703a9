package callwright

import "context"

// A Counter is a Model whose provider counts tokens. body is what a client of wire asks for a count with, and the answer
// is the provider's own, as it came. A model that cannot count, or not for that wire, fails with KindUnsupported. It is
// safe for concurrent use.
type Counter interface {
	CountTokens(ctx context.Context, wire WireName, body []byte) ([]byte, error)
}

var _ Counter = (*Client)(nil)

// CountTokens asks the first model, when it is a Counter. The count is of what the client sent: what a mode without native
// calls adds to the prompt is not in it.
func (c *Client) CountTokens(ctx context.Context, wire WireName, body []byte) ([]byte, error) {
	if m, ok := c.model.(Counter); ok {
		return m.CountTokens(ctx, wire, body)
	}
	e := errorf("count", KindUnsupported, "", "the model does not count tokens")
	e.Model, e.Feature = c.ID(), "count_tokens"
	return nil, e
}
