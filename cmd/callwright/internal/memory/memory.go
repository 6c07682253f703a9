// Package memory limits the memory of a gateway: it configures the garbage collector and returns unused memory.
package memory

import (
	"context"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// The live heap is small while caches are empty, and a collection every few requests would cost more than the requests.
// Therefore the heap may grow to ten times its live size, up to a limit for the process. A large live heap, due to full
// caches or many streams, may always grow by half of itself and of the stacks, because a fixed limit near the live size
// would make the collector run permanently.
const (
	collectAt   = 900      // GOGC: percent of the live heap
	besidesHeap = 12 << 20 // bytes that the runtime needs outside of the heap
)

// The memory limit in bytes of a process, without its program, while the live heap is small.
const (
	small = 31 << 20 // of a process that only answers requests
	large = 56 << 20 // of one that also stores or exports responses (NATS, export queues)
)

// Tune sets the garbage collector's limits after each collection, and returns memory when the process is idle, until
// ctx is done. keeps means that the process stores or exports responses. If GOGC or GOMEMLIMIT is set, Tune does
// nothing.
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
		if next > last+last/8 || next < last-last/8 { // SetMemoryLimit stops the world briefly
			last = next
			debug.SetMemoryLimit(last)
		}
		return ctx.Err() == nil
	})
}

// memoryLimit returns the memory limit in bytes for a live heap and stacks of the given sizes in bytes, at least bound.
// Each open stream has a stack, which a collection scans like the live heap.
func memoryLimit(bound int64, live, stacks uint64) int64 {
	return max(bound, int64(live+stacks)*3/2+besidesHeap)
}

// afterEachCollection calls f after each garbage collection as long as f returns true.
func afterEachCollection(f func() bool) {
	mark := &struct{ _ [4]uintptr }{} // becomes garbage immediately
	runtime.AddCleanup(mark, func(struct{}) {
		if f() {
			afterEachCollection(f)
		}
	}, struct{}{})
}
