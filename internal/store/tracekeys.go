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

// traceKeys hold in memory the keys by which the summaries of an owner are found, so that a query for few reads few:
// about 100 bytes each. They are read when a list is first asked for, and are at most twice as many as there are
// summaries.
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

// applyMessage takes a summary.
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

// trim removes the keys of deleted summaries. Lists do so too, but there may be none for long.
func (k *traceKeys) trim() {
	st := k.f.st
	info, err := st.info(st.s.ctx, opTrace, answerTime)
	if err != nil {
		k.index.Trim(0)
		return
	}
	k.index.Trim(info.State.FirstSeq)
}

// current reports whether the keys are of all summaries up to one, for which it waits a moment. The first time they are
// read beside.
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

// summariesAtOnce is how many are asked for at the same time.
const summariesAtOnce = 8

// byKeys reads the summaries that may be asked for, from the latest on, until no other one is.
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

// summaryOf reads the last summary of a request; nothing where it is kept no more, or cannot be read.
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
