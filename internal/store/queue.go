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

// A Queue is an [eval.Queue] of an evaluation run whose cells any number of processes work on. A worker leases a cell
// and renews the lease until the cell is finished. If a worker dies, its lease expires and another worker gets the
// cell. Take waits while others hold the remaining cells. It reports that no cell is left when all are finished or
// leased by this Queue. A Queue is safe for concurrent use.
type Queue struct {
	st          *stream
	owner, name string // hashed, as subject tokens
	called      string // the name in plain text
	lease       time.Duration

	mu      sync.Mutex
	header  *eval.Header // nil before Open
	cells   map[eval.CellID]int
	order   []eval.Cell
	results map[eval.CellID]eval.Result
	mine    map[eval.CellID]uint64    // cells leased by this Queue, with the sequence number of the lease
	others  map[eval.CellID]time.Time // cells leased by others, with the time of the next check
	renewal sync.Once
}

var _ eval.Shared = (*Queue)(nil)

// DefaultLease is the lifetime of a lease that is not renewed.
const DefaultLease = 30 * time.Second

// The subject tokens of a queue's messages after its owner and name.
const (
	queueHeader = "h"
	queueResult = "r"
	queueLease  = "c"
)

// A queueBegin is the JSON of the message queueHeader.
type queueBegin struct {
	eval.Header
	Name string `json:"name"`
}

// Queue returns the queue with a name and owner. Open starts its run. A lease of 0 means DefaultLease; the minimum is
// one second.
func (s *Store) Queue(owner, name string, lease time.Duration) *Queue {
	if lease == 0 {
		lease = DefaultLease
	}
	return &Queue{
		st: s.streams[Queues], owner: token(owner), name: token(name), called: name, lease: max(lease, time.Second),
		results: map[eval.CellID]eval.Result{}, mine: map[eval.CellID]uint64{}, others: map[eval.CellID]time.Time{},
	}
}

// Open starts the run or continues an existing run with the same header. It returns the existing results.
func (q *Queue) Open(ctx context.Context, header eval.Header, cells []eval.Cell) ([]eval.Result, error) {
	const op = "store.open_queue"
	if err := eval.Ready(ctx); err != nil {
		return nil, err
	}
	index := make(map[eval.CellID]int, len(cells))
	for i, c := range cells {
		if _, twice := index[c.ID]; twice {
			return nil, callwright.Errorf(op, callwright.KindInvalid, "", "the cell %q is listed twice", c.ID)
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

// begin writes the header, or compares it with that of the existing run. The caller holds q.mu.
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
		return &callwright.Error{Op: op, Kind: callwright.KindInternal, Message: "the header of the run is damaged", Err: err}
	}
	if has != header {
		return eval.Conflict(has, header)
	}
	return nil
}

// read reads all existing results. The caller holds q.mu.
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

// applyResult records the result in a message. The caller holds q.mu.
func (q *Queue) applyResult(op string, m *message) error {
	var r eval.Result
	if err := json.Unmarshal(m.data, &r); err != nil {
		return &callwright.Error{Op: op, Kind: callwright.KindInternal, Message: "a result is damaged", Err: err}
	}
	q.results[r.ID] = r
	delete(q.others, r.ID)
	return nil
}

// Results returns the results of all finished cells, from all workers.
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

// MeasurementResults returns the header and the results of a run by its owner and name. The run may be in progress. If
// it does not exist, the error is of KindNotFound.
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

// A Measurement describes an evaluation run with a queue.
type Measurement struct {
	Name    string
	Changed time.Time // time of the last result, or of the start
	Results int
}

// Measurements returns the evaluation runs of an owner, in any order.
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

// Take leases a cell that is neither finished nor leased. ok is false if none is left. It waits while others hold the
// remaining cells.
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

// try leases the first free cell. left reports whether others hold cells that may become free.
func (q *Queue) try(ctx context.Context, op string) (c eval.Cell, ok, left bool, err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.order) > 0 && q.hasResult(q.order[0].ID) { // skips finished cells once, since there may be thousands
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

// hasResult reports whether a cell is known to be finished. The caller holds q.mu.
func (q *Queue) hasResult(id eval.CellID) bool {
	_, ok := q.results[id]
	return ok
}

// claim leases a cell. free is false if another worker holds it or it is finished. The caller holds q.mu.
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
	// The previous holder may have finished the cell since the last check.
	if done, err := q.look(ctx, op, id); done || err != nil {
		return false, errors.Join(err, q.st.drop(ctx, op, q.st.s.patience(), seq))
	}
	q.mine[id] = seq
	delete(q.others, id)
	return true, nil
}

// look reads whether a cell is finished. The caller holds q.mu.
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

// Finish stores the result of a cell. It does nothing if the cell already has a result.
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
	case errors.Is(err, errMoved): // another worker stored a result first
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
		_ = q.st.drop(ctx, op, requestTimeout, seq) // otherwise the lease expires
	}
	return nil
}

// Close releases the cells leased by this Queue, so that other workers need not wait for the leases to expire.
func (q *Queue) Close() error {
	q.mu.Lock()
	defer q.mu.Unlock()
	var all error
	for id, seq := range q.mine {
		all = errors.Join(all, q.st.drop(q.st.s.ctx, "store.close_queue", requestTimeout, seq))
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
			} else if err == nil { // finished or released meanwhile
				_ = q.st.drop(q.st.s.ctx, "store.renew", requestTimeout, seq)
			}
			q.mu.Unlock()
		}
	}
}
