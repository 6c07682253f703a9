package telemetry

import (
	"context"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"
)

// Bounds of the queue, and of one request to the collector.
const (
	mostWaiting = 4096
	mostAtOnce  = 256
	sendEvery   = 2 * time.Second
)

// A queue hands spans that ended to an exporter, many at once. The end of a span never waits: a span that finds the
// queue full is dropped and counted, and so is one that the exporter could not deliver. It is safe for concurrent use.
type queue struct {
	to            *exporter
	log           *slog.Logger
	waiting       chan *span
	stop          chan struct{} // closed when no more will come
	stopping      sync.Once
	done          sync.WaitGroup
	sent, dropped atomic.Uint64

	sending context.Context // ends when shutdown has waited for long enough
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

// put has a span sent that has ended.
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

// shutdown sends the remaining spans, for as long as ctx lasts.
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

// drain sends the batch and all that waits.
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

// send delivers a batch, and gives back the room that it took.
func (q *queue) send(batch []*span) []*span {
	if len(batch) == 0 {
		return batch
	}
	err := q.to.export(q.sending, batch)
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
