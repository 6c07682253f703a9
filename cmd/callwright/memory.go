package main

import (
	"context"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// Garbage is collected when the heap has grown by a part of what lives in it. While little lives it grows up to smallHeap: collecting every
// few requests would cost more than answering them. When much lives, as with caches that are full or many streams, it may
// always grow by half: a fixed limit near to what lives would have the collector run all the time.
const (
	smallHeap = 40 << 20
	seldom    = 400 // percent of what lives, at most
	often     = 50  // and at least
)

// tuneMemory sets when garbage is collected, anew after each collection, until ctx ends. The variable GOGC takes precedence.
func tuneMemory(ctx context.Context, a *app) {
	if _, set := a.env("GOGC"); set {
		return
	}
	last := seldom
	debug.SetGCPercent(last)
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	afterEachCollection(func() bool {
		metrics.Read(live)
		next := growth(live[0].Value.Uint64())
		if next > last+last/8 || next < last-last/8 { // setting it stops the world for a moment
			last = next
			debug.SetGCPercent(last)
		}
		return ctx.Err() == nil
	})
}

// growth returns by how many percent a heap may grow of which so many bytes live.
func growth(live uint64) int {
	if live >= smallHeap {
		return often
	}
	return int(max(often, min(seldom, (smallHeap-live)*100/max(live, 1))))
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
