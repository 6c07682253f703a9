package store

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/callwright/callwright/internal/health"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// mirrors holds the parts of a Store that mirror streams in memory or queue writes.
type mirrors struct {
	mu         sync.Mutex
	capsStore  *CapsStore
	signatures *SignatureStore
	reports    *ReportStore
	counts     *CounterStore
	answers    []*AnswerStore
	boxes      []*outbox
	traces     []*TraceLog
}

// drain waits a limited time for queued writes before the Store is closed.
func (m *mirrors) drain() {
	m.mu.Lock()
	boxes, traces, reports, counts, answers := m.boxes, m.traces, m.reports, m.counts, m.answers
	m.mu.Unlock()
	for _, a := range answers {
		a.drain()
	}
	if counts != nil {
		counts.leave()
	}
	if reports != nil {
		reports.batch.flush()
	}
	for _, b := range boxes {
		b.drain()
	}
	for _, t := range traces {
		t.drain()
	}
}

// health returns the problems of all queued writes.
func (m *mirrors) health() []health.Problem {
	m.mu.Lock()
	boxes, traces, counts, answers := m.boxes, m.traces, m.counts, m.answers
	m.mu.Unlock()
	var out []health.Problem
	if counts != nil {
		out = append(out, counts.health()...)
	}
	for _, a := range answers {
		out = append(out, a.health()...)
	}
	for _, b := range boxes {
		out = append(out, b.health()...)
	}
	for _, t := range traces {
		out = append(out, t.health()...)
	}
	return out
}

// isStuck reports whether a queued write has been waiting for longer than requestTimeout.
func (m *mirrors) isStuck() bool {
	m.mu.Lock()
	boxes, answers := m.boxes, m.answers
	m.mu.Unlock()
	return slices.ContainsFunc(boxes, func(b *outbox) bool { return b.isStuck(requestTimeout) }) || slices.ContainsFunc(answers, (*AnswerStore).isAway)
}

// doubt starts a new check that the counts are shared, because the connection was lost.
func (m *mirrors) doubt(err error) {
	m.mu.Lock()
	counts := m.counts
	m.mu.Unlock()
	if counts != nil {
		counts.group.Doubt(err)
	}
}

// A follower reads a stream from its start and then its new messages.
type follower struct {
	st        *stream
	onMessage func(m *message)
	whole     func() // called when the existing messages were read, before await returns; may be nil

	ready chan struct{} // closed when the existing messages were read
	once  sync.Once

	mu    sync.Mutex
	gone  chan struct{} // closed while the stream cannot be read
	at    uint64        // sequence number of the last message read
	moved chan struct{} // closed when at changes; nil while no call waits
}

// newFollower returns a follower. Call start.
func newFollower(st *stream, heard func(m *message), whole func()) *follower {
	return &follower{st: st, onMessage: heard, whole: whole, ready: make(chan struct{}), gone: make(chan struct{})}
}

// start calls onMessage with each existing and new message, in order, on one goroutine until the Store is closed. Use
// await to wait for the existing messages.
func (f *follower) start() {
	s := f.st.s
	s.tasks.Go(func() {
		for s.ctx.Err() == nil {
			err := f.listen()
			f.setReachable(false)
			if err != nil && s.ctx.Err() == nil {
				s.conf.Logger.Debug("state: following", "kind", f.st.row.kind, "error", err)
				s.wait(firstReconnect)
			}
		}
	})
}

// isReady reports whether all existing messages were read.
func (f *follower) isReady() bool {
	select {
	case <-f.ready:
		return true
	default:
		return false
	}
}

// setReachable records whether the stream can be read. If not, calls of await return.
func (f *follower) setReachable(is bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	select {
	case <-f.gone:
		if is {
			f.gone = make(chan struct{})
		}
	default:
		if !is {
			close(f.gone)
		}
	}
}

// readable returns a channel that is closed while the stream cannot be read. It returns nil for a server in this
// process.
func (f *follower) readable() <-chan struct{} {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.st.s.server != nil {
		return nil
	}
	return f.gone
}

// await waits until all existing messages were read. For a cluster it waits up to firstMirror, and not if the cluster
// is unavailable.
func (f *follower) await(ctx context.Context) {
	s := f.st.s
	if f.isReady() || !s.nc.IsConnected() {
		return
	}
	limit := firstMirror
	if s.server != nil {
		limit = ownPatience
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	select {
	case <-f.ready:
	case <-f.readable():
	case <-ctx.Done():
	}
}

// move records the sequence number of the last message read.
func (f *follower) move(at uint64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.at = at
	if f.moved != nil {
		close(f.moved)
		f.moved = nil
	}
}

// hasReached reports whether all existing messages and the message seq were read.
func (f *follower) hasReached(seq uint64) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.isReady() && f.at >= seq
}

// reach waits until the message seq was read or ctx is done.
func (f *follower) reach(ctx context.Context, seq uint64) {
	for {
		f.mu.Lock()
		if f.at >= seq {
			f.mu.Unlock()
			return
		}
		if f.moved == nil {
			f.moved = make(chan struct{})
		}
		moved := f.moved
		f.mu.Unlock()
		select {
		case <-moved:
		case <-ctx.Done():
			return
		}
	}
}

func (f *follower) caughtUp() {
	f.once.Do(func() {
		if f.whole != nil {
			f.whole()
		}
		close(f.ready)
	})
}

// listen reads the stream after the last message read, until an error occurs.
func (f *follower) listen() error {
	s := f.st.s
	ctx, cancel := context.WithTimeout(s.ctx, attemptTime)
	defer cancel()
	js, err := f.st.open(ctx)
	if err != nil {
		return err
	}
	info, err := js.Info(ctx)
	if err != nil {
		f.st.forget()
		return err
	}
	if info.State.LastSeq < f.at { // the stream was created again
		f.move(0)
	}
	if info.State.LastSeq == f.at || info.State.Msgs == 0 {
		f.move(info.State.LastSeq)
		f.caughtUp()
	}
	cons, err := js.OrderedConsumer(ctx, jetstream.OrderedConsumerConfig{
		FilterSubjects: []string{f.st.subject(wholes, ">")}, DeliverPolicy: jetstream.DeliverByStartSequencePolicy, OptStartSeq: f.at + 1,
	})
	if err != nil {
		return err
	}
	messages, err := cons.Messages(jetstream.PullHeartbeat(listenHeartbeat))
	if err != nil {
		return err
	}
	defer messages.Stop()
	f.setReachable(true)
	s.mu.Lock()
	link := s.link // after a reconnect, a consumer takes many seconds to continue
	s.mu.Unlock()
	stop := context.AfterFunc(link, messages.Stop)
	defer stop()
	for {
		msg, err := messages.Next(jetstream.NextContext(link)) // Stop has no effect while the consumer is recreated
		if err != nil {
			return err
		}
		meta, err := msg.Metadata()
		if err != nil {
			return err
		}
		m, err := f.st.whole(s.ctx, js, msg.Subject(), msg.Headers(), msg.Data(), meta.Sequence.Stream)
		if err == nil {
			f.onMessage(m)
		} else if !errors.Is(err, errNothing) { // the message is read again
			return err
		}
		f.move(meta.Sequence.Stream)
		if meta.NumPending == 0 {
			f.caughtUp()
		}
	}
}

const listenHeartbeat = time.Second

// An outbox is a queue of messages to write, in order, when NATS is available.
type outbox struct {
	st    *stream
	wrote func(*message) // called after a message was written; may be nil

	mu    sync.Mutex
	queue []*waiting
	bytes int           // total size of the queue
	lost  int           // number of messages dropped because the queue was full
	began time.Time     // when writing the first message began; zero if none is being written
	more  chan struct{} // has an element if a message was added
	empty chan struct{} // closed and replaced when the queue becomes empty
}

type waiting struct {
	m       *message
	subject string
	done    chan struct{}
}

// maxWaiting is the maximum size in bytes of a queue. Above it, the oldest messages are lost.
const maxWaiting = 8 * mebi

// newOutbox returns an outbox and starts its goroutine. wrote, if not nil, is called with each written message. The
// caller holds mirror.mu.
func (s *Store) newOutbox(st *stream, wrote func(*message)) *outbox {
	b := &outbox{st: st, wrote: wrote, more: make(chan struct{}, 1), empty: make(chan struct{})}
	s.mirror.boxes = append(s.mirror.boxes, b)
	s.tasks.Go(b.run)
	return b
}

// add queues a message. The returned channel is closed when the message was written or dropped.
func (b *outbox) add(m *message) <-chan struct{} {
	w := &waiting{m: m, subject: joinTokens(m.tokens), done: make(chan struct{})}
	b.mu.Lock()
	b.queue = append(b.queue, w)
	b.bytes += w.size()
	for b.bytes > maxWaiting && len(b.queue) > 1 {
		b.shift()
		b.lost++
	}
	b.mu.Unlock()
	select {
	case b.more <- struct{}{}:
	default:
	}
	return w.done
}

func (w *waiting) size() int { return len(w.m.data) + len(w.subject) + 256 }

// shift removes the first message. The caller holds b.mu.
func (b *outbox) shift() {
	w := b.queue[0]
	b.queue[0] = nil
	b.queue = b.queue[1:]
	b.bytes -= w.size()
	close(w.done)
	b.began = time.Time{}
	if len(b.queue) == 0 {
		close(b.empty)
		b.empty = make(chan struct{})
	}
}

// waits reports whether a message of the subject is queued.
func (b *outbox) waits(subject string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, w := range b.queue {
		if w.subject == subject {
			return true
		}
	}
	return false
}

// run writes the queued messages until the Store is closed.
func (b *outbox) run() {
	s := b.st.s
	for {
		b.mu.Lock()
		var w *waiting
		if len(b.queue) > 0 {
			w = b.queue[0]
			if b.began.IsZero() {
				b.began = time.Now()
			}
		}
		b.mu.Unlock()
		if w == nil {
			select {
			case <-b.more:
				continue
			case <-s.ctx.Done():
				return
			}
		}
		seq, err := b.st.put(s.ctx, "store.write", s.writing(), w.m, anyway)
		if err != nil && !s.wait(longestPause) {
			return
		}
		if err != nil {
			continue
		}
		w.m.seq = seq
		if b.wrote != nil {
			b.wrote(w.m)
		}
		b.mu.Lock()
		if len(b.queue) > 0 && b.queue[0] == w {
			b.shift()
		}
		b.mu.Unlock()
	}
}

// writing returns the time limit of a background write.
func (s *Store) writing() time.Duration { return max(attemptTime, min(s.patience(), ownPatience)) }

// isStuck reports whether writing the first message has taken longer than limit.
func (b *outbox) isStuck(limit time.Duration) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return !b.began.IsZero() && time.Since(b.began) > limit
}

// await waits up to limit until done is closed. It does not wait if NATS is disconnected or the first message has
// already taken longer than limit.
func (b *outbox) await(ctx context.Context, limit time.Duration, done <-chan struct{}) {
	if done == nil || b.st.s.nc == nil || !b.st.s.nc.IsConnected() || b.isStuck(limit) {
		return
	}
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-done:
	case <-ctx.Done():
	case <-timer.C:
	}
}

// drain waits up to attemptTime until the queue is empty.
func (b *outbox) drain() {
	b.mu.Lock()
	empty, n := b.empty, len(b.queue)
	b.mu.Unlock()
	if n > 0 {
		b.await(context.Background(), attemptTime, empty)
	}
}

func (b *outbox) health() []health.Problem {
	stuck := b.isStuck(requestTimeout)
	b.mu.Lock()
	defer b.mu.Unlock()
	var out []health.Problem
	if n := len(b.queue); n > 0 && (stuck || !b.st.s.nc.IsConnected()) {
		out = append(out, problem(writtenLater, "%d changes of %s wait to be written", n, b.st.row.kind.label()))
	}
	if b.lost > 0 {
		out = append(out, problem("restart the gateway when NATS is available, to read the data of the others",
			"%d changes of %s were lost while NATS was unavailable", b.lost, b.st.row.kind.label()))
	}
	return out
}

// expire makes the server delete the message after a time in whole seconds, 0 for never.
func (m *message) expire(after time.Duration) {
	if after > 0 {
		m.head.Set(nats.MsgTTLHdr, after.Truncate(time.Second).String())
	}
}

// writtenLater is the remedy shown for queued writes.
const writtenLater = "keep this gateway running until it can write them to the state"

func joinTokens(tokens []string) string { return strings.Join(tokens, ".") }
