package provider

import (
	"context"
	"iter"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/provider"
)

// A Model is one model of a provider. It is safe for concurrent use.
type Model struct{ remote *provider.Remote }

var (
	_ callwright.Model      = (*Model)(nil)
	_ callwright.Describer  = (*Model)(nil)
	_ callwright.Identifier = (*Model)(nil)
	_ callwright.Previewer  = (*Model)(nil)
	_ callwright.Batcher    = (*Model)(nil)
)

// ID returns "provider/name".
func (m *Model) ID() callwright.ModelID { return m.remote.ID() }

// String returns the id.
func (m *Model) String() string { return string(m.ID()) }

// Sibling returns another model of the same provider. Both share its connections, and Close closes them for both.
func (m *Model) Sibling(name string) *Model { return &Model{remote: m.remote.Provider().Model(name)} }

// List asks the provider for the models that it serves.
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

// Caps returns the shipped, discovered and configured facts about the model. Callers do not write to its Sources.
func (m *Model) Caps(ctx context.Context) caps.Caps { return m.remote.Caps(ctx) }

// SharedCaps returns Caps without a copy. Callers do not write to it. The pointer changes when a fact does.
func (m *Model) SharedCaps() *caps.Caps { return m.remote.SharedCaps() }

// Generate sends the request and returns the whole answer. Its Report has one Attempt, and the notes of the encoder and
// of retries. An error is a *callwright.Error whose Report lists the tries.
func (m *Model) Generate(ctx context.Context, req *callwright.Request) (*callwright.Response, error) {
	return m.remote.Generate(ctx, req)
}

// Stream sends the request and yields the events of the answer. The last one is End, or an error ends the stream.
// Stopping early closes the connection.
func (m *Model) Stream(ctx context.Context, req *callwright.Request) iter.Seq2[callwright.Event, error] {
	return m.remote.Stream(ctx, req)
}

// Batches is Stream in batches, with the bytes of the provider.
func (m *Model) Batches(ctx context.Context, req *callwright.Request) iter.Seq2[callwright.Batch, error] {
	return m.remote.Batches(ctx, req)
}

// Preview returns the HTTP request that Generate or Stream would send, by req.Params.Stream, and sends nothing.
func (m *Model) Preview(ctx context.Context, req *callwright.Request) (callwright.Preview, error) {
	return m.remote.Preview(ctx, req)
}

// Close closes idle connections and ends discovery. Requests under way are not disturbed. A transport set by
// WithTransport stays open.
func (m *Model) Close() { m.remote.Provider().Close() }
