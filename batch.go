package callwright

import (
	"bytes"
	"context"
	"iter"
	"slices"
)

// A Batch is a group of response events that arrived together from a provider, with the bytes from which they were
// decoded. An empty Batch, without Raw and Events, is a flush: the receiver must send everything that it has buffered.
// Raw, Events and Hint are valid until the next batch is requested. A receiver may modify the elements of Events.
type Batch struct {
	Wire   WireName // the API in whose format Raw is, "" if Raw is nil
	Raw    []byte   // the provider's bytes, nil after a stage has changed an event
	Events []Event
	Notes  []Note // changes and findings of the processing stages for this batch
	// Hint is data from the decoder of Raw that helps encoders of the same API. It is nil if Events suffice. To keep a
	// batch, call Clone: it replaces a Hint that is a [Keeper] by a copy.
	Hint any
	// Stable reports that Raw stays valid after the next batch is requested. It is true if Raw belongs to a complete
	// response.
	Stable bool
	// More reports that another batch follows immediately. The receiver may delay its write until that batch.
	More bool
}

// A Keeper is a value of [Batch].Hint that refers to memory that its decoder reuses.
type Keeper interface {
	// Keep returns a copy of the hint that remains valid when the decoder reads the next batch.
	Keep() any
}

// Clone returns a copy of the batch that remains valid when the next batch is requested.
func (b Batch) Clone() Batch {
	if !b.Stable {
		b.Raw, b.Stable = bytes.Clone(b.Raw), b.Raw != nil
	}
	b.Events = slices.Clone(b.Events)
	if k, ok := b.Hint.(Keeper); ok {
		b.Hint = k.Keep()
	}
	return b
}

// A Batcher is a [Model] that can stream its response in batches. Batches has the contract of [Model].Stream: an error
// ends the stream, and leaving the loop releases its resources.
type Batcher interface {
	Batches(ctx context.Context, req *Request) iter.Seq2[Batch, error]
}

// Batches streams the response of m in batches. If m is a [Batcher], its own method does so. Otherwise each event of
// m.Stream becomes a batch without Raw. Batches returns nil if m.Stream returns nil.
func Batches(ctx context.Context, m Model, req *Request) iter.Seq2[Batch, error] {
	if b, ok := m.(Batcher); ok {
		return b.Batches(ctx, req)
	}
	events := m.Stream(ctx, req)
	if events == nil {
		return nil
	}
	return func(yield func(Batch, error) bool) {
		one := make([]Event, 1)
		for ev, err := range events {
			if err != nil {
				yield(Batch{}, err)
				return
			}
			one[0] = ev
			if !yield(Batch{Events: one}, nil) {
				return
			}
		}
	}
}

// FlattenBatches converts a stream of batches to a stream of their events. It discards Raw and Notes. An error ends
// the stream.
func FlattenBatches(batches iter.Seq2[Batch, error]) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		for b, err := range batches {
			if err != nil {
				yield(nil, err)
				return
			}
			for _, ev := range b.Events {
				if !yield(ev, nil) {
					return
				}
			}
		}
	}
}
