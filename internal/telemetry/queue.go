package telemetry

import (
	"context"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"
)

// mostWaiting is the maximum number of queued spans, mostAtOnce of spans in one request to the collector. sendEvery is
// the interval of requests.
const (
	mostWaiting = 4096
	mostAtOnce  = 256
	sendEvery   = 2 * time.Second
)

// A queue passes ended spans to an exporter in batches. Adding a span never blocks. A span is dropped and counted if
// the queue is full or the exporter cannot deliver it. It is safe for concurrent use.
type queue struct {
	to            *exporter
	log           *slog.Logger
	waiting       chan *span
	stop          chan struct{} // closed by shutdown
	stopping      sync.Once
	done          sync.WaitGroup
	sent, dropped atomic.Uint64

	sending context.Context // done when shutdown must return
	giveUp  context.CancelFunc
	away    bool // the last delivery failed
}

func newQueue(to *exporter, log *slog.Logger) *queue {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	q := &queue{to: to, log: log, waiting: make(chan *span, mostWaiting), stop: make(chan struct{})}
	q.sending, q.giveUp = context.WithCancel(context.Background())
	q.done.Go(q.run)
	return q
}

// put queues an ended span.
func (q *queue) put(s *span) {
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

// shutdown sends the queued spans until ctx is done.
func (q *queue) shutdown(ctx context.Context) error {
	q.stopping.Do(func() { close(q.stop) })
	defer context.AfterFunc(ctx, q.giveUp)()
	q.done.Wait()
	q.giveUp()
	q.to.close()
	return nil
}

func (q *queue) run() {
	tick := time.NewTicker(sendEvery)
	defer tick.Stop()
	batch := make([]*span, 0, mostAtOnce)
	for {
		select {
		case s := <-q.waiting:
			if batch = append(batch, s); len(batch) == mostAtOnce {
				batch = q.send(batch)
			}
		case <-tick.C:
			batch = q.send(batch)
		case <-q.stop:
			q.drain(batch)
			return
		}
	}
}

// drain sends the batch and all queued spans.
func (q *queue) drain(batch []*span) []*span {
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

// send delivers a batch and returns its slice for reuse.
func (q *queue) send(batch []*span) []*span {
	if len(batch) == 0 {
		return batch
	}
	err := q.to.export(q.sending, batch)
	switch {
	case err != nil:
		q.dropped.Add(uint64(len(batch)))
		if !q.away {
			q.log.Warn("spans are lost, because the collector does not accept them", "error", err)
		}
	case q.away:
		q.log.Info("the collector accepts spans again", "lost", q.dropped.Load())
	}
	if err == nil {
		q.sent.Add(uint64(len(batch)))
	}
	q.away = err != nil
	clear(batch)
	return batch[:0]
}
