package memory

import "testing"

// The heap may grow a good part of what lives, however much that is, and the process stays small while little lives.
func TestRoomForGarbage(t *testing.T) {
	for _, bound := range []uint64{small, large} {
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

// Memory is given back once after a burst, when nothing is collected any more, and again only after more was allocated.
func TestIdle(t *testing.T) {
	i := idle{bound: 100 << 20}
	for n, look := range []struct {
		held, cycles, allocated uint64 // MiB
		want                    bool
	}{
		{300, 5, 1000, false}, // collected since the start
		{300, 6, 1200, false},
		{300, 6, 1210, true},
		{300, 7, 1210, false}, // it uses them
		{300, 7, 1210, false},
		{300, 7, 1212, true}, // no longer, perhaps
		{110, 8, 1300, false},
		{300, 9, 1400, false},
		{300, 9, 1400, true},
	} {
		if got := i.look(look.held<<20, look.cycles, look.allocated<<20); got != look.want {
			t.Errorf("look %d: got %v", n, got)
		}
	}
}
