package store

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/eval"
)

// A Queue is an [eval.Queue] whose cells are worked on by any number of processes. A cell is leased to who took it, and
// the lease renewed until it is finished: that of a worker who dies runs out, and the cell is given to another one.
// While others hold the cells that are left, Take waits for them: it says that there is none left when all are finished
// or held by this Queue. It is safe for concurrent use.
type Queue struct {
	st          *stream
	owner, name string // as tokens
	called      string // the name as it is
	lease       time.Duration

	mu      sync.Mutex
	header  *eval.Header // nil before Open
	cells   map[eval.CellID]int
	order   []eval.Cell
	results map[eval.CellID]eval.Result
	mine    map[eval.CellID]uint64    // the cells that are leased to this Queue, with the sequence number of the lease
	others  map[eval.CellID]time.Time // those that others hold, with when that is looked at again
	renewal sync.Once
}

var _ eval.Shared = (*Queue)(nil)

// DefaultLease is how long a cell is held that nobody renews.
const DefaultLease = 30 * time.Second

// The subjects of a queue, behind its owner and its name.
const (
	queueHeader = "h"
	queueResult = "r"
	queueLease  = "c"
)

// A queueBegin is the content of the message of queueHeader.
type queueBegin struct {
	eval.Header
	Name string `json:"name"`
}

// Queue is the queue of a name that an owner has; a run is begun by Open. A lease of 0 is DefaultLease, the shortest is
// a second.
func (s *Store) Queue(owner, name string, lease time.Duration) *Queue {
	if lease == 0 {
		lease = DefaultLease
	}
	return &Queue{
		st: s.streams[Queues], owner: token(owner), name: token(name), called: name, lease: max(lease, time.Second),
		results: map[eval.CellID]eval.Result{}, mine: map[eval.CellID]uint64{}, others: map[eval.CellID]time.Time{},
	}
}

// Open begins a run or continues with the one that is there.
func (q *Queue) Open(ctx context.Context, header eval.Header, cells []eval.Cell) ([]eval.Result, error) {
	const op = "store.open_queue"
	if err := eval.Ready(ctx); err != nil {
		return nil, err
	}
	index := make(map[eval.CellID]int, len(cells))
	for i, c := range cells {
		if _, twice := index[c.ID]; twice {
			return nil, callwright.Errorf(op, callwright.KindInvalid, "", "the cell %q stands twice", c.ID)
		}
		index[c.ID] = i
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if err := q.begin(ctx, op, header); err != nil {
		return nil, err
	}
	if err := q.read(ctx, op); err != nil {
		return nil, err
	}
	for id, seq := range q.mine {
		if err := q.st.drop(ctx, op, q.st.s.patience(), seq); err != nil {
			return nil, err
		}
		delete(q.mine, id)
	}
	q.header, q.cells, q.order = &header, index, slices.Clone(cells)
	clear(q.others)
	var done []eval.Result
	for _, c := range cells {
		if r, ok := q.results[c.ID]; ok {
			done = append(done, r)
		}
	}
	return done, nil
}

// begin writes the header, or holds it against that of the run that is there. The lock is held.
func (q *Queue) begin(ctx context.Context, op string, header eval.Header) error {
	if q.header != nil && *q.header != header {
		return eval.Conflict(*q.header, header)
	}
	data, err := json.Marshal(queueBegin{header, q.called})
	if err != nil {
		return err
	}
	_, err = q.st.put(ctx, op, q.st.s.patience(), newMessage(data, q.owner, q.name, queueHeader), 0)
	if !errors.Is(err, errMoved) {
		return err
	}
	m, err := q.st.last(ctx, op, q.st.s.patience(), q.owner, q.name, queueHeader)
	if err != nil {
		return err
	}
	var has eval.Header
	if err := json.Unmarshal(m.data, &has); err != nil {
		return &callwright.Error{Op: op, Kind: callwright.KindInternal, Message: "the header of the run cannot be read", Err: err}
	}
	if has != header {
		return eval.Conflict(has, header)
	}
	return nil
}

// read takes all results that are there. The lock is held.
func (q *Queue) read(ctx context.Context, op string) error {
	for from := uint64(1); ; {
		m, err := q.st.next(ctx, op, q.st.s.patience(), from, q.owner, q.name, queueResult, "*")
		if errors.Is(err, errNothing) {
			return nil
		}
		if err != nil {
			return err
		}
		if err := q.applyResult(op, m); err != nil {
			return err
		}
		from = m.seq + 1
	}
}

// applyResult takes a result. The lock is held.
func (q *Queue) applyResult(op string, m *message) error {
	var r eval.Result
	if err := json.Unmarshal(m.data, &r); err != nil {
		return &callwright.Error{Op: op, Kind: callwright.KindInternal, Message: "a result cannot be read", Err: err}
	}
	q.results[r.ID] = r
	delete(q.others, r.ID)
	return nil
}

// Results returns the results of all cells that are finished, whoever finished them.
func (q *Queue) Results(ctx context.Context) ([]eval.Result, error) {
	const op = "store.results"
	if err := eval.Ready(ctx); err != nil {
		return nil, err
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if err := q.read(ctx, op); err != nil {
		return nil, err
	}
	return slices.Collect(maps.Values(q.results)), nil
}

// MeasurementResults returns the header of an owner's run by its name, and its results, also of one that is under way;
// errors of KindNotFound where there is none.
func (s *Store) MeasurementResults(ctx context.Context, owner, name string) (header eval.Header, results []eval.Result, err error) {
	const op = "store.measured"
	q := s.Queue(owner, name, 0)
	m, err := q.st.last(ctx, op, s.patience(), q.owner, q.name, queueHeader)
	if errors.Is(err, errNothing) {
		return header, nil, callwright.Errorf(op, callwright.KindNotFound, "", "there is no run %q", name)
	}
	if err == nil {
		err = json.Unmarshal(m.data, &header)
	}
	if err == nil {
		results, err = q.Results(ctx)
	}
	return header, results, err
}

// A Measurement is a run of a queue.
type Measurement struct {
	Name    string
	Changed time.Time // when the last result was kept, or else when it was begun
	Results int
}

// Measurements lists the runs of queues that an owner has, in any order.
func (s *Store) Measurements(ctx context.Context, owner string) (out []Measurement, err error) {
	const op = "store.measurements"
	st, owner := s.streams[Queues], token(owner)
	names, err := st.subjects(ctx, op, owner, ">")
	if err != nil {
		return nil, err
	}
	results := map[string]int{}
	for _, name := range names {
		n := 0
		if name[2] == queueResult {
			n = 1
		}
		results[name[1]] += n
	}
	for name, n := range results {
		begun, err := st.last(ctx, op, s.patience(), owner, name, queueHeader)
		if errors.Is(err, errNothing) {
			continue
		}
		if err != nil {
			return nil, err
		}
		var begin queueBegin
		if json.Unmarshal(begun.data, &begin) != nil {
			continue
		}
		m := Measurement{Name: begin.Name, Changed: begun.time, Results: n}
		switch last, err := st.last(ctx, op, s.patience(), owner, name, queueResult, "*"); {
		case err == nil:
			m.Changed = last.time
		case !errors.Is(err, errNothing):
			return nil, err
		}
		out = append(out, m)
	}
	return out, nil
}

// Take gives a cell that nobody has finished and nobody holds.
func (q *Queue) Take(ctx context.Context) (c eval.Cell, ok bool, err error) {
	const op = "store.take"
	for {
		if err := eval.Ready(ctx); err != nil {
			return eval.Cell{}, false, err
		}
		c, ok, left, err := q.try(ctx, op)
		if ok || err != nil || !left {
			return c, ok, err
		}
		timer := time.NewTimer(q.lease / 10)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
		}
	}
}

// try leases the first cell that can be had. left says that others hold cells that may come back.
func (q *Queue) try(ctx context.Context, op string) (c eval.Cell, ok, left bool, err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.order) > 0 && q.hasResult(q.order[0].ID) { // of thousands of cells most are finished at some time
		q.order = q.order[1:]
	}
	now := time.Now()
	for _, c := range q.order {
		_, mine := q.mine[c.ID]
		if mine || q.hasResult(c.ID) {
			continue
		}
		if now.Before(q.others[c.ID]) {
			left = true
			continue
		}
		switch free, err := q.claim(ctx, op, c.ID); {
		case err != nil:
			return eval.Cell{}, false, false, err
		case free:
			q.renewal.Do(func() { q.st.s.tasks.Go(q.renew) })
			return c, true, false, nil
		}
		if !q.hasResult(c.ID) {
			left = true
		}
	}
	return eval.Cell{}, false, left, nil
}

// hasResult reports whether a cell is known to be finished, as it is for good. The lock is held.
func (q *Queue) hasResult(id eval.CellID) bool {
	_, ok := q.results[id]
	return ok
}

// claim leases a cell, unless another one holds it or has finished it. The lock is held.
func (q *Queue) claim(ctx context.Context, op string, id eval.CellID) (free bool, err error) {
	m := newMessage(nil, q.owner, q.name, queueLease, token(string(id)))
	m.expire(q.lease)
	seq, err := q.st.put(ctx, op, q.st.s.patience(), m, 0)
	if errors.Is(err, errMoved) {
		q.others[id] = time.Now().Add(q.lease / 10)
		_, err = q.look(ctx, op, id)
		return false, err
	}
	if err != nil {
		return false, err
	}
	// Who held it before may have finished it since it was looked at.
	if done, err := q.look(ctx, op, id); done || err != nil {
		return false, errors.Join(err, q.st.drop(ctx, op, q.st.s.patience(), seq))
	}
	q.mine[id] = seq
	delete(q.others, id)
	return true, nil
}

// look reports whether a cell is finished. The lock is held.
func (q *Queue) look(ctx context.Context, op string, id eval.CellID) (done bool, err error) {
	m, err := q.st.last(ctx, op, q.st.s.patience(), q.owner, q.name, queueResult, token(string(id)))
	if errors.Is(err, errNothing) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	return true, q.applyResult(op, m)
}

// Finish keeps the result of a cell.
func (q *Queue) Finish(ctx context.Context, r eval.Result) error {
	const op = "store.finish"
	if err := eval.Ready(ctx); err != nil {
		return err
	}
	q.mu.Lock()
	_, known := q.cells[r.ID]
	_, done := q.results[r.ID]
	q.mu.Unlock()
	if !known {
		return callwright.Errorf(op, callwright.KindNotFound, "", "the run has no cell %q", callwright.Excerpt(string(r.ID)))
	}
	if done {
		return nil
	}
	data, err := json.Marshal(r)
	if err != nil {
		return &callwright.Error{Op: op, Kind: callwright.KindInvalid, Err: err}
	}
	_, err = q.st.put(ctx, op, q.st.s.patience(), newMessage(data, q.owner, q.name, queueResult, token(string(r.ID))), 0)
	q.mu.Lock()
	defer q.mu.Unlock()
	switch {
	case errors.Is(err, errMoved): // another one was faster
		if _, err := q.look(ctx, op, r.ID); err != nil {
			return err
		}
	case err != nil:
		return err
	default:
		q.results[r.ID] = r
	}
	if seq, held := q.mine[r.ID]; held {
		delete(q.mine, r.ID)
		_ = q.st.drop(ctx, op, quick, seq) // else it runs out
	}
	return nil
}

// Close gives back the cells that are leased to this Queue, so that others need not wait until their leases run out.
func (q *Queue) Close() error {
	q.mu.Lock()
	defer q.mu.Unlock()
	var all error
	for id, seq := range q.mine {
		all = errors.Join(all, q.st.drop(q.st.s.ctx, "store.close_queue", quick, seq))
		delete(q.mine, id)
	}
	return all
}

// renew renews the leases of this Queue until the Store is closed.
func (q *Queue) renew() {
	for q.st.s.wait(q.lease / 3) {
		q.mu.Lock()
		held := maps.Clone(q.mine)
		q.mu.Unlock()
		for id, was := range held {
			m := newMessage(nil, q.owner, q.name, queueLease, token(string(id)))
			m.expire(q.lease)
			seq, err := q.st.put(q.st.s.ctx, "store.renew", q.lease/3, m, was)
			q.mu.Lock()
			if q.mine[id] == was && err == nil {
				q.mine[id] = seq
			} else if err == nil { // it was finished or given back meanwhile
				_ = q.st.drop(q.st.s.ctx, "store.renew", quick, seq)
			}
			q.mu.Unlock()
		}
	}
}
