package keyring

import (
	"context"
	"time"
)

// A Query selects changes. A zero field selects all.
type Query struct {
	Kind   Kind
	Name   string // of the key or the group
	Who    string
	From   time.Time // at or after
	To     time.Time // before
	Before uint64    // the number
	Limit  int       // the newest so many; 0 is 100
}

// defaultEvents is how many events are returned where a Query does not say.
const defaultEvents = 100

// Audit returns changes, the newest first. Of each key and group at least the last 64 are kept.
func (r *Ring) Audit(ctx context.Context, q Query) ([]Event, error) {
	if q.Limit <= 0 {
		q.Limit = defaultEvents
	}
	last := map[string]*change{}
	var list []Event
	err := r.log.Read(ctx, func(e Entry) {
		c, ok := decodeChange(e.Data)
		if !ok {
			return
		}
		at := subject(c.Kind, c.Name)
		before := last[at]
		last[at] = c
		if !q.selects(e.Number, c) {
			return
		}
		list = append(list, Event{Number: e.Number, Time: c.Time, Who: c.Who, Action: c.Action, Kind: c.Kind, Name: c.Name,
			Before: before.settings(), After: c.settings()})
		if len(list) > 2*q.Limit {
			list = append(list[:0], list[len(list)-q.Limit:]...)
		}
	})
	if err != nil {
		return nil, err
	}
	out := make([]Event, 0, min(len(list), q.Limit))
	for i := len(list) - 1; i >= 0 && len(out) < q.Limit; i-- {
		out = append(out, list[i])
	}
	return out, nil
}

// selects reports whether a query selects a change.
func (q *Query) selects(number uint64, c *change) bool {
	return (q.Kind == "" || q.Kind == c.Kind) && (q.Name == "" || q.Name == c.Name) && (q.Who == "" || q.Who == c.Who) &&
		(q.From.IsZero() || !c.Time.Before(q.From)) && (q.To.IsZero() || c.Time.Before(q.To)) && (q.Before == 0 || number < q.Before)
}
