package provider

import (
	"context"
	"maps"
	"net/http"
)

type forwardKey struct{}

// Forward returns ctx with the header of a client's request. A Remote forwards the fields that the row of its provider
// names (Anthropic's version and beta switches, for instance), in place of its own, and no others.
func Forward(ctx context.Context, client http.Header) context.Context {
	return context.WithValue(ctx, forwardKey{}, client)
}

// buildHeader returns the header of one request: the provider's own, that of the prototype, and the forwarded fields.
func (p *Provider) buildHeader(ctx context.Context, own, proto http.Header) http.Header {
	h := maps.Clone(own)
	maps.Copy(h, proto)
	if len(p.row.Forward) == 0 {
		return h
	}
	client, _ := ctx.Value(forwardKey{}).(http.Header)
	for _, name := range p.row.Forward {
		if values := client[name]; len(values) > 0 {
			h[name] = values
		}
	}
	return h
}
