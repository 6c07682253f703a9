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

// A summarized is a request's message in the stream of summaries. Its first line has the times and the sequence number,
// all of which are read for every list. The second line is the JSON of the Summary.
type summarized struct {
	trace.Summary
	began time.Time // from which its age counts
	at    time.Time // when this message was written
	first uint64    // sequence number of the request's first message in the stream of traces
}

// encode returns the data of the NATS message: the line of numbers and the JSON of the Summary.
func (s *summarized) encode() ([]byte, error) {
	text, err := json.Marshal(s.Summary)
	return fmt.Appendf(nil, "%d %d %d %d\n%s", s.Time.UnixNano(), s.began.UnixNano(), s.at.UnixNano(), s.first, text), err
}

// A line is a summarized whose Summary is still encoded.
type line struct {
	asked, began, at int64 // Unix times in nanoseconds
	first            uint64
	text             []byte
}

// parseLine parses the data of a message. ok is false if it is invalid.
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

// The minimum and maximum number of summaries per read.
const (
	firstWindow   = 512
	longestWindow = 8192
	// clockSlack is the assumed maximum difference between the clocks of gateways.
	clockSlack = 3 * time.Second
)

// List returns the latest requests that match a query. See [trace.LogReader].
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
	recent := slices.Clone(t.recent) // copied so that the lock is not held during reads
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

// pending returns a function that reports whether all requests that have ended by now are written. Call it with t.mu
// held.
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

// A listing collects the results of a query, from the newest summary to the oldest.
type listing struct {
	t     *TraceLog
	q     *trace.Query
	now   time.Time
	marks [][]byte // substrings of the JSON of every matching summary

	seen    map[string]bool // ids of the requests processed so far
	found   []trace.Summary
	floor   time.Time                   // no request that began earlier can be among the results
	missing time.Time                   // start of the latest request whose entries were deleted for space
	below   uint64                      // summaries below this sequence number are still to be read
	size    uint64                      // number of summaries in the next read
	decides func(s *trace.Summary) bool // reports whether the entries of a request match the query
	broken  error                       // first error of decides
	first   uint64                      // first sequence number of the stream of traces
}

// marksOf returns substrings that the JSON of each matching summary contains. Other summaries need not be decoded.
func marksOf(q *trace.Query) [][]byte {
	marks := q.Marks()
	switch q.Outcome {
	case "", outcome.Answered: // matches several outcomes
	default:
		if text, err := json.Marshal(q.Outcome); err == nil {
			marks = append(marks, append([]byte(`"outcome":`), text...))
		}
	}
	return marks
}

// add adds a summary to the results if it matches, unless a later summary of the same request was processed.
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
		l.cut() // to reduce the reading of entries
	}
}

// take decodes a message and adds its summary if it may match.
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

// window reads the next older summaries. more reports whether still older ones may match.
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

// begin reads the state of both streams and returns the first sequence number of the summaries.
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

// enough reports whether requests that began before a time cannot be among the results. It also drops results beyond
// the query's limit.
func (l *listing) enough(before time.Time) bool {
	if !l.q.Since.IsZero() && l.q.Since.After(before) || l.missing.After(before) {
		return true
	}
	return l.cut() && l.floor.After(before)
}

// cut drops the results beyond the query's limit, and reports whether the limit is reached.
func (l *listing) cut() bool {
	n := l.q.Most()
	if len(l.found) < n {
		return false
	}
	slices.SortFunc(l.found, trace.Latest)
	l.found, l.floor = l.found[:n], l.found[n-1].Time
	return true
}

// sortMatches returns the found requests, latest first. It omits requests that are older than the newest request with
// deleted entries, because the list has gaps there.
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
