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

// mirrors are a Store's copies of streams in memory.
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

// drain gives waiting writes a moment.
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

// health reports the writes that wait.
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

// isStuck reports whether something could not be written for a while.
func (m *mirrors) isStuck() bool {
	m.mu.Lock()
	boxes, answers := m.boxes, m.answers
	m.mu.Unlock()
	return slices.ContainsFunc(boxes, func(b *outbox) bool { return b.isStuck(quick) }) || slices.ContainsFunc(answers, (*AnswerStore).isAway)
}

// doubt has the state that is shared with other gateways verified again, as the connection was lost.
func (m *mirrors) doubt(err error) {
	m.mu.Lock()
	counts := m.counts
	m.mu.Unlock()
	if counts != nil {
		counts.group.Doubt(err)
	}
}

// A follower reads a stream from its beginning on, and then its new messages.
type follower struct {
	st    *stream
	heard func(m *message)
	whole func() // called when what was there has been read, before who waits for that goes on; may be nil

	ready chan struct{} // closed when what was there has been read
	once  sync.Once

	mu    sync.Mutex
	gone  chan struct{} // closed while the stream cannot be read
	at    uint64        // the sequence number that was read last
	moved chan struct{} // closed when at is another one; nil while nobody waits
}

// newFollower makes a follower that is to be started.
func newFollower(st *stream, heard func(m *message), whole func()) *follower {
	return &follower{st: st, heard: heard, whole: whole, ready: make(chan struct{}), gone: make(chan struct{})}
}

// start has heard given each message that the stream has and gets, in order, until the Store is closed. Who needs those
// that are there awaits them.
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

// isReady reports whether all has been read that was there.
func (f *follower) isReady() bool {
	select {
	case <-f.ready:
		return true
	default:
		return false
	}
}

// setReachable notes whether the stream can be read. Who waits for it goes on where it cannot.
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

// readable returns a channel that is closed when the stream cannot be read, also before.
func (f *follower) readable() <-chan struct{} {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.st.s.server != nil {
		return nil
	}
	return f.gone
}

// await waits until all has been read that was there. Of a cluster it waits a moment, and not where that is away or
// cannot be read.
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

// move records the last message that was read.
func (f *follower) move(at uint64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.at = at
	if f.moved != nil {
		close(f.moved)
		f.moved = nil
	}
}

// hasReached reports whether all was read that was there, and a message.
func (f *follower) hasReached(seq uint64) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.isReady() && f.at >= seq
}

// reach waits until a message was read.
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

// listen reads the stream behind the last message that was read, until something fails.
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
	if info.State.LastSeq < f.at { // another stream than it was
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
	link := s.link // when it is back, the consumer itself takes many seconds to go on
	s.mu.Unlock()
	stop := context.AfterFunc(link, messages.Stop)
	defer stop()
	for {
		msg, err := messages.Next(jetstream.NextContext(link)) // Stop alone is lost while the consumer is made again
		if err != nil {
			return err
		}
		meta, err := msg.Metadata()
		if err != nil {
			return err
		}
		m, err := f.st.whole(s.ctx, js, msg.Subject(), msg.Headers(), msg.Data(), meta.Sequence.Stream)
		if err == nil {
			f.heard(m)
		} else if !errors.Is(err, errNothing) { // it is read again
			return err
		}
		f.move(meta.Sequence.Stream)
		if meta.NumPending == 0 {
			f.caughtUp()
		}
	}
}

const listenHeartbeat = time.Second

// An outbox has messages that are written when NATS is there, in the order in which they came; of several to a subject
// that replace each other, the last.
type outbox struct {
	st    *stream
	wrote func(*message)

	mu    sync.Mutex
	queue []*waiting
	bytes int
	lost  int
	began time.Time     // since when the first message is being written; zero where none is
	more  chan struct{} // has one where there is more
	empty chan struct{} // closed and made anew when the queue is empty
}

type waiting struct {
	m       *message
	subject string
	done    chan struct{}
}

// maxWaiting bounds the bytes that wait while NATS is away; the oldest are lost then.
const maxWaiting = 8 * mebi

// newOutbox makes an outbox. The lock of the mirrors is held.
func (s *Store) newOutbox(st *stream, wrote func(*message)) *outbox {
	b := &outbox{st: st, wrote: wrote, more: make(chan struct{}, 1), empty: make(chan struct{})}
	s.mirror.boxes = append(s.mirror.boxes, b)
	s.tasks.Go(b.run)
	return b
}

// add has a message written. The channel is closed when it is, or when it was replaced or lost.
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

// shift takes the first message out. The lock is held.
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

// waits reports whether a message to the subject is not written yet.
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

// run writes until the Store is closed.
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

// writing is how long a call is tried that nobody waits for.
func (s *Store) writing() time.Duration { return max(attemptTime, min(s.patience(), ownPatience)) }

// isStuck reports whether the first message could not be written within a time.
func (b *outbox) isStuck(limit time.Duration) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return !b.began.IsZero() && time.Since(b.began) > limit
}

// await waits for a message to be written, as long as that can be soon: not where one before it took longer already.
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

// drain waits a moment for all to be written.
func (b *outbox) drain() {
	b.mu.Lock()
	empty, n := b.empty, len(b.queue)
	b.mu.Unlock()
	if n > 0 {
		b.await(context.Background(), attemptTime, empty)
	}
}

func (b *outbox) health() []health.Problem {
	stuck := b.isStuck(quick)
	b.mu.Lock()
	defer b.mu.Unlock()
	var out []health.Problem
	if n := len(b.queue); n > 0 && (stuck || !b.st.s.nc.IsConnected()) {
		out = append(out, problem(writtenLater, "%d changes of %s wait to be written", n, b.st.row.kind))
	}
	if b.lost > 0 {
		out = append(out, problem("restart the gateway when NATS is there, to read what the others know",
			"%d changes of %s were lost while NATS was away", b.lost, b.st.row.kind))
	}
	return out
}

// expire has the server forget the message after a time, 0 for never.
func (m *message) expire(after time.Duration) {
	if after > 0 {
		m.head.Set(nats.MsgTTLHdr, after.Truncate(time.Second).String())
	}
}

// writtenLater is the remedy for writes that wait.
const writtenLater = "they are written when the state can be: keep this gateway running until then"

func joinTokens(tokens []string) string { return strings.Join(tokens, ".") }
