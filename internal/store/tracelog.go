package store

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/health"
	"github.com/callwright/callwright/internal/trace"
	"github.com/google/uuid"
)

// A TraceLog is a [trace.Log] of one owner, shared by all gateways of a space. The entries of a request are written
// together when it ends, or after some seconds. Until then other gateways do not see them, and a killed process loses
// them. Writing does not block requests. While NATS is unavailable, up to 32 MiB are queued. Further entries are
// dropped, which Health and the trace of the request report.
type TraceLog struct {
	s         *Store
	owner     string
	limits    trace.LogLimits
	traces    *stream
	summaries *stream
	keys      *traceKeys // index of summaries
	started   sync.Once

	mu      sync.Mutex
	open    map[string]*traced // requests in progress or with unwritten entries, by id
	ready   []*traced          // requests with pieces to write and without a writer
	more    *sync.Cond         // signals a new element of ready, or the end of the Store
	written *sync.Cond         // signals that something was written
	bytes   int                // number of queued bytes
	recent  []summarized       // the last summaries written; other servers of a cluster may not have them yet
	lost    int
	lostAt  time.Time // time of the last dropped entry
}

var _ trace.Log = (*TraceLog)(nil)

// A traced is the data of a request in memory. The mutex of the TraceLog protects it, except summary.
type traced struct {
	id    string
	began time.Time // when its first entry arrived, by Config.Now

	telling sync.Mutex // protects summary; locked before the mutex of the TraceLog
	summary trace.Summary

	unsaid []trace.Entry // heads of entries not yet in summary
	lines  []byte        // encoded entries not yet in a piece
	since  time.Time     // when the first of lines arrived, by the system clock
	pieces []*piece      // queued, or written but not in a written summary
	count  int           // number of pieces so far
	first  uint64        // sequence number of the first message, 0 before it is written
	taken  bool          // the request is in ready, or a writer has it
	ended  bool
	lost   int // number of dropped entries after lines
}

// A piece is a batch of encoded entries of a request, stored as one message. Its id identifies a piece that was written
// twice.
type piece struct {
	id    string
	n     int // number of the piece, from 1
	lines []byte
}

const (
	opTrace = "store.trace"
	// defaultTraceBytes is the default maximum size of all traces.
	defaultTraceBytes = 1024 * mebi
	maxTraceWaiting   = 32 * mebi
	// pieceBytes is the maximum number of bytes of a request that wait for its end. They fit in one message.
	pieceBytes = 512 << 10
	// pieceWait is the maximum time that an entry waits for the end of its request.
	pieceWait = 2 * time.Second
	// forgotten is how long a request without new entries is retained in memory. maxOpen is the maximum number of retained
	// requests.
	forgotten = time.Hour
	maxOpen   = 1 << 16
	// traceWriters is the number of concurrent writers.
	traceWriters = 16
	// maxRecent is the number of written summaries that stay in memory.
	maxRecent = 512
	// lossShown is how long Health reports dropped entries.
	lossShown = 5 * time.Minute
)

// Traces returns the traces of an owner. The limits apply to all owners in the space; the last call sets them. Seven
// eighths of the bytes are for entries, the rest for summaries.
func (s *Store) Traces(owner string, l trace.LogLimits) *TraceLog {
	l = trace.LogLimits{Age: cmp.Or(l.Age, trace.DefaultLogAge), Bytes: cmp.Or(l.Bytes, defaultTraceBytes)}
	t := &TraceLog{
		s: s, owner: token(owner), limits: l, open: map[string]*traced{},
		traces:    s.stream(Traces, bounds{bytes: l.Bytes / 8 * 7, age: l.Age}),
		summaries: s.stream(summaries, bounds{bytes: l.Bytes / 8, age: l.Age}),
	}
	t.keys = newTraceKeys(t.summaries, t.owner)
	t.more, t.written = sync.NewCond(&t.mu), sync.NewCond(&t.mu)
	s.mirror.mu.Lock()
	defer s.mirror.mu.Unlock()
	s.mirror.traces = append(s.mirror.traces, t)
	return t
}

// Append adds an entry without blocking. An entry without an ID is ignored.
func (t *TraceLog) Append(e trace.Entry) error {
	if e.ID == "" {
		return nil
	}
	line, err := e.Line()
	if err != nil {
		return err
	}
	if most := t.limits.Bytes / 8 * 7; int64(len(line)) > most {
		return callwright.Errorf(opTrace, callwright.KindTooLarge, "",
			"expected at most %[3]d bytes of an entry of kind %[1]s, got %[2]d", e.Kind, len(line), most)
	}
	said := e.Head()
	t.started.Do(t.start)
	t.mu.Lock()
	defer t.mu.Unlock()
	r := t.open[e.ID]
	if t.bytes > 0 && t.bytes+len(line) > maxTraceWaiting || r == nil && len(t.open) >= maxOpen {
		t.lose()
		if r != nil {
			r.lost++
		}
		return trace.ErrFull
	}
	if r == nil {
		r = &traced{id: e.ID, began: t.s.conf.Now()}
		t.open[e.ID] = r
	}
	t.missing(r)
	t.add(r, said, line)
	if r.ended = r.ended || e.Ends(); r.ended || len(r.lines) >= pieceBytes {
		t.cut(r)
	}
	return nil
}

// lose counts a dropped entry. The caller holds t.mu.
func (t *TraceLog) lose() { t.lost, t.lostAt = t.lost+1, time.Now() }

// missing adds an entry to the trace of a request with the number of its dropped entries, if any. The caller holds
// t.mu.
func (t *TraceLog) missing(r *traced) {
	if r.lost == 0 {
		return
	}
	e := trace.Entry{Time: time.Now().UTC(), Kind: trace.KindLost, ID: r.id, Data: json.RawMessage(`{"entries":` + strconv.Itoa(r.lost) + `}`)}
	if line, err := e.Line(); err == nil {
		t.add(r, e, line)
	}
	r.lost = 0
}

// add adds an encoded entry to the lines of a request. The caller holds t.mu.
func (t *TraceLog) add(r *traced, said trace.Entry, line []byte) {
	if len(r.lines) == 0 {
		r.since = time.Now()
	}
	r.lines = append(r.lines, line...)
	t.bytes += len(line)
	r.unsaid = append(r.unsaid, said)
}

// cut makes a piece of the lines of a request and queues it. The caller holds t.mu.
func (t *TraceLog) cut(r *traced) {
	if len(r.lines) == 0 {
		return
	}
	r.count++
	r.pieces = append(r.pieces, &piece{id: uuid.NewString(), n: r.count, lines: r.lines})
	r.lines = nil
	if !r.taken {
		r.taken = true
		t.ready = append(t.ready, r)
		t.more.Signal()
	}
}

// updateSummary returns the summary of all entries of a request so far. The caller must not hold t.mu.
func (t *TraceLog) updateSummary(r *traced) trace.Summary {
	r.telling.Lock()
	defer r.telling.Unlock()
	t.mu.Lock()
	unsaid := r.unsaid
	r.unsaid = nil
	t.mu.Unlock()
	for i := range unsaid {
		r.summary.Add(&unsaid[i])
	}
	out := r.summary
	out.Rules, out.Tools = slices.Clone(out.Rules), slices.Clone(out.Tools)
	return out
}

// start starts the writers. They run until the Store is closed.
func (t *TraceLog) start() {
	wake := context.AfterFunc(t.s.ctx, func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.more.Broadcast()
		t.written.Broadcast()
	})
	var writers sync.WaitGroup
	for range traceWriters {
		writers.Go(t.write)
	}
	t.s.tasks.Go(func() {
		for t.s.wait(pieceWait / 2) {
			t.sweep(time.Now())
		}
		writers.Wait()
		wake()
	})
}

// sweep queues the entries of requests that have not ended for some time, and the count of dropped entries once the
// queue has space. It removes requests without new entries from memory.
func (t *TraceLog) sweep(now time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for id, r := range t.open {
		switch age := now.Sub(r.since); {
		case age >= pieceWait && (len(r.lines) > 0 || r.lost > 0 && t.bytes < maxTraceWaiting):
			t.missing(r)
			t.cut(r)
		case age >= forgotten && !r.taken:
			delete(t.open, id)
		}
	}
}

// write writes the requests in ready until the Store is closed.
func (t *TraceLog) write() {
	t.mu.Lock()
	defer t.mu.Unlock()
	for t.s.ctx.Err() == nil {
		if len(t.ready) == 0 {
			t.more.Wait()
			continue
		}
		r := t.ready[0]
		t.ready[0], t.ready = nil, t.ready[1:]
		t.writeOne(r)
	}
}

// writeOne writes the queued pieces of a request. The caller holds t.mu, which is released during the write.
func (t *TraceLog) writeOne(r *traced) {
	for len(r.pieces) > 0 && t.s.ctx.Err() == nil {
		pieces, first := r.pieces, r.first
		t.mu.Unlock()
		summary := summarized{Summary: t.updateSummary(r), began: r.began}
		for _, p := range pieces {
			if seq := t.writePiece(r, p); first == 0 {
				first = seq
			}
		}
		summary.first, summary.at = first, t.s.conf.Now()
		t.writeSummary(&summary)
		t.mu.Lock()
		r.first, r.pieces = first, r.pieces[len(pieces):]
		if len(t.recent) >= 2*maxRecent {
			t.recent = slices.Delete(t.recent, 0, maxRecent)
		}
		if first != 0 {
			t.recent = append(t.recent, summary)
		}
		for _, p := range pieces {
			t.bytes -= len(p.lines)
		}
	}
	r.taken = false
	if r.ended && len(r.lines) == 0 {
		delete(t.open, r.id)
	}
	t.written.Broadcast()
}

// writePiece writes a piece and returns the sequence number of its first message.
func (t *TraceLog) writePiece(r *traced, p *piece) (seq uint64) {
	m := newMessage(p.lines, t.owner, token(r.id))
	m.head.Set(headID, p.id)
	m.head.Set(headCount, strconv.Itoa(p.n))
	m.head.Set(headAt, strconv.FormatInt(r.began.UnixNano(), 10))
	t.put(t.traces, m)
	return m.first
}

// writeSummary writes the summary of a request. It skips a request whose first entry was not received or not written,
// which is then in no list.
func (t *TraceLog) writeSummary(s *summarized) {
	if s.Time.IsZero() || s.first == 0 {
		return
	}
	if data, err := s.encode(); err == nil {
		t.put(t.summaries, newBare(data, t.owner, token(s.ID)))
	}
}

// put writes a message and retries until the Store is closed. A message that can never be written is dropped.
func (t *TraceLog) put(st *stream, m *message) {
	for t.s.ctx.Err() == nil {
		_, err := st.put(t.s.ctx, opTrace, t.s.writing(), m, anyway)
		if err == nil || t.s.ctx.Err() != nil {
			return
		}
		if callwright.KindOf(err) != callwright.KindUnavailable {
			t.s.conf.Logger.Debug("state: a trace was not written", "error", err)
			t.mu.Lock()
			t.lose()
			t.mu.Unlock()
			return
		}
		t.s.wait(longestPause)
	}
}

// drain waits a limited time until all queued entries are written.
func (t *TraceLog) drain() {
	t.mu.Lock()
	for _, r := range t.open {
		t.missing(r)
		t.cut(r)
	}
	t.mu.Unlock()
	t.settle(context.Background(), func() bool { return t.bytes == 0 })
}

// settle waits until done returns true, while NATS is connected, up to the limit of a write.
func (t *TraceLog) settle(ctx context.Context, done func() bool) {
	ctx, cancel := context.WithTimeout(ctx, t.s.writing())
	defer cancel()
	wake := context.AfterFunc(ctx, func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.written.Broadcast()
	})
	defer wake()
	t.mu.Lock()
	defer t.mu.Unlock()
	for !done() && ctx.Err() == nil && t.s.ctx.Err() == nil && t.s.nc.IsConnected() {
		t.written.Wait()
	}
}

// health returns a problem if entries were dropped recently.
func (t *TraceLog) health() []health.Problem {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.lost == 0 || time.Since(t.lostAt) > lossShown {
		return nil
	}
	return []health.Problem{problem("check the speed of NATS, or reduce the trace",
		"%d trace entries were dropped, because writing was too slow", t.lost)}
}
