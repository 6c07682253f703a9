package store

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/callwright/callwright/internal/store/internal/traceindex"
	"github.com/callwright/callwright/internal/trace"
)

// What summaries are found by is forgotten with them, also where no list is asked for again.
func TestTraceKeysAreFew(t *testing.T) {
	t.Parallel()
	s, err := Open(t.Context(), Config{Dir: filepath.Join(t.TempDir(), "nats")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	l := s.Traces("", trace.LogLimits{Bytes: 2 * mebi})
	if _, err := l.List(t.Context(), trace.Query{}); err != nil {
		t.Fatal(err)
	}
	const requests = 6000
	for i := range requests {
		id, now := fmt.Sprintf("rep_%d", i), time.Now()
		for _, e := range []trace.Entry{
			{Kind: trace.KindRequest, ID: id, Time: now, Model: "lab/one", Data: json.RawMessage(`{"messages":[]}`)},
			{Kind: trace.KindAnswer, ID: id, Time: now, Data: json.RawMessage(`{"report":{"untouched":true}}`)},
		} {
			for err := trace.ErrFull; errors.Is(err, trace.ErrFull); {
				if err = l.Append(e); err != nil && !errors.Is(err, trace.ErrFull) {
					t.Fatal(err)
				}
			}
		}
	}
	l.drain()
	info, err := l.summaries.info(t.Context(), opTrace, answerTime)
	if err != nil {
		t.Fatal(err)
	}
	if !l.keys.current(t.Context(), info.State.LastSeq) {
		t.Fatal("the keys were not read")
	}
	if keys, kept := l.keys.index.Len(), int(info.State.Msgs); kept == 0 || kept > requests/3 || keys > max(2*kept, traceindex.Least) {
		t.Errorf("%d keys of %d summaries", keys, kept)
	}
}

// What was left out behind all that is written of a request is said in its trace as soon as there is room, though nothing comes any more.
func TestLossIsSaid(t *testing.T) {
	t.Parallel()
	s, err := Open(t.Context(), Config{Dir: filepath.Join(t.TempDir(), "nats")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	l := s.Traces("", trace.LogLimits{})
	if err := l.Append(trace.Entry{Kind: trace.KindRequest, ID: "rep_1", Time: time.Now(), Model: "lab/one", Data: json.RawMessage(`{"messages":[]}`)}); err != nil {
		t.Fatal(err)
	}
	l.drain()
	fill := func(by int) {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.bytes += by
	}
	fill(maxTraceWaiting)
	if err := l.Append(trace.Entry{Kind: trace.KindAnswer, ID: "rep_1", Time: time.Now()}); !errors.Is(err, trace.ErrFull) {
		t.Fatalf("got %v", err)
	}
	l.sweep(time.Now().Add(pieceWait))
	if got, err := l.Entries(t.Context(), "rep_1"); err != nil || len(got) != 1 {
		t.Errorf("without room: %v and %v", got, err)
	}
	fill(-maxTraceWaiting)
	l.sweep(time.Now().Add(pieceWait))
	if got, err := l.Entries(t.Context(), "rep_1"); err != nil || len(got) != 2 || got[1].Kind != trace.KindLost {
		t.Errorf("with room: %v and %v", got, err)
	}
}

// Of a request each piece is shown once, though what was in memory may be on NATS meanwhile.
func TestPiecesOnce(t *testing.T) {
	a, b, cut, open := piece{id: "a", n: 1}, piece{id: "b", n: 2}, piece{id: "c", n: 3}, piece{n: 3}
	for _, tc := range []struct{ kept, here, want []piece }{
		{nil, []piece{a, open}, []piece{a, open}},
		{[]piece{a, b}, []piece{b, open}, []piece{a, b, open}},
		{[]piece{a, b, cut}, []piece{b, open}, []piece{a, b, cut}},
		{[]piece{a}, nil, []piece{a}},
	} {
		same := func(p, q piece) bool { return p.id == q.id && p.n == q.n }
		if got := withRemembered(tc.kept, tc.here); !slices.EqualFunc(got, tc.want, same) {
			t.Errorf("%v and %v: got %v", tc.kept, tc.here, got)
		}
	}
}
