// Package backlog keeps writes that failed, until they succeed.
package backlog

import (
	"context"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"
)

// A Queue has values that could not be written, in the order in which they came. They are found in it until they are
// written, which is tried until the context ends. Use New. It is safe for concurrent use.
type Queue[K comparable, V any] struct {
	cfg Config[K, V]

	mu      sync.Mutex
	entries []*entry[K, V]
	byKey   map[K]*entry[K, V]
	bytes   int
	running bool
}

// A Config says how a Queue writes.
type Config[K comparable, V any] struct {
	// Write writes a value. It is called for up to AtOnce values at a time.
	Write func(ctx context.Context, key K, value V) error
	// Again reports whether a value that was not written is to be tried again: else it is lost.
	Again  func(key K, err error) bool
	Size   func(value V) int // in bytes, of what nothing else holds
	Bytes  int               // the most that wait
	AtOnce int
	Pause  time.Duration // after a value was not written
	// Go runs a function until the context ends.
	Go      func(func())
	Context context.Context
}

type entry[K comparable, V any] struct {
	key   K
	value V
	bytes int
}

// New makes an empty Queue.
func New[K comparable, V any](cfg Config[K, V]) *Queue[K, V] {
	return &Queue[K, V]{cfg: cfg, byKey: map[K]*entry[K, V]{}}
}

// Add has a value written, in place of an earlier one of the key that waits. It reports whether there is room for it.
func (q *Queue[K, V]) Add(key K, value V) bool {
	e := &entry[K, V]{key, value, q.cfg.Size(value)}
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.bytes+e.bytes > q.cfg.Bytes {
		return false
	}
	q.remove(q.byKey[key])
	q.entries, q.bytes, q.byKey[key] = append(q.entries, e), q.bytes+e.bytes, e
	if !q.running {
		q.running = true
		q.cfg.Go(q.run)
	}
	return true
}

// remove removes an entry; nil is none. The lock is held.
func (q *Queue[K, V]) remove(e *entry[K, V]) {
	at := slices.Index(q.entries, e)
	if at < 0 {
		return
	}
	q.entries, q.bytes = slices.Delete(q.entries, at, at+1), q.bytes-e.bytes
	if q.byKey[e.key] == e {
		delete(q.byKey, e.key)
	}
}

// Find returns a value that waits.
func (q *Queue[K, V]) Find(key K) (value V, waits bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	e := q.byKey[key]
	if e == nil {
		return value, false
	}
	return e.value, true
}

// Drop drops a value that waits. One that is being written may be written all the same.
func (q *Queue[K, V]) Drop(key K) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.remove(q.byKey[key])
}

// Len returns how many values wait.
func (q *Queue[K, V]) Len() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.entries)
}

// run writes until nothing waits.
func (q *Queue[K, V]) run() {
	for {
		q.mu.Lock()
		next := slices.Clone(q.entries[:min(q.cfg.AtOnce, len(q.entries))])
		q.running = len(next) > 0
		q.mu.Unlock()
		if len(next) == 0 || q.write(next) != nil && !q.pause() {
			return
		}
	}
}

// pause waits, and reports whether the context still holds.
func (q *Queue[K, V]) pause() bool {
	timer := time.NewTimer(q.cfg.Pause)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-q.cfg.Context.Done():
		return false
	}
}

// write writes values, and removes those that are written and those that will never be.
func (q *Queue[K, V]) write(list []*entry[K, V]) error {
	var group errgroup.Group
	for _, e := range list {
		group.Go(func() error {
			err := q.cfg.Write(q.cfg.Context, e.key, e.value)
			if err != nil && (q.cfg.Context.Err() != nil || q.cfg.Again(e.key, err)) {
				return err
			}
			q.mu.Lock()
			defer q.mu.Unlock()
			q.remove(e)
			return nil
		})
	}
	return group.Wait()
}
