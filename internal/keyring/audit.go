package keyring

import (
	"context"
	"time"
)

// A Query selects changes. A zero field selects all.
type Query struct {
	Kind   Kind
	Name   string // name of the key or the group
	Who    string
	From   time.Time // changes at or after this time
	To     time.Time // changes before this time
	Before uint64    // changes with a smaller number
	Limit  int       // maximum number of changes, the newest; 0 means 100
}

// defaultEvents is the default of Query.Limit.
const defaultEvents = 100

// Audit returns the selected changes, the newest first. At least the last 64 changes of each key and group are
// available.
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

// selects reports whether the query selects change c with the given number.
func (q *Query) selects(number uint64, c *change) bool {
	return (q.Kind == "" || q.Kind == c.Kind) && (q.Name == "" || q.Name == c.Name) && (q.Who == "" || q.Who == c.Who) &&
		(q.From.IsZero() || !c.Time.Before(q.From)) && (q.To.IsZero() || c.Time.Before(q.To)) && (q.Before == 0 || number < q.Before)
}
