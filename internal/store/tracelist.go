package store

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/outcome"
	"github.com/callwright/callwright/internal/trace"
)

// A summarized is the message about a request: a line with its times and places, of which all are read, and the summary
// for lists.
type summarized struct {
	trace.Summary
	began time.Time // by which it is too old
	at    time.Time // when this was written
	first uint64    // the sequence number with which it begins in the stream of traces
}

// encode writes it.
func (s *summarized) encode() ([]byte, error) {
	text, err := json.Marshal(s.Summary)
	return fmt.Appendf(nil, "%d %d %d %d\n%s", s.Time.UnixNano(), s.began.UnixNano(), s.at.UnixNano(), s.first, text), err
}

// A line is a summarized as bytes, with the content of its line.
type line struct {
	asked, began, at int64 // times in nanoseconds
	first            uint64
	text             []byte
}

// parseLine reads a message about a request, and reports whether it is one.
func parseLine(data []byte) (l line, ok bool) {
	head, text, ok := bytes.Cut(data, []byte("\n"))
	if !ok {
		return line{}, false
	}
	l.text = text
	var one []byte
	var err error
	for _, n := range []*int64{&l.asked, &l.began, &l.at} {
		one, head, _ = bytes.Cut(head, []byte(" "))
		if *n, err = strconv.ParseInt(string(one), 10, 64); err != nil {
			return line{}, false
		}
	}
	if l.first, err = strconv.ParseUint(string(head), 10, 64); err != nil {
		return line{}, false
	}
	return l, true
}

// The bounds of one read of summaries, from the newest on.
const (
	firstWindow   = 512
	longestWindow = 8192
	// clockSlack is how far the clocks of gateways may be apart.
	clockSlack = 3 * time.Second
)

// List returns the latest requests that a query asks for, see [trace.LogReader].
func (t *TraceLog) List(ctx context.Context, q trace.Query) ([]trace.Summary, error) {
	if err := ctx.Err(); err != nil {
		return nil, canceledError(opTrace, err)
	}
	t.settle(ctx, t.pending())
	l := listing{t: t, q: &q, now: t.s.conf.Now(), seen: map[string]bool{}, marks: marksOf(&q)}
	decision := q.Decide()
	l.decides = func(s *trace.Summary) bool {
		decision.Begin(s)
		pieces, err := t.pieces(ctx, s.ID)
		if callwright.KindOf(err) != callwright.KindNotFound {
			l.broken = cmp.Or(l.broken, err)
		}
		for _, p := range pieces {
			for text := range bytes.Lines(p.lines) {
				decision.Line(text)
			}
		}
		return decision.IsMade()
	}
	t.mu.Lock()
	here := slices.Collect(maps.Values(t.open))
	t.mu.Unlock()
	for _, r := range here {
		if s := t.updateSummary(r); !s.Time.IsZero() {
			l.add(&s, r.began)
		}
	}
	keep, err := l.begin(ctx)
	if err != nil {
		return nil, err
	}
	t.mu.Lock()
	recent := slices.Clone(t.recent) // the lock is not held while entries are read
	t.mu.Unlock()
	for _, s := range slices.Backward(recent) {
		if s.first >= l.first {
			l.add(&s.Summary, s.began)
		}
	}
	if t.keys.current(ctx, l.below-1) {
		keys, missing := t.keys.index.Candidates(&q, l.first, keep)
		l.missing = later(l.missing, missing)
		if err := cmp.Or(l.byKeys(ctx, keys), l.broken); err != nil {
			return nil, err
		}
		return l.sortMatches(), nil
	}
	for {
		more, err := l.window(ctx)
		if err = cmp.Or(err, l.broken); err != nil {
			return nil, err
		}
		if !more {
			return l.sortMatches(), nil
		}
	}
}

// pending returns a function that reports, with the lock held, whether all requests are written that have ended now.
func (t *TraceLog) pending() (done func() bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	var ended []*traced
	for _, r := range t.open {
		if r.ended {
			ended = append(ended, r)
		}
	}
	return func() bool {
		ended = slices.DeleteFunc(ended, func(r *traced) bool { return t.open[r.id] != r })
		return len(ended) == 0
	}
}

// A listing collects the matches of a query, from the newest summaries on.
type listing struct {
	t     *TraceLog
	q     *trace.Query
	now   time.Time
	marks [][]byte // that the text of each summary has which is asked for

	seen    map[string]bool // that were looked at; of the subjects of a stream each has its last message alone
	found   []trace.Summary
	floor   time.Time                   // none that began before it is asked for
	missing time.Time                   // when the latest request began whose entries made room
	below   uint64                      // what was written before this sequence number is to be read
	size    uint64                      // of the next window
	decides func(s *trace.Summary) bool // whether the entries of a request are such as are asked for
	broken  error                       // with which that failed first
	first   uint64                      // the sequence number with which the stream of traces begins
}

// marksOf are pieces of the text of all summaries that a query asks for, so that others need not be decoded.
func marksOf(q *trace.Query) [][]byte {
	marks := q.Marks()
	switch q.Outcome {
	case "", outcome.Answered: // any answer
	default:
		if text, err := json.Marshal(q.Outcome); err == nil {
			marks = append(marks, append([]byte(`"outcome":`), text...))
		}
	}
	return marks
}

// add takes the summary of a request, unless there is a later one.
func (l *listing) add(s *trace.Summary, began time.Time) {
	if l.seen[s.ID] {
		return
	}
	l.seen[s.ID] = true
	if !l.q.MayMatch(s) || l.t.limits.IsExpired(began, l.now) || s.Time.Before(l.floor) {
		return
	}
	isOpen := l.q.IsOpen(s)
	if isOpen && (l.broken != nil || !l.decides(s)) {
		return
	}
	if l.found = append(l.found, *s); isOpen {
		l.cut() // to read few entries
	}
}

// take takes a message.
func (l *listing) take(is *line) {
	asked := time.Unix(0, is.asked)
	switch {
	case is.first < l.first:
		l.missing = later(l.missing, asked)
	case asked.Before(l.floor), asked.Before(l.q.Since), !l.q.Before.IsZero() && !asked.Before(l.q.Before),
		slices.ContainsFunc(l.marks, func(mark []byte) bool { return !bytes.Contains(is.text, mark) }):
	default:
		if s, err := trace.ParseSummary(is.text); err == nil {
			l.add(&s, time.Unix(0, is.began))
		}
	}
}

// window reads the next summaries, and reports whether older ones may be asked for.
func (l *listing) window(ctx context.Context) (more bool, err error) {
	from := uint64(1)
	if l.below > l.size {
		from = l.below - l.size
	}
	oldest := l.now.UnixNano()
	err = l.t.summaries.read(ctx, opTrace, from, l.below, l.t.owner, func(m *message) {
		if is, ok := parseLine(m.data); ok {
			oldest = min(oldest, is.at)
			l.take(&is)
		}
	})
	l.below, l.size = from, min(4*l.size, longestWindow)
	return from > 1 && !l.enough(time.Unix(0, oldest).Add(clockSlack)), err
}

// begin reads the state of the stream, and returns the sequence number of the first summary.
func (l *listing) begin(ctx context.Context) (kept uint64, err error) {
	traces, err := l.t.traces.info(ctx, opTrace, answerTime)
	if err != nil {
		return 0, err
	}
	all, err := l.t.summaries.info(ctx, opTrace, answerTime)
	if err != nil {
		return 0, err
	}
	l.size, l.below, l.first = firstWindow, all.State.LastSeq+1, traces.State.FirstSeq
	return all.State.FirstSeq, nil
}

// enough reports whether the query needs no request that began before a time, and drops the matches beyond its limit.
func (l *listing) enough(before time.Time) bool {
	if !l.q.Since.IsZero() && l.q.Since.After(before) || l.missing.After(before) {
		return true
	}
	return l.cut() && l.floor.After(before)
}

// cut drops the matches beyond the limit, and reports whether the limit is reached.
func (l *listing) cut() bool {
	n := l.q.Most()
	if len(l.found) < n {
		return false
	}
	slices.SortFunc(l.found, trace.Latest)
	l.found, l.floor = l.found[:n], l.found[n-1].Time
	return true
}

// sortMatches returns the matches, without those that began before a request whose entries were dropped for room.
func (l *listing) sortMatches() []trace.Summary {
	l.found = slices.DeleteFunc(l.found, func(s trace.Summary) bool { return s.Time.Before(l.missing) })
	slices.SortFunc(l.found, trace.Latest)
	return l.found[:min(len(l.found), l.q.Most())]
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}
