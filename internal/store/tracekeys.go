package store

import (
	"context"
	"encoding/hex"
	"errors"
	"sync"
	"time"

	"github.com/callwright/callwright/internal/store/internal/traceindex"
	"github.com/callwright/callwright/internal/trace"
	"golang.org/x/sync/errgroup"
)

// traceKeys is an in-memory index of an owner's trace summaries, so that a query reads few of them. It needs about 100
// bytes per entry and has at most twice as many entries as there are summaries. It is filled when a list is first
// requested.
type traceKeys struct {
	owner string
	f     *follower
	start sync.Once

	index *traceindex.Index
}

func newTraceKeys(st *stream, owner string) *traceKeys {
	k := &traceKeys{owner: owner, index: traceindex.New()}
	k.f = newFollower(st, k.applyMessage, nil)
	return k
}

// applyMessage adds the summary in a message to the index.
func (k *traceKeys) applyMessage(m *message) {
	if len(m.tokens) != 2 || m.tokens[0] != k.owner {
		return
	}
	is, ok := parseLine(m.data)
	var id traceindex.ID
	if n, err := hex.Decode(id[:], []byte(m.tokens[1])); !ok || err != nil || n != len(id) {
		return
	}
	s, err := trace.ParseSummary(is.text)
	if err != nil {
		return
	}
	s.Time = time.Unix(0, is.asked)
	if k.index.Put(traceindex.Key{Sketch: trace.SketchOf(&s), ID: id, Seq: m.seq, First: is.first}) {
		k.trim()
	}
}

// trim removes the keys of deleted summaries. Lists do that too, but may be rare.
func (k *traceKeys) trim() {
	st := k.f.st
	info, err := st.info(st.s.ctx, opTrace, answerTime)
	if err != nil {
		k.index.Trim(0)
		return
	}
	k.index.Trim(info.State.FirstSeq)
}

// current reports whether the index contains all summaries up to the sequence number last. It waits up to attemptTime.
// The first call only starts to fill the index.
func (k *traceKeys) current(ctx context.Context, last uint64) bool {
	k.start.Do(k.f.start)
	if !k.f.isReady() {
		return false
	}
	ctx, cancel := context.WithTimeout(ctx, attemptTime)
	defer cancel()
	k.f.reach(ctx, last)
	return ctx.Err() == nil
}

// summariesAtOnce is the number of summaries read concurrently.
const summariesAtOnce = 8

// byKeys reads the candidate summaries, latest first, until no older one can be among the results.
func (l *listing) byKeys(ctx context.Context, keys []traceindex.Candidate) error {
	l.cut()
	for len(keys) > 0 && (len(l.found) < l.q.Most() || keys[0].Began >= l.floor.UnixNano()) {
		n := min(len(keys), max(l.q.Most()-len(l.found), summariesAtOnce))
		lines := make([]line, n)
		group, ctx := errgroup.WithContext(ctx)
		group.SetLimit(summariesAtOnce)
		for i, key := range keys[:n] {
			group.Go(func() (err error) {
				lines[i], err = l.t.summaryOf(ctx, key.ID)
				return err
			})
		}
		if err := group.Wait(); err != nil {
			return err
		}
		for i := range lines {
			if lines[i].text != nil {
				l.take(&lines[i])
			}
		}
		keys = keys[n:]
		l.cut()
	}
	return nil
}

// summaryOf reads the last summary of a request. It returns an empty line if there is none or it cannot be parsed.
func (t *TraceLog) summaryOf(ctx context.Context, id traceindex.ID) (line, error) {
	m, err := t.summaries.last(ctx, opTrace, t.s.patience(), t.owner, hex.EncodeToString(id[:]))
	if errors.Is(err, errNothing) {
		return line{}, nil
	}
	if err != nil {
		return line{}, err
	}
	is, _ := parseLine(m.data)
	return is, nil
}
