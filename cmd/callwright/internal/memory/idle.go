package memory

import (
	"context"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// idlePause is how often it is looked whether the process holds memory that it does not use. Memory is given back after
// one to two of them.
const idlePause = 4 * time.Second

// releaseIdle gives memory back to the system when nothing has been collected for a while, until ctx ends. A process
// that has become idle after many streams makes no garbage: it would keep the heap and the stacks of all of them up to
// the next collection, which the runtime forces every two minutes, and free memory for longer.
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

// idle says when memory is to be given back.
type idle struct {
	bound uint64 // bytes that the process may hold

	cycles  uint64 // at the last look
	freedAt uint64 // allocated, when memory was given back
	freed   bool
}

// worthFreeing is how many bytes are allocated at least between two times that memory is given back.
const worthFreeing = 1 << 20

// look reports whether memory is to be given back: the process holds a quarter more than its bound, and nothing was
// collected since the last look. The memory held afterwards is in use, until the process has allocated more.
func (i *idle) look(held, cycles, allocated uint64) bool {
	busy := cycles != i.cycles
	i.cycles = cycles
	if busy || held < i.bound+i.bound/4 || i.freed && allocated-i.freedAt < worthFreeing {
		return false
	}
	i.freed, i.freedAt = true, allocated
	i.cycles++ // of the collection that goes with it
	return true
}
