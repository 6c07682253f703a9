package provider

import (
	"context"
	"iter"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/provider"
)

// A Model is one model at a provider, reached over HTTP. It is safe for concurrent use.
type Model struct{ remote *provider.Remote }

var (
	_ callwright.Model      = (*Model)(nil)
	_ callwright.Describer  = (*Model)(nil)
	_ callwright.Identifier = (*Model)(nil)
	_ callwright.Previewer  = (*Model)(nil)
	_ callwright.Batcher    = (*Model)(nil)
)

// ID returns the model's ID, "provider/name".
func (m *Model) ID() callwright.ModelID { return m.remote.ID() }

// String returns the model's ID, "provider/name".
func (m *Model) String() string { return string(m.ID()) }

// Sibling returns the model with the given name at the same provider. Both share HTTP connections: Close on either
// closes the idle connections of both.
func (m *Model) Sibling(name string) *Model { return &Model{remote: m.remote.Provider().Model(name)} }

// List requests the list of models from the provider.
func (m *Model) List(ctx context.Context) ([]callwright.ModelID, error) {
	listed, err := m.remote.Provider().Models(ctx)
	if err != nil {
		return nil, err
	}
	ids := make([]callwright.ModelID, len(listed))
	for i, l := range listed {
		ids[i] = l.Model
	}
	return ids, nil
}

// Caps returns the capabilities of the model: shipped, discovered and configured facts. The caller must not modify the
// map Sources.
func (m *Model) Caps(ctx context.Context) caps.Caps { return m.remote.Caps(ctx) }

// SharedCaps returns the capabilities of the model without a copy. The caller must not modify them. A changed fact
// yields a new pointer.
func (m *Model) SharedCaps() *caps.Caps { return m.remote.SharedCaps() }

// Generate sends the request and returns the complete response. Its Report has one Attempt and the notes of the
// encoder and of retries. An error is a *callwright.Error, whose Report lists the HTTP tries.
func (m *Model) Generate(ctx context.Context, req *callwright.Request) (*callwright.Response, error) {
	return m.remote.Generate(ctx, req)
}

// Stream sends the request and yields the events of the response. The last value is an End event or an error. Leaving
// the loop closes the connection.
func (m *Model) Stream(ctx context.Context, req *callwright.Request) iter.Seq2[callwright.Event, error] {
	return m.remote.Stream(ctx, req)
}

// Batches sends the request like Stream and yields the events in batches, each with the provider's bytes.
func (m *Model) Batches(ctx context.Context, req *callwright.Request) iter.Seq2[callwright.Batch, error] {
	return m.remote.Batches(ctx, req)
}

// Preview returns the HTTP request that Generate would send, or Stream if req.Params.Stream is set. It sends nothing.
func (m *Model) Preview(ctx context.Context, req *callwright.Request) (callwright.Preview, error) {
	return m.remote.Preview(ctx, req)
}

// Close closes idle connections and stops discovery. It does not affect running requests or a transport set by
// WithTransport.
func (m *Model) Close() { m.remote.Provider().Close() }
