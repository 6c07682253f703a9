package store

import (
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/callwright/callwright/internal/trace"
	"golang.org/x/sync/errgroup"
)

// traceKeys have in memory what the summaries of an owner are found by, so that few are read of which a query asks for few: about 100 bytes each. They are read
// from when a list is first asked for, and are at most twice as many as there are summaries.
type traceKeys struct {
	owner string
	f     *follower
	start sync.Once

	mu   sync.Mutex
	list []traceKey
	byID map[traceID]int32 // where the key of a request stands
	most int               // at so many it is looked which summaries are kept no more
}

// leastKeys is the least of traceKeys.most.
const leastKeys = 1024

// A traceID is the token of a request's id, as bytes.
type traceID [16]byte

// A traceKey is that of the last summary of a request.
type traceKey struct {
	trace.Sketch
	id    traceID
	seq   uint64 // of the summary
	first uint64 // of the request in the stream of traces
}

func newTraceKeys(st *stream, owner string) *traceKeys {
	k := &traceKeys{owner: owner, byID: map[traceID]int32{}, most: leastKeys}
	k.f = newFollower(st, k.heard, nil)
	return k
}

// heard takes a summary.
func (k *traceKeys) heard(m *message) {
	if len(m.tokens) != 2 || m.tokens[0] != k.owner {
		return
	}
	is, ok := parseLine(m.data)
	var id traceID
	if n, err := hex.Decode(id[:], []byte(m.tokens[1])); !ok || err != nil || n != len(id) {
		return
	}
	s, err := trace.ParseSummary(is.text)
	if err != nil {
		return
	}
	s.Time = time.Unix(0, is.asked)
	if k.put(traceKey{trace.SketchOf(&s), id, m.seq, is.first}) {
		k.trim()
	}
}

// put keeps a key, and reports whether there are so many that some may be of no use.
func (k *traceKeys) put(key traceKey) (many bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if at, ok := k.byID[key.id]; ok {
		k.list[at] = key
		return false
	}
	k.byID[key.id] = int32(len(k.list))
	k.list = append(k.list, key)
	return len(k.list) >= k.most
}

// trim forgets the keys of what is kept no more: lists may not be asked for any more, which do.
func (k *traceKeys) trim() {
	st := k.f.st
	info, err := st.info(st.s.ctx, opTrace, answerTime)
	k.mu.Lock()
	defer k.mu.Unlock()
	if err == nil {
		k.forget(info.State.FirstSeq)
	}
	k.most = max(2*len(k.list), leastKeys)
}

// current reports whether the keys are of all summaries up to one, for which it waits a moment. The first time they are read beside.
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

// A candidate is a request that a query may ask for.
type candidate struct {
	began int64 // in nanoseconds
	id    traceID
}

// asked are those that a query may ask for, the latest first, of requests that begin at a sequence number or behind it, and when the latest began of the others. What
// is kept no more is forgotten.
func (k *traceKeys) asked(q *trace.Query, first, kept uint64) (out []candidate, missing time.Time) {
	filter, gone := trace.NewFilter(*q), 0
	k.mu.Lock()
	defer k.mu.Unlock()
	for i := len(k.list) - 1; i >= 0; i-- { // nearly sorted
		switch key := &k.list[i]; {
		case key.seq < kept:
			gone++
		case key.first < first:
			missing = later(missing, time.Unix(0, key.Began()))
		case filter.MayMatch(&key.Sketch):
			if out == nil {
				out = make([]candidate, 0, i+1)
			}
			out = append(out, candidate{key.Began(), key.id})
		}
	}
	if gone > len(k.list)/4 {
		k.forget(kept)
	}
	slices.SortFunc(out, func(a, b candidate) int { return cmp.Compare(b.began, a.began) })
	return out, missing
}

// forget drops the keys of summaries before one. The lock is held.
func (k *traceKeys) forget(kept uint64) {
	k.list = slices.Clone(slices.DeleteFunc(k.list, func(key traceKey) bool { return key.seq < kept }))
	k.byID = make(map[traceID]int32, len(k.list))
	for i := range k.list {
		k.byID[k.list[i].id] = int32(i)
	}
}

// summariesAtOnce is how many are asked for at the same time.
const summariesAtOnce = 8

// byKeys reads the summaries that may be asked for, from the latest on, until no other one is.
func (l *listing) byKeys(ctx context.Context, keys []candidate) error {
	l.cut()
	for len(keys) > 0 && (len(l.found) < l.q.Most() || keys[0].began >= l.floor.UnixNano()) {
		n := min(len(keys), max(l.q.Most()-len(l.found), summariesAtOnce))
		lines := make([]line, n)
		group, ctx := errgroup.WithContext(ctx)
		group.SetLimit(summariesAtOnce)
		for i, key := range keys[:n] {
			group.Go(func() (err error) {
				lines[i], err = l.t.summaryOf(ctx, key.id)
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
func (t *TraceLog) summaryOf(ctx context.Context, id traceID) (line, error) {
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
