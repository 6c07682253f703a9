package provider

import (
	"context"
	"maps"
	"net/http"
)

type forwardKey struct{}

// Forward returns a context with the header of a client's request. A Remote sends those fields of it that Row.Forward
// of the provider names, such as Anthropic-Beta, in place of its own values.
func Forward(ctx context.Context, client http.Header) context.Context {
	return context.WithValue(ctx, forwardKey{}, client)
}

// buildHeader returns the header of one request. The header own is that of the provider. Fields of proto replace its
// fields, and forwarded fields of the client replace both.
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
