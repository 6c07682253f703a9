package store

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"sync"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/agent"
)

// A Journal is an [agent.Journal] for the runs of one owner. It is safe for concurrent use, also by several processes.
type Journal struct {
	st    *stream
	owner string

	mu    sync.Mutex
	known map[agent.RunID]place
}

var (
	_ agent.Journal   = (*Journal)(nil)
	_ agent.RunLister = (*Journal)(nil)
)

// A place is the end of a run: its number of entries and the sequence number of the last entry.
type place struct{ count, seq uint64 }

// maxKnown is the maximum number of runs whose end (see place) is cached.
const maxKnown = 2048

// Journal returns the journal of an owner. The owner is any string, such as the name of the user who runs agents. After
// Append fails with [callwright.KindUnavailable], only Load shows whether the entry was written.
func (s *Store) Journal(owner string) *Journal {
	return &Journal{st: s.streams[Runs], owner: token(owner), known: map[agent.RunID]place{}}
}

// Load returns the entries of a run and their number.
func (j *Journal) Load(ctx context.Context, run agent.RunID) (entries []agent.Entry, last uint64, err error) {
	const op = "store.load_run"
	if err := ready(ctx, op, run); err != nil {
		return nil, 0, err
	}
	end, err := j.end(ctx, op, run)
	if err != nil {
		return nil, 0, err
	}
	from := uint64(1)
	for n := uint64(1); n <= end.count; n++ {
		m, err := j.st.next(ctx, op, j.st.s.patience(), from, j.owner, string(run))
		if errors.Is(err, errNothing) {
			return nil, 0, damageError(op, run, n, errNothing)
		}
		if err != nil {
			return nil, 0, err
		}
		e, err := decodeEntry(m.data)
		if err == nil && m.count() != n {
			err = fmt.Errorf("expected entry %d, got %d", n, m.count())
		}
		if err != nil {
			return nil, 0, damageError(op, run, n, err)
		}
		entries, from = append(entries, e), m.seq+1
	}
	return entries, end.count, nil
}

// Append appends an entry to a run that has prev entries, and returns prev + 1. If the run has another number of
// entries, the error is of KindConflict.
func (j *Journal) Append(ctx context.Context, run agent.RunID, prev uint64, e agent.Entry) (last uint64, err error) {
	const op = "store.append"
	if err := ready(ctx, op, run); err != nil {
		return 0, err
	}
	if err := e.Validate(); err != nil {
		return 0, err
	}
	j.mu.Lock()
	end, known := j.known[run]
	j.mu.Unlock()
	if !known || end.count != prev {
		if end, err = j.end(ctx, op, run); err != nil {
			return 0, err
		}
	}
	if end.count != prev {
		return 0, conflict(op, run, end.count, prev)
	}
	data, err := encodeEntry(e)
	if err != nil {
		return 0, err
	}
	m := newMessage(data, j.owner, string(run))
	m.head.Set(headCount, strconv.FormatUint(prev+1, 10))
	seq, err := j.st.put(ctx, op, j.st.s.patience(), m, end.seq)
	if err != nil {
		j.mu.Lock()
		delete(j.known, run)
		j.mu.Unlock()
		if errors.Is(err, errMoved) {
			return 0, callwright.Errorf(op, callwright.KindConflict, "", "%s has more than %d entries", run, prev)
		}
		return 0, err
	}
	j.remember(run, place{prev + 1, seq})
	return prev + 1, nil
}

// Runs returns the ids of all runs with entries, in descending order.
func (j *Journal) Runs(ctx context.Context) ([]agent.RunID, error) {
	names, err := j.st.subjects(ctx, "store.runs", j.owner, "*")
	if err != nil {
		return nil, err
	}
	var runs []agent.RunID
	for _, name := range names {
		runs = append(runs, agent.RunID(name[1]))
	}
	slices.Sort(runs)
	slices.Reverse(runs)
	return runs, nil
}

// end reads the number of entries of a run and the position of the last one from NATS.
func (j *Journal) end(ctx context.Context, op string, run agent.RunID) (place, error) {
	m, err := j.st.last(ctx, op, j.st.s.patience(), j.owner, string(run))
	if errors.Is(err, errNothing) {
		return place{}, nil
	}
	if err != nil {
		return place{}, err
	}
	return place{m.count(), m.seq}, nil
}

// remember caches the end of a run, if it has more entries than the cached one.
func (j *Journal) remember(run agent.RunID, is place) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if _, known := j.known[run]; !known && len(j.known) >= maxKnown {
		clear(j.known)
	}
	if was := j.known[run]; was.count < is.count {
		j.known[run] = is
	}
}

// ready returns an error if ctx is done or the run id is invalid.
func ready(ctx context.Context, op string, run agent.RunID) error {
	if err := ctx.Err(); err != nil {
		return canceledError(op, err)
	}
	return run.Validate()
}

func conflict(op string, run agent.RunID, has, prev uint64) error {
	return callwright.Errorf(op, callwright.KindConflict, "", "%s has %d entries, not %d", run, has, prev)
}

func damageError(op string, run agent.RunID, n uint64, err error) error {
	return &callwright.Error{Op: op, Kind: callwright.KindInternal,
		Message: fmt.Sprintf("%s: entry %d is damaged", run, n), Err: err}
}

// count returns the number in the header headCount, 0 if there is none.
func (m *message) count() uint64 {
	n, _ := strconv.ParseUint(m.head.Get(headCount), 10, 64)
	return n
}

// encodeEntry encodes an entry as a line of JSON followed by the unchanged Data.
func encodeEntry(e agent.Entry) ([]byte, error) {
	data := e.Data
	e.Data = nil
	head, err := json.Marshal(e)
	if err != nil {
		return nil, &callwright.Error{Op: "store.append", Kind: callwright.KindInvalid, Err: err}
	}
	return append(append(head, '\n'), data...), nil
}

func decodeEntry(text []byte) (e agent.Entry, err error) {
	head, data, ok := bytes.Cut(text, []byte("\n"))
	if !ok {
		return e, errors.New("expected a line and data after it")
	}
	if err := json.Unmarshal(head, &e); err != nil {
		return e, err
	}
	e.Data = data
	return e, nil
}
