package callwright

import (
	"bytes"
	"context"
	"iter"
	"slices"
)

// A Batch is a part of a streamed answer that arrived at once: its bytes and the events they mean. A batch without
// bytes and events asks the receiver to send everything that it has written. Raw, Events and Hint are valid until the
// next batch is requested; a receiver may change the elements of Events.
type Batch struct {
	Wire   WireName // the API of Raw, "" without Raw
	Raw    []byte   // the provider's bytes, nil once a stage has changed an event
	Events []Event
	Notes  []Note // changes and findings of the stages that the batch passed
	// Hint is the decoder's account of Raw for encoders of the same API, nil where events say everything. A batch that
	// is kept has its Hint replaced by the result of its method Keep, see [Keeper].
	Hint any
	// Stable reports that Raw remains valid: it is a part of a whole answer.
	Stable bool
	// More reports that another batch follows at once: the receiver need not send this one before.
	More bool
}

// A Keeper is a Hint that refers to memory of its decoder.
type Keeper interface {
	// Keep returns a copy that remains valid when the next batch is read.
	Keep() any
}

// Clone returns a copy of the batch that remains valid when the next one is requested.
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

// A Batcher is a Model that streams batches. Batches has the contract of [Model].Stream: an error ends the stream, and
// stopping the loop frees everything that the stream holds.
type Batcher interface {
	Batches(ctx context.Context, req *Request) iter.Seq2[Batch, error]
}

// Batches streams the answer of a model in batches: its own where it is a Batcher, else a batch for each event. It
// returns nil where the model returns no stream.
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

// FlattenBatches streams the events of batches, without their bytes and notes.
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
