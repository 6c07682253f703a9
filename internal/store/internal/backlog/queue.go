// Package backlog provides a queue that retries failed writes until they succeed.
package backlog

import (
	"context"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"
)

// A Queue holds values that could not be written, in the order of Add. Find returns a value until it is written. The
// Queue retries until Config.Context is done. Create it with New. It is safe for concurrent use.
type Queue[K comparable, V any] struct {
	cfg Config[K, V]

	mu      sync.Mutex
	entries []*entry[K, V]
	byKey   map[K]*entry[K, V]
	bytes   int
	running bool
}

// A Config configures a Queue. All fields are required.
type Config[K comparable, V any] struct {
	// Write writes a value. Up to AtOnce calls are concurrent.
	Write func(ctx context.Context, key K, value V) error
	// Again reports whether a failed write is retried. Otherwise the value is dropped.
	Again  func(key K, err error) bool
	Size   func(value V) int // bytes of memory that only this value uses
	Bytes  int               // maximum size of all queued values
	AtOnce int
	Pause  time.Duration // pause after a failed write
	// Go starts a goroutine.
	Go      func(func())
	Context context.Context
}

type entry[K comparable, V any] struct {
	key   K
	value V
	bytes int
}

// New returns an empty Queue.
func New[K comparable, V any](cfg Config[K, V]) *Queue[K, V] {
	return &Queue[K, V]{cfg: cfg, byKey: map[K]*entry[K, V]{}}
}

// Add queues a value and replaces a queued value with the same key. It returns false if there is no space.
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

// remove removes an entry, if it is queued. The caller holds q.mu.
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

// Find returns the queued value of a key. waits is false if there is none.
func (q *Queue[K, V]) Find(key K) (value V, waits bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	e := q.byKey[key]
	if e == nil {
		return value, false
	}
	return e.value, true
}

// Drop removes the queued value of a key. If it is being written, the write continues.
func (q *Queue[K, V]) Drop(key K) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.remove(q.byKey[key])
}

// Len returns the number of queued values.
func (q *Queue[K, V]) Len() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.entries)
}

// run writes values until the queue is empty or the context is done.
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

// pause sleeps for Config.Pause. It returns false if the context is done.
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

// write writes values concurrently and removes those that were written or are not retried. It returns the first error
// of the others.
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
