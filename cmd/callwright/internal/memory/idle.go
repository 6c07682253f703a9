package memory

import (
	"context"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// idlePause is the interval of checks whether the process holds unused memory. Memory is released after one or two
// intervals.
const idlePause = 4 * time.Second

// releaseIdle runs until ctx is done. If the process holds over 125 % of bound bytes and no garbage collection has run
// since the last check, it returns memory to the operating system. After many streams an idle process produces no
// garbage. It would keep their heap and stacks until the next collection that the runtime forces every two minutes.
func releaseIdle(ctx context.Context, bound int64) {
	samples := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"},
		{Name: "/gc/cycles/total:gc-cycles"}, {Name: "/gc/heap/allocs:bytes"}}
	i := idle{bound: uint64(bound)}
	tick := time.NewTicker(idlePause)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		metrics.Read(samples)
		if i.look(samples[0].Value.Uint64()-samples[1].Value.Uint64(), samples[2].Value.Uint64(), samples[3].Value.Uint64()) {
			debug.FreeOSMemory()
		}
	}
}

// idle determines when an idle process must release memory.
type idle struct {
	bound uint64 // bytes that the process may hold

	cycles  uint64 // number of garbage collections at the last check
	freedAt uint64 // total allocated bytes at the last release
	freed   bool
}

// worthFreeing is the minimum number of bytes allocated between two releases.
const worthFreeing = 1 << 20

// look reports whether to release memory: the process holds 25 % more than its bound, and no garbage collection has run
// since the last check. Memory that is still held afterwards is in use, so the next release requires further
// allocations.
func (i *idle) look(held, cycles, allocated uint64) bool {
	busy := cycles != i.cycles
	i.cycles = cycles
	if busy || held < i.bound+i.bound/4 || i.freed && allocated-i.freedAt < worthFreeing {
		return false
	}
	i.freed, i.freedAt = true, allocated
	i.cycles++ // the release runs a collection
	return true
}
