package memory

import "testing"

// The heap may grow a good part of what lives, however much that is, and the process stays small while little lives.
func TestRoomForGarbage(t *testing.T) {
	for _, bound := range []uint64{Small, Large} {
		for live := uint64(1 << 20); live < 16<<30; live += live / 3 {
			limit := uint64(limitFor(int64(bound), live))
			if limit < live*3/2 || live <= 14<<20 && limit != bound || limit > bound+live*3/2 {
				t.Errorf("%d MiB live of %d MiB: %d MiB", live>>20, bound>>20, limit>>20)
			}
		}
	}
}
