package store

import (
	"context"
	"errors"
	"strings"
	"time"
)

// expireEvery is the interval between removals of expired data.
const expireEvery = time.Hour

// expire removes expired runs and queues, each as a whole, until the Store is closed.
func (s *Store) expire() {
	for ok := true; ok; ok = s.wait(expireEvery) {
		for _, st := range s.streams {
			if st.row.whole == nil || st.bounds.age <= 0 {
				continue
			}
			if err := st.expire(s.ctx); err != nil {
				s.conf.Logger.Debug("state: removing expired data", "kind", st.row.kind, "error", err)
			}
		}
	}
}

// expire removes the expired runs or queues of the stream.
func (st *stream) expire(ctx context.Context) error {
	const op = "store.expire"
	names, err := st.subjects(ctx, op, ">")
	if err != nil {
		return err
	}
	seen := map[string]bool{}
	for _, name := range names {
		whole := st.row.whole(name)
		key := joinTokens(whole)
		if seen[key] {
			continue
		}
		seen[key] = true
		m, err := st.last(ctx, op, st.s.patience(), whole...)
		if errors.Is(err, errNothing) || err == nil && st.s.conf.Now().Sub(m.time) < st.bounds.age {
			continue
		}
		if err == nil {
			err = st.purge(ctx, op, st.s.patience(), whole...)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// wholeRun and wholeQueue return the subject pattern of all messages of a run or of a queue.
func wholeRun(tokens []string) []string { return tokens }

func wholeQueue(tokens []string) []string { return []string{tokens[0], tokens[1], ">"} }

// partsOf returns the subject pattern of the continuation messages of all messages that match the pattern tokens.
func partsOf(tokens []string) []string {
	trimmed := tokens
	if n := len(tokens); n > 0 && strings.Trim(tokens[n-1], ">") == "" {
		trimmed = tokens[:n-1]
	}
	return append(append([]string{parts}, trimmed...), ">")
}
