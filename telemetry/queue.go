package telemetry

import (
	"context"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	sdk "go.opentelemetry.io/otel/sdk/trace"
)

// Bounds of what waits to be sent, and of one request to the collector.
const (
	mostWaiting = 4096
	mostAtOnce  = 256
	sendEvery   = 2 * time.Second
)

// A queue hands spans that ended to an exporter, many at once. Whoever ends a span never waits: what finds the queue full is dropped
// and counted, and so is what the exporter could not deliver. It is safe for concurrent use.
type queue struct {
	to            sdk.SpanExporter
	log           *slog.Logger
	waiting       chan sdk.ReadOnlySpan
	flush         chan chan struct{}
	stop          chan struct{} // closed when no more will come
	stopping      sync.Once
	done          sync.WaitGroup
	sent, dropped atomic.Uint64

	sending context.Context // ends when Shutdown has waited for long enough
	giveUp  context.CancelFunc
	away    bool // the last delivery failed
}

var _ sdk.SpanProcessor = (*queue)(nil)

func newQueue(to sdk.SpanExporter, log *slog.Logger) *queue {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	q := &queue{to: to, log: log, waiting: make(chan sdk.ReadOnlySpan, mostWaiting), flush: make(chan chan struct{}), stop: make(chan struct{})}
	q.sending, q.giveUp = context.WithCancel(context.Background())
	q.done.Go(q.run)
	return q
}

// OnStart is that of a processor.
func (q *queue) OnStart(context.Context, sdk.ReadWriteSpan) {}

// OnEnd is that of a processor.
func (q *queue) OnEnd(s sdk.ReadOnlySpan) {
	if !s.SpanContext().IsSampled() {
		return
	}
	select {
	case <-q.stop:
		q.dropped.Add(1)
		return
	default:
	}
	select {
	case q.waiting <- s:
	default:
		q.dropped.Add(1)
	}
}

// ForceFlush has everything sent that ended before.
func (q *queue) ForceFlush(ctx context.Context) error {
	sent := make(chan struct{})
	select {
	case q.flush <- sent:
	case <-q.stop:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
	select {
	case <-sent:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Shutdown sends what is left, for as long as ctx lasts.
func (q *queue) Shutdown(ctx context.Context) error {
	q.stopping.Do(func() { close(q.stop) })
	defer context.AfterFunc(ctx, q.giveUp)()
	q.done.Wait()
	q.giveUp()
	return q.to.Shutdown(ctx)
}

func (q *queue) run() {
	tick := time.NewTicker(sendEvery)
	defer tick.Stop()
	batch := make([]sdk.ReadOnlySpan, 0, mostAtOnce)
	for {
		select {
		case s := <-q.waiting:
			if batch = append(batch, s); len(batch) == mostAtOnce {
				batch = q.send(batch)
			}
		case <-tick.C:
			batch = q.send(batch)
		case sent := <-q.flush:
			batch = q.drain(batch)
			close(sent)
		case <-q.stop:
			q.drain(batch)
			return
		}
	}
}

// drain sends the batch and all that waits.
func (q *queue) drain(batch []sdk.ReadOnlySpan) []sdk.ReadOnlySpan {
	for {
		select {
		case s := <-q.waiting:
			if batch = append(batch, s); len(batch) == mostAtOnce {
				batch = q.send(batch)
			}
		default:
			return q.send(batch)
		}
	}
}

// send delivers a batch, and gives back the room that it took.
func (q *queue) send(batch []sdk.ReadOnlySpan) []sdk.ReadOnlySpan {
	if len(batch) == 0 {
		return batch
	}
	err := q.to.ExportSpans(q.sending, batch)
	switch {
	case err != nil:
		q.dropped.Add(uint64(len(batch)))
		if !q.away {
			q.log.Warn("spans are lost: the collector does not take them", "error", err)
		}
	case q.away:
		q.log.Info("the collector takes spans again", "lost", q.dropped.Load())
	}
	if err == nil {
		q.sent.Add(uint64(len(batch)))
	}
	q.away = err != nil
	clear(batch)
	return batch[:0]
}
