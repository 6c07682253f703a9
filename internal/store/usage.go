package store

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/ledger"
)

// A UsageStore is the [ledger.Store] shared by all gateways of a space. It is safe for concurrent use.
type UsageStore struct{ st *stream }

var _ ledger.Store = (*UsageStore)(nil)

// usageToken is the first subject token of usage rows. The day, the id of the Store that wrote them, and the key
// follow.
const usageToken = "u"

// Usage returns the usage ledger of the space.
func (s *Store) Usage() *UsageStore { return &UsageStore{s.streams[Usage]} }

// Write stores the rows of a key for a day and replaces the rows that this Store wrote for them before.
func (u *UsageStore) Write(ctx context.Context, day, key string, rows []ledger.Row) error {
	const op = "store.write_usage"
	data, err := json.Marshal(rows)
	if err != nil {
		return &callwright.Error{Op: op, Kind: callwright.KindInvalid, Err: err}
	}
	_, err = u.st.put(ctx, op, requestTimeout, newMessage(data, usageToken, day, token(u.st.s.id), token(key)), anyway)
	return err
}

// Read calls heard with each row of a range of days. from is the first day and to the last one, as in 2006-01-02.
func (u *UsageStore) Read(ctx context.Context, from, to string, heard func(ledger.Row)) error {
	const op = "store.read_usage"
	info, err := u.st.info(ctx, op, u.st.s.patience())
	if err != nil {
		return err
	}
	first, err := u.first(ctx, op, from, to)
	if err != nil || first == 0 {
		return err
	}
	return u.st.read(ctx, op, first, info.State.LastSeq+1, usageToken, func(m *message) {
		var rows []ledger.Row
		if json.Unmarshal(m.data, &rows) != nil {
			return
		}
		for _, r := range rows {
			if from <= r.Day && r.Day <= to {
				heard(r)
			}
		}
	})
}

// first returns the sequence number of the first message of a range of days, 0 if there is none. from is the first day
// and to the last one. At midnight, the last rows of a day may be written after the first rows of the next day.
// Therefore first compares the first messages of both days.
func (u *UsageStore) first(ctx context.Context, op, from, to string) (uint64, error) {
	at, err := time.Parse(time.DateOnly, from)
	if err != nil {
		return 0, callwright.Errorf(op, callwright.KindInvalid, "", "expected a day, got %q", from)
	}
	first := uint64(0)
	for ; at.Format(time.DateOnly) <= to; at = at.AddDate(0, 0, 1) {
		m, err := u.st.next(ctx, op, u.st.s.patience(), 1, usageToken, at.Format(time.DateOnly), ">")
		switch {
		case errors.Is(err, errNothing):
			if first == 0 {
				continue
			}
			return first, nil
		case err != nil:
			return 0, err
		case first > 0:
			return min(first, m.seq), nil
		}
		first = m.seq
	}
	return first, nil
}
