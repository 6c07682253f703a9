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

// A TraceLog is a [trace.Log] of one owner that all gateways of a space share. The entries of a request are written
// together when it has ended, or after some seconds: until then other gateways do not know it, and a process that is
// killed loses it. Writing happens beside the requests. While NATS is away 32 MiB wait; further entries are left out,
// as Health and the trace of the request say.
type TraceLog struct {
	s         *Store
	owner     string
	limits    trace.LogLimits
	traces    *stream
	summaries *stream
	keys      *traceKeys // of summaries
	started   sync.Once

	mu      sync.Mutex
	open    map[string]*traced // the requests that are under way, or of which something waits to be written
	ready   []*traced          // those of which a piece waits that nobody writes
	more    *sync.Cond         // ready has more, or the Store is closed
	written *sync.Cond         // something was written
	bytes   int                // of what waits
	recent  []summarized       // that were written last: other servers of a cluster may not have them yet
	lost    int
	lostAt  time.Time // when something was lost last
}

var _ trace.Log = (*TraceLog)(nil)

// A traced is the part of a request in memory, under the lock of the TraceLog but for its summary.
type traced struct {
	id    string
	began time.Time // when its first entry came, by the clock of the Store

	telling sync.Mutex // held before the lock of the TraceLog
	summary trace.Summary

	unsaid []trace.Entry // of which the summary says nothing yet, without what it does not need
	lines  []byte        // that are in no piece yet
	since  time.Time     // when the first of them came, by that of the machine
	pieces []*piece      // that wait, or are written and not summarized
	count  int           // of all pieces
	first  uint64        // the sequence number with which it begins in the stream, 0 for none yet
	taken  bool          // it is ready, or somebody writes it
	ended  bool
	lost   int // entries that are missing behind lines
}

// A piece is some lines of a request, which one message holds. Its id tells one that was written twice.
type piece struct {
	id    string
	n     int // the first is 1
	lines []byte
}

const (
	opTrace = "store.trace"
	// defaultTraceBytes bounds the traces where the limits say nothing.
	defaultTraceBytes = 1024 * mebi
	maxTraceWaiting   = 32 * mebi
	// pieceBytes is how many bytes of a request wait for its end at most; a message holds them.
	pieceBytes = 512 << 10
	// pieceWait is how long an entry waits for the end of its request at most.
	pieceWait = 2 * time.Second
	// forgotten is how long a request is known of which nothing comes any more, and maxOpen how many.
	forgotten = time.Hour
	maxOpen   = 1 << 16
	// traceWriters is how many write at once.
	traceWriters = 16
	// maxRecent bounds the summaries that are in memory after they were written.
	maxRecent = 512
	// lossShown is how long it is said that something was lost.
	lossShown = 5 * time.Minute
)

// Traces are the traces of an owner. Their limits are those of the space: the last ones that were set hold for all
// owners. Seven eighths of the bytes are for entries, and the rest for summaries.
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

// Append adds an entry, without waiting. One that has no ID is left out.
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
			"an entry of kind %s has %d bytes, more than the %d that are kept", e.Kind, len(line), most)
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

// lose counts an entry that was left out. The lock is held.
func (t *TraceLog) lose() { t.lost, t.lostAt = t.lost+1, time.Now() }

// missing says in the trace of a request how many of its entries were left out here. The lock is held.
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

// add adds a line to those that are in no piece. The lock is held.
func (t *TraceLog) add(r *traced, said trace.Entry, line []byte) {
	if len(r.lines) == 0 {
		r.since = time.Now()
	}
	r.lines = append(r.lines, line...)
	t.bytes += len(line)
	r.unsaid = append(r.unsaid, said)
}

// cut makes a piece of the lines that are in none. The lock is held.
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

// updateSummary is the summary of a request as far as it is known. The lock is not held.
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

// start starts the writer, until the Store is closed.
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

// sweep has entries written whose request has not ended for some time, also the count of entries that were left out
// once there is room for it, and forgets requests without further entries.
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

// write writes requests that are ready until the Store is closed.
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

// writeOne writes the waiting entries of a request. The lock is held, and released meanwhile.
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

// writePiece writes a piece and returns the sequence number with which it begins.
func (t *TraceLog) writePiece(r *traced, p *piece) (seq uint64) {
	m := newMessage(p.lines, t.owner, token(r.id))
	m.head.Set(headID, p.id)
	m.head.Set(headCount, strconv.Itoa(p.n))
	m.head.Set(headAt, strconv.FormatInt(r.began.UnixNano(), 10))
	t.put(t.traces, m)
	return m.first
}

// writeSummary writes the summary of a request. A request whose beginning did not come here, or could not be written,
// is in no list.
func (t *TraceLog) writeSummary(s *summarized) {
	if s.Time.IsZero() || s.first == 0 {
		return
	}
	if data, err := s.encode(); err == nil {
		t.put(t.summaries, newBare(data, t.owner, token(s.ID)))
	}
}

// put writes a message, as long as it takes. A message that can never be written is lost.
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

// drain has all that waits written, as long as that can be soon.
func (t *TraceLog) drain() {
	t.mu.Lock()
	for _, r := range t.open {
		t.missing(r)
		t.cut(r)
	}
	t.mu.Unlock()
	t.settle(context.Background(), func() bool { return t.bytes == 0 })
}

// settle waits until all entries are written, while NATS is there.
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

// health reports recent losses.
func (t *TraceLog) health() []health.Problem {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.lost == 0 || time.Since(t.lostAt) > lossShown {
		return nil
	}
	return []health.Problem{problem("look at the speed of NATS, or trace less",
		"%d entries of traces were left out: they came faster than they could be written", t.lost)}
}
