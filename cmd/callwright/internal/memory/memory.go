// Package memory keeps the memory of a gateway small: it sets when garbage is collected, and gives memory back.
package memory

import (
	"context"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// The live heap is small while caches are empty, and collecting every few requests would cost more than answering them:
// the heap may grow to ten times its live size, up to a bound for the process as a whole. A large live heap, as with
// caches that are full or many streams, may always grow by half of itself and of the stacks: a fixed limit near to the
// live size would have the collector run all the time.
const (
	collectAt   = 900      // percent of what lives
	besidesHeap = 12 << 20 // what the runtime keeps for itself
)

// The memory in bytes that a process may take, its program not counted, while its live heap is small.
const (
	small = 31 << 20 // it answers
	large = 56 << 20 // it also stores or exports answers: an embedded NATS server and the export queues make garbage besides
)

// Tune sets when garbage is collected, anew after each collection, and gives memory back when the process becomes idle,
// until ctx ends. keeps says that the process stores or exports answers. The variables GOGC and GOMEMLIMIT take
// precedence.
func Tune(ctx context.Context, keeps bool, env func(name string) (string, bool)) {
	if _, set := env("GOGC"); set {
		return
	}
	if _, set := env("GOMEMLIMIT"); set {
		return
	}
	bound := int64(small)
	if keeps {
		bound = large
	}
	go releaseIdle(ctx, bound)
	debug.SetGCPercent(collectAt)
	last := memoryLimit(bound, 0, 0)
	debug.SetMemoryLimit(last)
	lives := []metrics.Sample{{Name: "/gc/heap/live:bytes"}, {Name: "/memory/classes/heap/stacks:bytes"}}
	afterEachCollection(func() bool {
		metrics.Read(lives)
		next := memoryLimit(bound, lives[0].Value.Uint64(), lives[1].Value.Uint64())
		if next > last+last/8 || next < last-last/8 { // setting it stops the world for a moment
			last = next
			debug.SetMemoryLimit(last)
		}
		return ctx.Err() == nil
	})
}

// memoryLimit returns the limit in bytes for a process with a live heap and stacks of these sizes: each open stream has
// a stack, which each collection scans as it does the live heap.
func memoryLimit(bound int64, live, stacks uint64) int64 {
	return max(bound, int64(live+stacks)*3/2+besidesHeap)
}

// afterEachCollection calls f after each collection of garbage as long as it returns true.
func afterEachCollection(f func() bool) {
	mark := &struct{ _ [4]uintptr }{} // garbage at once
	runtime.AddCleanup(mark, func(struct{}) {
		if f() {
			afterEachCollection(f)
		}
	}, struct{}{})
}
