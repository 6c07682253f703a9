package main

import "testing"

// The heap may grow a good part of what lives, however much that is, and the process stays small while little lives.
func TestRoomForGarbage(t *testing.T) {
	for _, bound := range []uint64{smallMemory, largeMemory} {
		for live := uint64(1 << 20); live < 16<<30; live += live / 3 {
			for stacks := uint64(0); stacks < live; stacks += live / 3 {
				limit := uint64(memoryLimit(int64(bound), live, stacks))
				if limit < stacks+live*3/2 || live+stacks <= 12<<20 && limit != bound || live+stacks <= 14<<20 && limit > max(bound, 33<<20) || limit > bound+(live+stacks)*3/2 {
					t.Errorf("%d MiB live and %d MiB of stacks, of %d MiB: %d MiB", live>>20, stacks>>20, bound>>20, limit>>20)
				}
			}
		}
	}
}
